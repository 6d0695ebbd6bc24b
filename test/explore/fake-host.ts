import type { Clock } from '../../src/model/ports/time.ts';
import type { Completion } from '../../src/engine/reply/completion.ts';
import type { Engine } from '../../src/engine/engine.ts';
import type { Inbound } from '../../src/engine/inbound.ts';
import type { View } from '../../src/kernel/state/view.ts';
import type { ModelCall, SpeakingModel } from '../../src/model/ports/model.ts';
import { openEffect } from '../../src/kernel/state/draft.ts';
import { createPerformer, type Performer, type TurnHost } from '../../src/engine/performer.ts';
import type { Spoken } from '../../src/engine/reply/reply.ts';

export interface Chunk {
  readonly text: string;
  readonly calls: readonly ModelCall[];
}

/** A voice session for the engine without LiveKit: it speaks, runs tools and is interrupted. */
export interface FakeHost {
  readonly isSpeaking: boolean;
  /** Everything that was heard, one line each. */
  readonly heard: readonly string[];
  /** Calls that completions have seen. */
  readonly seen: ReadonlyMap<string, Completion>;
  speakUp(): void;
  /** Interrupts the agent and cancels its current work. */
  interrupt(): void;
  /** Interrupts, and resolves when the heard part is known. */
  hush(): Promise<void>;
  /** Takes a caller's turn and speaks the answer. */
  take(inbound: Inbound): Promise<void>;
  close(): void;
}

const wordMs = 300;
const resumeAfterMs = 1_500;

interface Line {
  readonly key: string;
  text: string;
  heard: string;
}

interface Speech {
  interrupted: boolean;
  /** Resolves when the speech is interrupted. */
  readonly cut: Promise<'cut'>;
  interrupt: () => void;
  readonly done: Promise<void>;
}

export function createFakeHost(
  engine: () => Engine,
  clock: Clock,
  host: TurnHost,
  model: SpeakingModel<View, Chunk>,
  /** Delay before a tool starts, in milliseconds. Null: it does not start, as with arguments that LiveKit cannot parse. */
  startDelay: (call: ModelCall) => number | null,
  onError: (error: unknown) => void,
): FakeHost {
  const heard: string[] = [];
  const seen = new Map<string, Completion>();
  const active = new Set<Speech>();
  let performance = 0;
  let settling: Promise<void> = Promise.resolve();
  let cancelResume = (): void => undefined;
  let closed = false;

  let performing: Performer | null = null;
  /** Created late, because the engine exists only from the first turn on. */
  const performer = (): Performer => (performing ??= createPerformer(engine(), host));

  const pause = (ms: number): Promise<void> => new Promise((resolve) => void clock.schedule(ms, resolve));

  /** Runs a tool as a session does. Returns whether a reply follows. */
  const runTool = async (call: ModelCall): Promise<boolean> => {
    const delayMs = startDelay(call);
    if (delayMs === null) return true;
    if (delayMs > 0) await pause(delayMs);
    const { completion, outbox } = engine();
    if (completion === null || !completion.has(call.callId)) return true;
    completion.start(call.callId);
    await completion.settled;
    const output = engine().calls.outputOf(call.callId);
    if (output?.isError === true && !completion.isSuperseded) return true;
    return outbox.speaks() && !completion.isSuperseded;
  };

  /** Generates once and plays it word by word while the rest streams. Returns whether another generation follows. */
  const generate = async (speech: Speech): Promise<boolean> => {
    const mine = (performance += 1);
    const lines: Line[] = [];
    const words: { readonly line: Line; readonly word: string }[] = [];
    const tools: Promise<boolean>[] = [];
    let isStreaming = true;
    let wake = (): void => undefined;
    const play = async (): Promise<void> => {
      while (!speech.interrupted && (isStreaming || words.length > 0)) {
        const next = words.shift();
        if (next !== undefined) next.line.heard += next.word;
        const nextWord = next === undefined ? new Promise<void>((resolve) => (wake = resolve)) : pause(wordMs);
        await Promise.race([nextWord, speech.cut]);
      }
    };
    const playing = play();
    const give = (spoken: Spoken<Chunk>): boolean => {
      if (speech.interrupted) return false;
      const { key, text } = spoken;
      const last = lines.at(-1);
      const line = last?.key === key ? last : { key, text: '', heard: '' };
      if (line !== last) lines.push(line);
      line.text += text;
      for (const word of text.match(/\S+\s*/g) ?? []) words.push({ line, word });
      wake();
      for (const call of spoken.type === 'line' ? [] : spoken.chunk.calls) {
        const { completion } = engine();
        if (completion?.has(call.callId) === true) seen.set(call.callId, completion);
        tools.push(runTool(call));
      }
      return true;
    };
    const isCurrent = (): boolean => mine === performance && !speech.interrupted;
    // After an interruption this is not awaited, as in LiveKit: it ends when its work ends.
    const given = performer().perform({ model, isWanted: isCurrent, isOvertaken: () => false }, give);
    given.catch(onError);
    await Promise.race([given, speech.cut]);
    isStreaming = false;
    wake();
    await playing;
    tellHeard(lines, speech.interrupted);
    const follows = await Promise.race([Promise.all(tools), speech.cut]);
    return follows !== 'cut' && follows.some(Boolean);
  };

  const tellHeard = (lines: readonly Line[], interrupted: boolean): void => {
    for (const line of lines.toReversed()) {
      if (line.text.trim() === '') continue;
      const effect = openEffect(engine().state, line.key);
      const isUnsaid = interrupted && line.heard === '' && (effect?.kind === 'say' || effect?.kind === 'wait');
      // Lines that were not heard are said later.
      if (isUnsaid) engine().outbox.putBack(effect);
      else {
        if (line.heard !== '') heard.push(line.heard.trim());
        const state = line.heard.trim() === line.text.trim() ? 'done' : 'cancelled';
        engine().dispatch({ signal: { type: 'speech:settled', at: clock.now(), ...line, state } });
      }
    }
  };

  const speak = (): void => {
    cancelResume();
    if (closed) return;
    let finish = (): void => undefined;
    let cutOff = (): void => undefined;
    const speech: Speech = {
      interrupted: false,
      cut: new Promise((resolve) => (cutOff = () => resolve('cut'))),
      interrupt() {
        speech.interrupted = true;
        cutOff();
      },
      done: new Promise((resolve) => (finish = resolve)),
    };
    active.add(speech);
    const run = async (): Promise<void> => {
      try {
        while (await generate(speech));
      } catch (error) {
        onError(error);
      }
      active.delete(speech);
      if (active.size === 0 && !closed) settling = afterSpeech(speech.interrupted);
      finish();
    };
    void run();
  };

  /** After the last speech, the flow continues if it has more to say, also when a call ends later. */
  const afterSpeech = async (interrupted: boolean): Promise<void> => {
    const { completion } = engine();
    if (completion !== null && !completion.isSettled) completion.abandon();
    void engine()
      .calls.underWay()
      ?.then(() => goOn(interrupted));
    await goOn(interrupted);
  };
  const goOn = async (interrupted: boolean): Promise<void> => {
    if (active.size > 0 || closed) return;
    try {
      await performer().performAfterSpeech();
    } catch (error) {
      onError(error);
    }
    if (!engine().outbox.speaks() || active.size > 0 || closed) return;
    cancelResume();
    if (interrupted) cancelResume = clock.schedule(resumeAfterMs, speakUp);
    else speak();
  };

  const speakUp = (): void => {
    if (active.size > 0) return;
    if (engine().outbox.speaks()) speak();
    // Nothing is said first, so whatever waits for the last words is due.
    else settling = afterSpeech(false);
  };
  const interrupt = (): void => {
    for (const speech of active) speech.interrupt();
  };

  return {
    heard,
    seen,
    get isSpeaking() {
      return active.size > 0;
    },
    speakUp,
    interrupt,
    async hush() {
      interrupt();
      await Promise.all([...active].map(({ done }) => done));
      await settling;
    },
    async take(inbound) {
      cancelResume();
      if ((await engine().receive(inbound)) === 'taken') speak();
      else speakUp();
    },
    close() {
      closed = true;
      cancelResume();
      interrupt();
    },
  };
}

import { llm, type voice } from '@livekit/agents';
import { openEffect } from '../../kernel/state/draft.ts';
import type { Effect } from '../../model/effect.ts';
import type { HeardLine } from '../../model/signals/signal.ts';
import { reopens } from '../../kernel/question/last-line.ts';
import { watchVerdict } from './answer-verdict.ts';
import { noInputMsOf } from '../../kernel/question/silence.ts';
import type { Clock } from '../../model/ports/time.ts';
import type { CallerQuestions } from '../agent/caller-questions.ts';
import type { Engine } from '../../engine/engine.ts';
import { timeLimit } from '../../engine/time-limit.ts';
import { requestReply } from '../agent/live-session.ts';
import { enterSpeech, speechHere } from '../agent/origin.ts';
import { createProtectedSpeech } from './protected-speech.ts';
import { createNoInput } from './no-input.ts';
import { createPlayback, type Voicing } from './playback.ts';
import { createSpeechLog, type Utterance } from './speech-log.ts';
import { createInterruptedLines } from './interrupted-lines.ts';

/** How long after an interruption without words the flow continues by itself, in milliseconds. */
const resumeAfterMs = 1_500;

/** How long a turn waits to learn how much of the interrupted speech was heard, in milliseconds. */
const heardWithinMs = 300;

/** The speeches of a session: which are playing, how much was heard, and when the flow speaks by itself. */
export interface Speeches {
  attach(session: voice.AgentSession): void;
  detach(): void;
  /** Records a speech; must be called synchronously during its creation by LiveKit. */
  watch(handle: voice.SpeechHandle): void;
  /** Begins a generation of the speech that LiveKit is generating here. */
  generation(): () => Utterance;
  /** Returns a function that awaits work for the speech generated here; null as soon as that speech is interrupted. */
  unlessCutOff(): <Value>(work: Promise<Value>) => Promise<Value | null>;
  /** Returns a function that records the next segment of the speech generated here. */
  voicings(): () => Voicing;
  /** Returns the lines that were still playing when the current turn began; undefined if all had ended. */
  spokenOver(by: 'voice' | 'keys'): readonly HeardLine[] | undefined;
  /** A message of the agent became part of the history. */
  heard(message: llm.ChatMessage): void;
  /** Returns a message without its asides; null if it contains nothing else. */
  withoutAsides(message: llm.ChatMessage): llm.ChatMessage | null;
  /** Makes the session say what the flow has to say, unless it is speaking. */
  speakUp(): voice.SpeechHandle | null;
  /** Stops the flow from continuing by itself, because the caller's turn or a speech has begun. */
  cancelResume(): void;
  /** Stops prompting the silent caller until their next turn or until the flow speaks, because they are busy or away. */
  holdNoInput(): void;
  /** The caller presses the first key of a turn. The flow does not continue before the turn. */
  beginKeys(): void;
  /** The keys are given up without a turn. */
  forgetKeys(): void;
  /** Drops what the caller has said into an entry of keys. */
  dropSpokenWords(): void;
  /** The caller's speech was not understood. */
  noteUnclear(): void;
  /** Stops the interruptible part of the current speech, or all of it by `force`, and waits until its heard part is known. */
  hush(force?: boolean): Promise<void>;
  /** Whether the heard part of an interrupted speech is still unknown. */
  isCuttingOff(): boolean;
  /** Resolves when the heard parts of interrupted speeches are known, or after a time limit. */
  whenCutOffIsKnown(): Promise<void>;
  /** Resolves when the agent is silent and the flow has nothing to say, or waits to continue after an interruption. */
  idle(): Promise<void>;
  /** Resolves when the flow continues after an interruption or the caller has prevented it; at once if there is nothing to continue. */
  whenResumed(): Promise<void>;
}

export interface SpeechesOptions {
  readonly engine: Engine;
  readonly clock: Clock;
  /** Performs the effects that waited for the speech; null if there are none. */
  readonly afterSpeech: () => Promise<void> | null;
  /** Questions of tasks. After one it is the caller's turn, whatever else is running. */
  readonly questions: CallerQuestions;
  /** Whether interruptions of a speech can be prevented. */
  readonly canHold: () => boolean;
}

export function createSpeeches({ engine, clock, afterSpeech, questions, canHold }: SpeechesOptions): Speeches {
  const active = new Map<voice.SpeechHandle, object>();
  /** Speeches that began after the caller was asked, and therefore wait for no answer. */
  const asides = new Set<voice.SpeechHandle>();
  /** Speeches that contain a protected line. */
  const kept = new WeakSet<object>();
  /** Messages that contain asides, by id. */
  const shown = new Map<string, llm.ChatMessage | null>();
  let session: voice.AgentSession | null = null;
  let settling: Promise<void> = Promise.resolve();
  let cancelResume = (): void => undefined;
  let endWatch = (): void => undefined;
  /** Pending until the flow continues after an interruption, or the caller prevents it. */
  let resumed: Promise<void> = Promise.resolve();
  /** The speech was interrupted for the flow's next words, which must not be delayed. */
  let isAwaited = false;
  /** The caller is entering keys. */
  let isKeying = false;

  const noInput = createNoInput({
    clock,
    noInputMs() {
      // A speech whose call asks a question lasts until the answer.
      const mayAsk = questions.isOpen() ? questions.isPut() && asides.size === 0 : active.size === 0;
      if (!mayAsk || engine.isReceiving || !engine.outbox.isEmpty()) return null;
      return noInputMsOf(engine.graph, engine.state, engine.civil(clock.now()));
    },
    isPatient: () => engine.state.dialogue.patience,
    onSilence(unclear) {
      const more = { ...(unclear ? { unclear } : {}), ...engine.takeVerdict() };
      engine.dispatch({ signal: { type: 'silence:elapsed', at: clock.now(), ...more } });
      if (questions.isUnsaid() && session !== null) requestReply(session);
      else speakUp();
    },
  });
  const lastWords = createProtectedSpeech({
    engine,
    speeches: () => active.keys(),
    isProtected: (handle) => kept.has(active.get(handle) ?? handle),
    wordsHeard: (handle) => playback.wordsHeard(active.get(handle) ?? handle),
    canHold,
  });
  const log = createSpeechLog({
    settle(line) {
      // A question of which nothing was heard is asked again; a heard part belongs to the history.
      if (questions.heard(line.key, line.heard) && line.heard === '') return;
      engine.dispatch({ signal: { type: 'speech:settled', at: clock.now(), ...line } });
      noInput.consider();
    },
    leaveUnsaid(lines) {
      for (const line of lines.toReversed()) {
        if (questions.heard(line.key, '')) continue;
        const effect = openEffect(engine.state, line.key);
        // A line of which nothing was heard is said again; the flow decides about a reply of the model.
        if (effect?.kind === 'say' || effect?.kind === 'wait') engine.outbox.putBack(effect);
        else engine.dispatch({ signal: { type: 'speech:settled', at: clock.now(), ...line } });
      }
    },
  });

  const playback = createPlayback(clock);
  const over = createInterruptedLines({
    clock,
    // Forwarded text counts as heard.
    unfinished: () =>
      session?.output.audio == null || !session.output.audioEnabled
        ? []
        : [...active.values()].flatMap((speech) => log.unfinished(speech, playback.wordsHeard(speech))),
  });

  const speakUp = (): voice.SpeechHandle | null => {
    if (session === null) return null;
    // An interrupted speech lasts until its calls end, and one of them may be what asks.
    if (questions.isUnsaid() && [...active.keys()].every(({ interrupted }) => interrupted))
      return requestReply(session);
    if (active.size > 0) {
      isAwaited = engine.outbox.speaks() && [...active.keys()].every(({ interrupted }) => interrupted);
      return null;
    }
    if (engine.outbox.speaks()) return requestReply(session);
    // The next effect, such as an end without words, does not wait for speech.
    if (!engine.outbox.isEmpty()) settling = goOn(false);
    return null;
  };
  const resume = (): void => {
    if (session?.userState === 'speaking' || isKeying) resumeLater();
    else speakUp();
  };
  const resumeLater = (): void => {
    cancelResume();
    let isOver = (): void => undefined;
    resumed = new Promise((resolve) => (isOver = resolve));
    const cancel = clock.schedule(resumeAfterMs, () => {
      resume();
      isOver();
    });
    cancelResume = () => {
      cancel();
      isOver();
    };
  };
  /** After the last speech, performs the effects that waited for it, and continues speaking if the flow has more to say. */
  const goOn = async (wasInterrupted: boolean): Promise<void> => {
    if (active.size > 0) return;
    // The words that interrupted the last line are about to arrive.
    if (wasInterrupted && reopens(engine.graph, engine.state)) return resumeLater();
    const doing = afterSpeech();
    if (doing !== null) await doing;
    if (active.size > 0) return;
    noInput.consider();
    if (!(engine.outbox.speaks() || questions.isUnsaid())) return;
    cancelResume();
    const mayWait = wasInterrupted && !isAwaited;
    isAwaited = false;
    if (mayWait) resumeLater();
    else speakUp();
  };
  questions.listen({
    // Also while a function asks, because its speech lasts as long as its call.
    onAsked() {
      if (session !== null) requestReply(session);
    },
    onWorkOver: () => void (settling = goOn(false)),
  });
  const settle = (wasInterrupted: boolean): Promise<void> => {
    const { completion } = engine;
    if (completion !== null && !completion.isSettled) completion.abandon();
    // A call outlives its speech; its consequences are said anyway.
    void engine.calls.underWay()?.then(() => goOn(wasInterrupted));
    return goOn(wasInterrupted);
  };

  return {
    attach(to) {
      session = to;
      noInput.attach(to);
      endWatch = watchVerdict(to, (verdict) => (engine.verdict = verdict));
      lastWords.attach(to);
      playback.attach(to);
      over.attach(to);
    },
    detach() {
      session = null;
      cancelResume();
      noInput.detach();
      endWatch();
      lastWords.detach();
      playback.detach();
      over.detach();
    },
    watch(handle) {
      const speech = {};
      enterSpeech(speech);
      cancelResume();
      active.set(handle, speech);
      noInput.consider();
      if (questions.isPut()) asides.add(handle);
      handle.addDoneCallback(() => {
        active.delete(handle);
        asides.delete(handle);
        if (handle.interrupted) engine.tracer.cutOff();
        log.close(speech, handle.interrupted);
        playback.close(speech);
        if (active.size === 0) settling = settle(handle.interrupted);
        else if (questions.isUnsaid()) resumeLater();
      });
    },
    generation() {
      const speech = speechHere();
      return () => {
        const utterance = log.begin(speech);
        return {
          add(...given) {
            utterance.add(...given);
            over.onGiven(given[0]);
            if (questions.isProtected(given[0]) || isProtected(openEffect(engine.state, given[0]))) kept.add(speech);
            lastWords.hold();
          },
          say: (words) => utterance.say(words),
        };
      };
    },
    unlessCutOff() {
      const speech = speechHere();
      const handle = [...active].find(([, one]) => one === speech)?.[0];
      return async <Value>(work: Promise<Value>): Promise<Value | null> => {
        if (handle === undefined) return await work;
        let value: Value | null = null;
        await handle.waitIfNotInterrupted([work.then((result) => (value = result))]);
        return value;
      };
    },
    voicings() {
      const speech = speechHere();
      return () => ({ ...playback.voice(speech), unheard: (text) => log.unheard(speech, text) });
    },
    spokenOver(by) {
      if (by === 'keys') isKeying = false;
      return over.take(by);
    },
    heard(message) {
      const found = [...active].find(([handle]) => handle.chatItems.includes(message));
      if (found === undefined) return;
      const own = log.heard(found[1], message.textContent ?? '', message.interrupted);
      playback.forgetPlayed(found[1]);
      if (own === null) return;
      const { id, role, interrupted, createdAt } = message;
      shown.set(id, own === '' ? null : llm.ChatMessage.create({ id, role, content: own, interrupted, createdAt }));
    },
    withoutAsides(message) {
      const own = shown.get(message.id);
      return own === undefined ? message : own;
    },
    speakUp() {
      noInput.release();
      return speakUp();
    },
    cancelResume() {
      cancelResume();
      noInput.release();
    },
    holdNoInput: () => noInput.hold(),
    beginKeys() {
      isKeying = true;
      over.onKey();
      noInput.hold();
    },
    forgetKeys: () => void (isKeying = false),
    dropSpokenWords() {
      if (session?.input.audio != null) session.clearUserTurn();
    },
    noteUnclear: () => noInput.noteUnclear(),
    async hush(force = false) {
      const speaking = session;
      if (speaking === null || active.size === 0) return;
      lastWords.hold();
      // A session's own interrupt by force ends a speech before its heard part is known.
      if (force) await Promise.all([...active.keys()].map((handle) => playedOut(handle.interrupt(true))));
      // LiveKit refuses to interrupt these speeches, so they play to their end.
      for (const handle of active.keys())
        if (!handle.allowInterruptions && !handle.interrupted) await playedOut(handle);
      if (active.size > 0 && session === speaking) await speaking.interrupt().await;
      await settling;
    },
    isCuttingOff: () => [...active.keys()].some((handle) => handle.interrupted),
    async whenCutOffIsKnown() {
      const cutOff = [...active.keys()].filter((handle) => handle.interrupted);
      if (cutOff.length > 0) await timeLimit(Promise.all(cutOff.map(playedOut)), clock, heardWithinMs);
    },
    async idle() {
      for (;;) {
        await questions.unlessPut(Promise.all([...active.keys()].map(playedOut)));
        await Promise.all([...asides].map(playedOut));
        await settling;
        if (active.size === 0 || (questions.isPut() && asides.size === 0)) return;
      }
    },
    whenResumed: () => resumed,
  };
}

function isProtected(effect: Effect | undefined): boolean {
  return effect !== undefined && 'protected' in effect.payload && effect.payload.protected;
}

function playedOut(handle: voice.SpeechHandle): Promise<void> {
  return handle.waitForPlayout().catch(() => undefined);
}

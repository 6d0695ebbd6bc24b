import { llm, type voice } from '@livekit/agents';
import { openEffect } from '../../kernel/draft.ts';
import type { Effect } from '../../events/effect.ts';
import type { HeardLine } from '../../events/signal.ts';
import { reopens } from '../../kernel/last-line.ts';
import type { Clock } from '../../ports/time.ts';
import type { CallerQuestions } from '../agent/caller-questions.ts';
import type { Engine } from '../../turn/engine/engine.ts';
import { timeLimit } from '../../turn/engine/time-limit.ts';
import { requestReply } from '../agent/live-session.ts';
import { enterSpeech, speechHere } from '../agent/origin.ts';
import { createLastWords } from './last-words.ts';
import { createNoInput } from './no-input.ts';
import { createPlayback, type Voicing } from './playback.ts';
import { createSpeechLog, type Utterance } from './speech-log.ts';
import { createSpokenOver } from './spoken-over.ts';

/** How long after an interruption without words the flow goes on by itself, in milliseconds. */
const resumeAfterMs = 1_500;

/** How long a turn waits to learn what was heard of the speech that it cut off, in milliseconds. */
const heardWithinMs = 300;

/** The speeches of a session: which are under way, what was heard of them, and when the flow speaks up by itself. */
export interface Speeches {
  attach(session: voice.AgentSession): void;
  detach(): void;
  /** LiveKit has created a speech; to be told in the very call that creates it. */
  watch(handle: voice.SpeechHandle): void;
  /** Begins a generation of a speech: of the one that LiveKit is generating for where this is called. */
  generation(): () => Utterance;
  /** Waits for something that the speech generated where this is called needs: null as soon as that speech is cut off. */
  unlessCutOff(): <Value>(work: Promise<Value>) => Promise<Value | null>;
  /** Takes down segments of the speech that is generated where this is called, each as its sound comes. */
  voicings(): () => Voicing;
  /** The lines that had not ended when the turn began that is taken now; undefined where all had. */
  spokenOver(by: 'voice' | 'keys'): readonly HeardLine[] | undefined;
  /** A message of the agent became part of the history. */
  heard(message: llm.ChatMessage): void;
  /** A message of the history without what is no part of the conversation; null where that is all of it. */
  withoutAsides(message: llm.ChatMessage): llm.ChatMessage | null;
  /** Lets the session speak what the flow has to say, if nobody is speaking. */
  speakUp(): voice.SpeechHandle | null;
  /** The flow does not go on by itself: the caller has the word, or a speech has begun. */
  cancelResume(): void;
  /** Nobody asks into the caller's silence before their next turn, or before the flow speaks up: they are busy or away. */
  holdNoInput(): void;
  /** The caller presses the first key of a turn. */
  beginKeys(): void;
  /** The caller has said something of which nobody understood a word. */
  noteUnclear(): void;
  /** Stops what is being said, as far as it may be cut off, and waits until it is known what was heard of it. */
  hush(): Promise<void>;
  /** Whether a speech was interrupted of which it is not known yet what was heard. */
  isCuttingOff(): boolean;
  /** Resolves when it is known what was heard of speeches that were cut off, or that takes too long. */
  whenCutOffIsKnown(): Promise<void>;
  /** Resolves when nobody speaks and the flow has nothing to say, or waits to go on after an interruption. */
  idle(): Promise<void>;
  /** Resolves when the flow goes on after an interruption, or the caller has kept it from that; at once where nothing is to go on. */
  whenResumed(): Promise<void>;
}

export interface SpeechesOptions {
  readonly engine: Engine;
  readonly clock: Clock;
  /** Performs the effects that waited for the speech to be heard; null where none did. */
  readonly afterSpeech: () => Promise<void> | null;
  /** The questions of tasks: after one the caller has the word, whatever else is under way. */
  readonly questions: CallerQuestions;
  /** Whether a speech can be kept from interruptions. */
  readonly canHold: () => boolean;
}

export function createSpeeches({ engine, clock, afterSpeech, questions, canHold }: SpeechesOptions): Speeches {
  const active = new Map<voice.SpeechHandle, object>();
  /** Speeches that began when the caller had been asked already, and so wait for nobody. */
  const asides = new Set<voice.SpeechHandle>();
  /** Speeches that were given a line which the flow protects. */
  const kept = new WeakSet<object>();
  /** Messages that hold more than is part of the conversation, by id. */
  const shown = new Map<string, llm.ChatMessage | null>();
  let session: voice.AgentSession | null = null;
  let settling: Promise<void> = Promise.resolve();
  let cancelResume = (): void => undefined;
  /** Until the flow goes on by itself after an interruption, or the caller keeps it from that. */
  let resumed: Promise<void> = Promise.resolve();
  /** What was cut off was so for what the flow says next, which waits for nobody. */
  let isAwaited = false;

  const noInput = createNoInput({
    engine,
    clock,
    // A speech whose call asks lasts until the answer.
    mayAsk: () => (questions.isOpen() ? questions.isPut() && asides.size === 0 : active.size === 0),
    speakUp: () => void (questions.isUnsaid() && session !== null ? requestReply(session) : speakUp()),
  });
  const lastWords = createLastWords({
    engine,
    speeches: () => active.keys(),
    isProtected: (handle) => kept.has(active.get(handle) ?? handle),
    wordsHeard: (handle) => playback.wordsHeard(active.get(handle) ?? handle),
    canHold,
  });
  const log = createSpeechLog({
    settle(line) {
      // A question that nobody heard is asked again; what was heard of it is part of the history.
      if (questions.heard(line.key, line.heard) && line.heard === '') return;
      engine.dispatch({ type: 'speech:settled', at: clock.now(), ...line });
      noInput.consider();
    },
    leaveUnsaid(lines) {
      for (const line of lines.toReversed()) {
        if (questions.heard(line.key, '')) continue;
        const effect = openEffect(engine.state, line.key);
        // A line of which nothing was heard is said again; the flow decides about a reply of the model.
        if (effect?.kind === 'say' || effect?.kind === 'wait') engine.outbox.putBack(effect);
        else engine.dispatch({ type: 'speech:settled', at: clock.now(), ...line });
      }
    },
  });

  const playback = createPlayback(clock);
  const over = createSpokenOver({
    clock,
    // Text that is forwarded is heard.
    unfinished: () =>
      session?.output.audio == null || !session.output.audioEnabled
        ? []
        : [...active.values()].flatMap((speech) => log.unfinished(speech, playback.wordsHeard(speech))),
  });

  const speakUp = (): voice.SpeechHandle | null => {
    if (session === null) return null;
    // A speech that was cut off lasts until its calls are over: they may be what asks.
    if (questions.isUnsaid() && [...active.keys()].every(({ interrupted }) => interrupted))
      return requestReply(session);
    if (active.size > 0) {
      isAwaited = engine.outbox.speaks() && [...active.keys()].every(({ interrupted }) => interrupted);
      return null;
    }
    if (engine.outbox.speaks()) return requestReply(session);
    // Nothing has to be heard before what comes next, such as an end without a word.
    if (!engine.outbox.isEmpty()) settling = goOn(false);
    return null;
  };
  const resume = (): void => {
    if (session?.userState === 'speaking') resumeLater();
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
  /** After the last speech: performs the effects that waited for it, and lets the flow speak on where it has more to say. */
  const goOn = async (wasInterrupted: boolean): Promise<void> => {
    if (active.size > 0) return;
    // Words that have cut off the last line are on their way.
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
    // Also while a function asks, whose speech is over when its call is.
    onAsked() {
      if (session !== null) requestReply(session);
    },
    onWorkOver: () => void (settling = goOn(false)),
  });
  const settle = (wasInterrupted: boolean): Promise<void> => {
    const { completion } = engine;
    if (completion !== null && !completion.isSettled) completion.abandon();
    // A call outlives the speech that it was made in; what follows from it is said all the same.
    void engine.callsUnderWay()?.then(() => goOn(wasInterrupted));
    return goOn(wasInterrupted);
  };

  return {
    attach(to) {
      session = to;
      noInput.attach(to);
      lastWords.attach(to);
      playback.attach(to);
      over.attach(to);
    },
    detach() {
      session = null;
      cancelResume();
      noInput.detach();
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
    spokenOver: (by) => over.take(by),
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
      over.onKey();
      noInput.hold();
    },
    noteUnclear: () => noInput.noteUnclear(),
    async hush() {
      const speaking = session;
      if (speaking === null || active.size === 0) return;
      lastWords.hold();
      // LiveKit refuses to interrupt these speeches: they are heard to their end.
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

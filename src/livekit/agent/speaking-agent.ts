import { llm, voice } from '@livekit/agents';
import type { AudioFrame } from '@livekit/rtc-node';
import type { ReadableStream } from 'node:stream/web';
import type { HeardLine } from '../../model/signals/signal.ts';
import { wholePrompt } from '../../kernel/state/view.ts';
import type { Inbound, OfEntry } from '../../engine/inbound.ts';
import { silentModel } from '../model/silent-model.ts';
import { isHeard } from '../../kernel/question/pending-speech.ts';
import { needsListener } from '../../engine/commit/outbox.ts';
import { timeLimit } from '../../engine/time-limit.ts';
import { createPerformer, type Performer } from '../../engine/performer.ts';
import { createShownContext, type ShownContext } from '../context/shown-context.ts';
import { guardReplySignal } from '../guards/reply-signal.ts';
import { listenTo } from '../speech/listen-to.ts';
import { noteSpeechTimes } from '../speech/speech-times.ts';
import { unlessShown } from '../speech/text-only-lines.ts';
import type { Speeches } from '../speech/speeches.ts';
import { createSpeechFailures, type SpeechFailures } from '../speech/speech-failures.ts';
import { createAgentHost, createAgentSpeeches } from './agent-host.ts';
import type { FlowAgentOptions } from './flow-agent-options.ts';
import { createStoreLoss, type StoreLoss } from './store-loss.ts';

/**
 * The one agent of a conversation, for every kind of model. It shows LiveKit the instructions
 * and tools of the flow's current node; nothing is handed off, updated or patched.
 */
export abstract class SpeakingAgent extends voice.Agent {
  protected readonly options: FlowAgentOptions;
  protected readonly shown: ShownContext;
  protected readonly performer: Performer;
  protected readonly speeches: Speeches;
  protected readonly loss: StoreLoss;
  protected readonly troubles: SpeechFailures;
  /** The session that the agent is attached to. */
  protected attached: voice.AgentSession | null = null;
  #enter: () => void = () => undefined;
  /** Resolves once LiveKit lets this agent speak. */
  readonly entered: Promise<void> = new Promise((resolve) => (this.#enter = resolve));

  constructor(options: FlowAgentOptions, model: { readonly llm?: llm.RealtimeModel } = {}) {
    super({ id: 'flow', instructions: wholePrompt(options.engine.view()), chatCtx: options.history, ...model });
    // LiveKit drops function calls that the agent does not have yet.
    this._chatCtx.items = [...options.history.items];
    this.options = options;
    const { engine, clock, lines } = options;
    this.shown = createShownContext({
      items: () => this.said(),
      outputOf: (callId) => engine.calls.outputOf(callId),
      withoutAsides: (message) => this.speeches.withoutAsides(message),
      mostCharacters: engine.limits.contextCharacters,
      summarise: (prompt, context) => options.summarise(prompt, context),
    });
    this.performer = createPerformer(engine, createAgentHost(options, this.shown), options.responses);
    this.speeches = createAgentSpeeches(options, this.performer, () => !this.#modelTakesTurns);
    const session = (): voice.AgentSession | null => this.attached;
    this.loss = createStoreLoss({
      clock,
      committed: () => engine.committed(),
      session,
      onLost: (error) => {
        options.onError(error);
        this.onLost?.();
        this.speeches.detach();
      },
      say: (to) => this.sayFarewell(to),
      onLeft: (reason) => options.onStoreLost(reason),
    });
    this.troubles = createSpeechFailures({
      clock,
      lines,
      session,
      onTrouble: (reason, stage) => options.onModelTrouble(reason, stage),
      onUnclear: () => this.speeches.noteUnclear(),
      onEnd: (reason) => options.onEnd(reason),
    });
  }

  /** Whether a caller's turn of this id was taken. Of the turns of earlier processes only the last one is known. */
  hasTaken(eventId: string): boolean {
    return this.hasHeard(eventId) || this.options.engine.state.turn.lastFlowEventId === eventId;
  }

  /** Whether a caller's turn of this id has reached this agent. */
  protected abstract hasHeard(eventId: string): boolean;
  /** Takes a caller's turn once, whichever way it arrived. `entry` is the inbox entry that it consumes. */
  abstract take(inbound: Inbound, entry?: OfEntry): Promise<'taken' | 'duplicate' | 'over'>;
  /** A message of the caller became part of the history. */
  protected abstract onCallerMessage(message: llm.ChatMessage): void;
  /** A message of the agent became part of the history with its heard part. */
  protected onOwnMessage?(message: llm.ChatMessage): void;
  protected onModelError(event: voice.ErrorEvent): void {
    this.troubles.onError(event);
  }
  /** The store no longer accepts the session, so output of the model is discarded. */
  protected onLost?(): void;

  /** Returns the history in order. */
  protected said(): readonly llm.ChatItem[] {
    // The public getter returns a proxy, which makes each read many times slower.
    return this._chatCtx.items;
  }

  /** Says the last words of a conversation whose store has failed. */
  protected sayFarewell(session: voice.AgentSession): voice.SpeechHandle {
    return session.say(this.options.lines.farewell, { allowInterruptions: false });
  }

  /** Returns a function for the speech being generated here: resolves when its sound may be heard, with whether it may. */
  protected mayBeHeard(): (() => Promise<boolean>) | undefined {
    return undefined;
  }

  override get instructions(): string {
    return wholePrompt(this.options.engine.view());
  }

  override get toolCtx(): llm.ToolContext {
    const { engine, tools } = this.options;
    return tools.toolsFor(engine.view().functions);
  }

  /** Attaches to a session; the returned function detaches. */
  attach(session: voice.AgentSession): () => void {
    const { engine, onClose } = this.options;
    this.attached = session;
    this.speeches.attach(session);
    const stopListening = listenTo(session, {
      onCallerMessage: (message) => this.onCallerMessage(message),
      onOwnMessage: (message) => {
        this.speeches.heard(message);
        this.onOwnMessage?.(message);
        this.options.onSpeech(message.textContent ?? '', message.interrupted);
      },
      onSpeech: (handle) => this.speeches.watch(handle),
      onError: (event) => this.onModelError(event),
      onLanguage: (tag) => engine.language.recognise(tag),
      onClose,
      outputOf: (callId) => engine.calls.outputOf(callId),
    });
    const stopTimes = noteSpeechTimes(session, engine.tracer, this.options.clock);
    return () => {
      stopListening();
      stopTimes();
      this.speeches.detach();
      this.performer.stop();
      this.attached = null;
    };
  }

  /** Whether the model itself detects turns and stops on interruption. */
  get #modelTakesTurns(): boolean {
    return this.llm instanceof llm.RealtimeModel && this.llm.capabilities.turnDetection;
  }

  /** Says the farewell and leaves, because the store has failed. */
  lose(error: unknown): void {
    this.loss.lose(error);
  }

  /** Whether the store has failed, so that the last steps may not be stored. */
  get isLost(): boolean {
    return this.loss.isLost;
  }

  /** Makes the session say what the flow has to say, unless it is speaking. */
  speakUp(): void {
    this.speeches.speakUp();
  }

  /** Stops prompting a silent caller until their next turn, or until the flow speaks. */
  holdNoInput(): void {
    this.speeches.holdNoInput();
  }

  /** The caller presses the first key of a turn. */
  beginKeys(): void {
    this.speeches.beginKeys();
  }

  /** Returns the lines that were still playing when the caller pressed the first key of this turn. */
  spokenOverByKeys(): readonly HeardLine[] | undefined {
    return this.speeches.spokenOver('keys');
  }

  /** The keys of this turn are given up. */
  forgetKeys(): void {
    this.speeches.forgetKeys();
  }

  /** Drops what the caller has said into an entry of keys. */
  dropSpokenWords(): void {
    this.speeches.dropSpokenWords();
  }

  /** Stops the current speech, also a protected one by `force`, and waits until its heard part is known. */
  hush(force = false): Promise<void> {
    return this.speeches.hush(force);
  }

  /** Performs effects that need no listener, for a session without a caller. Lines and questions stay open, with everything after them. */
  async performSilently(): Promise<void> {
    const { engine } = this.options;
    const performer = createPerformer(engine, createAgentHost(this.options, this.shown));
    /** Speech does not block other effects: its text stays in the state for the next listener. */
    const passOverSpeech = (): true => {
      for (let next = engine.outbox.peek(); next !== undefined && needsListener(next); next = engine.outbox.peek())
        engine.outbox.take();
      return true;
    };
    // A slow generator would say so.
    const wish = { model: silentModel, isWanted: passOverSpeech, isOvertaken: () => false };
    await performer.perform(wish, () => Promise.resolve(false));
    if (!Object.values(engine.state.effects).some(isHeard)) await performer.performAfterSpeech();
  }

  /** Whether the caller is silent and no work is running that an outside event must wait for. */
  get isFree(): boolean {
    return this.isStill && this.attached?.userState !== 'speaking';
  }

  /** Whether no function runs and no words of the caller are being taken. */
  get isStill(): boolean {
    const { engine } = this.options;
    return engine.calls.underWay() === null && !engine.isReceiving;
  }

  /** Finishes the current speech within `withinMs` milliseconds, then interrupts it. */
  async fallSilent(withinMs: number): Promise<void> {
    await timeLimit(this.speeches.idle(), this.options.clock, withinMs);
    await this.speeches.hush();
  }

  /** Adds to the history what a person said to the caller instead of the agent. */
  noteSaid(text: string): void {
    const createdAt = Math.max(this.options.clock.now(), this._chatCtx.items.at(-1)?.createdAt ?? 0);
    this._chatCtx.insert(llm.ChatMessage.create({ role: 'assistant', content: text, createdAt }));
  }

  /** Resolves when the agent is silent and the flow has nothing to say, or waits to continue after an interruption. */
  idle(): Promise<void> {
    return this.speeches.idle();
  }

  /** Like `idle`, and interrupted speech has been resumed. */
  async idleAfterResuming(): Promise<void> {
    for (let waited: Promise<void> | null = null; waited !== this.speeches.whenResumed();) {
      waited = this.speeches.whenResumed();
      await this.speeches.idle();
      await waited;
      await this.speeches.idle();
    }
  }

  override async onEnter(): Promise<void> {
    guardReplySignal(this);
    this.#enter();
  }

  override ttsNode(
    text: ReadableStream<string>,
    settings: voice.ModelSettings,
  ): Promise<ReadableStream<AudioFrame> | null> {
    const speak = unlessShown(this.options.responses, (words) => voice.Agent.default.ttsNode(this, words, settings));
    return Promise.resolve(this.troubles.speak(text, speak, this.speeches.voicings()(), this.mayBeHeard()));
  }
}

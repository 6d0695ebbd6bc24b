import { llm, voice } from '@livekit/agents';
import type { AudioFrame } from '@livekit/rtc-node';
import type { ReadableStream } from 'node:stream/web';
import type { HeardLine } from '../../events/signal.ts';
import { wholePrompt } from '../../kernel/view.ts';
import type { Inbound, OfEntry } from '../../turn/engine/engine.ts';
import { silentModel } from '../model/silent-model.ts';
import { isHeard } from '../../kernel/news.ts';
import { needsListener } from '../../turn/engine/outbox.ts';
import { timeLimit } from '../../turn/engine/time-limit.ts';
import { createPerformer, type Performer } from '../../turn/engine/perform.ts';
import { createShownContext, type ShownContext } from '../context/shown-context.ts';
import { guardReplySignal } from '../guards/reply-signal.ts';
import { listenTo } from '../speech/listen-to.ts';
import { noteSpeechTimes } from '../speech/speech-times.ts';
import { unlessShown } from '../speech/shown-lines.ts';
import type { Speeches } from '../speech/speeches.ts';
import { createVoiceTroubles, type VoiceTroubles } from '../speech/voice-troubles.ts';
import { createAgentHost, createAgentSpeeches } from './agent-host.ts';
import type { FlowAgentOptions } from './flow-agent-options.ts';
import { createStoreLoss, type StoreLoss } from './store-loss.ts';

/**
 * The one agent of a conversation, whatever kind of model it speaks with. Its node is a view: what LiveKit reads as
 * instructions and tools is that of the node the flow is in. Nothing is handed off, updated or patched.
 */
export abstract class SpeakingAgent extends voice.Agent {
  protected readonly options: FlowAgentOptions;
  protected readonly shown: ShownContext;
  protected readonly performer: Performer;
  protected readonly speeches: Speeches;
  protected readonly loss: StoreLoss;
  protected readonly troubles: VoiceTroubles;
  /** The session that the agent listens to. */
  protected attached: voice.AgentSession | null = null;
  #enter: () => void = () => undefined;
  /** Resolves once LiveKit lets this agent speak. */
  readonly entered: Promise<void> = new Promise((resolve) => (this.#enter = resolve));

  constructor(options: FlowAgentOptions, model: { readonly llm?: llm.RealtimeModel } = {}) {
    super({ id: 'flow', instructions: wholePrompt(options.engine.view()), chatCtx: options.history, ...model });
    // LiveKit leaves calls of functions out that the agent does not hold yet.
    this._chatCtx.items = [...options.history.items];
    this.options = options;
    const { engine, clock, lines } = options;
    this.shown = createShownContext({
      items: () => this.said(),
      outputOf: (callId) => engine.outputOf(callId),
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
    this.troubles = createVoiceTroubles({
      clock,
      lines,
      session,
      onTrouble: (reason, stage) => options.onModelTrouble(reason, stage),
      onUnclear: () => this.speeches.noteUnclear(),
      onEnd: (reason) => options.onEnd(reason),
    });
  }

  /** Whether a caller's turn of this id has come before; of those that an earlier process took, the last one is known. */
  hasTaken(eventId: string): boolean {
    return this.hasHeard(eventId) || this.options.engine.state.lastFlowEventId === eventId;
  }

  /** Whether a caller's turn of this id has come to this agent. */
  protected abstract hasHeard(eventId: string): boolean;
  /** Takes a caller's turn once, whichever way it came; `entry` is the one of the inbox that it consumes. */
  abstract take(inbound: Inbound, entry?: OfEntry): Promise<'taken' | 'duplicate' | 'over'>;
  /** A message of the caller became part of the history. */
  protected abstract onCallerMessage(message: llm.ChatMessage): void;
  /** A message of the agent became part of the history, and it is known what was heard of it. */
  protected onOwnMessage?(message: llm.ChatMessage): void;
  protected onModelError(event: voice.ErrorEvent): void {
    this.troubles.onError(event);
  }
  /** The store keeps the session no more: nothing of the model is wanted. */
  protected onLost?(): void;

  /** All that was said, in order. */
  protected said(): readonly llm.ChatItem[] {
    // The public getter wraps the list into a proxy, through which each reading takes many times as long.
    return this._chatCtx.items;
  }

  /** Says the last words of a conversation whose store keeps it no more. */
  protected sayFarewell(session: voice.AgentSession): voice.SpeechHandle {
    return session.say(this.options.lines.farewell, { allowInterruptions: false });
  }

  /** For the speech that is generated where this is called: resolves once its sound may be heard, and tells whether. */
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

  /** Listens to a session; undone by the returned function. */
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
      onLanguage: (tag) => engine.recognise(tag),
      onClose,
      outputOf: (callId) => engine.outputOf(callId),
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

  /** Whether the model itself hears where the caller begins and ends, and stops by itself. */
  get #modelTakesTurns(): boolean {
    return this.llm instanceof llm.RealtimeModel && this.llm.capabilities.turnDetection;
  }

  /** The store keeps the conversation no more: says the farewell, and leaves it. */
  lose(error: unknown): void {
    this.loss.lose(error);
  }

  /** Whether the store of the conversation has failed: the last steps may not be kept. */
  get isLost(): boolean {
    return this.loss.isLost;
  }

  /** Lets the session speak what the flow has to say, if nobody is speaking. */
  speakUp(): void {
    this.speeches.speakUp();
  }

  /** Stops asking into the caller's silence until their next turn, or until the flow speaks up. */
  holdNoInput(): void {
    this.speeches.holdNoInput();
  }

  /** The caller presses the first key of a turn. */
  beginKeys(): void {
    this.speeches.beginKeys();
  }

  /** The lines that had not ended when the caller pressed the first key of the turn that is taken now. */
  spokenOverByKeys(): readonly HeardLine[] | undefined {
    return this.speeches.spokenOver('keys');
  }

  /** Stops what is being said, and waits until it is known what was heard of it. */
  hush(): Promise<void> {
    return this.speeches.hush();
  }

  /**
   * Performs what needs no listener. What is to be said or asked stays open, and so does what is to come after it. For a session
   * that nobody listens to.
   */
  async performSilently(): Promise<void> {
    const { engine } = this.options;
    const performer = createPerformer(engine, createAgentHost(this.options, this.shown));
    /** Speech keeps nothing back: whoever listens next is told of it by the state. */
    const passOverSpeech = (): true => {
      for (let next = engine.outbox.peek(); next !== undefined && needsListener(next); next = engine.outbox.peek())
        engine.outbox.take();
      return true;
    };
    // A generator that takes its time would say so.
    const wish = { model: silentModel, isWanted: passOverSpeech, isOvertaken: () => false };
    await performer.perform(wish, () => Promise.resolve(false));
    if (!Object.values(engine.state.effects).some(isHeard)) await performer.performAfterSpeech();
  }

  /** Whether nobody speaks, and nothing is under way that what comes from outside must wait for. */
  get isFree(): boolean {
    return this.isStill && this.attached?.userState !== 'speaking';
  }

  /** Whether no function is at work, and no words of the caller are on their way. */
  get isStill(): boolean {
    const { engine } = this.options;
    return engine.callsUnderWay() === null && !engine.isReceiving;
  }

  /** Finishes what is being said, for so long at most, in milliseconds, and then breaks it off. */
  async fallSilent(withinMs: number): Promise<void> {
    await timeLimit(this.speeches.idle(), this.options.clock, withinMs);
    await this.speeches.hush();
  }

  /** Adds to the history what somebody else has said to the caller in the agent's place. */
  noteSaid(text: string): void {
    const createdAt = Math.max(this.options.clock.now(), this._chatCtx.items.at(-1)?.createdAt ?? 0);
    this._chatCtx.insert(llm.ChatMessage.create({ role: 'assistant', content: text, createdAt }));
  }

  /** Resolves when nobody speaks and the flow has nothing to say, or waits to go on after an interruption. */
  idle(): Promise<void> {
    return this.speeches.idle();
  }

  /** The same, and what was cut off has been gone on with. */
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

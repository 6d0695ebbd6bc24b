import { type llm, voice } from '@livekit/agents';
import type { AudioFrame } from '@livekit/rtc-node';
import { ReadableStream } from 'node:stream/web';
import { FlowError } from '../errors.ts';
import type { View } from '../kernel/view.ts';
import type { Clock } from '../ports/time.ts';
import type { Engine, Inbound } from '../turn/engine.ts';
import type { ChunkContent } from '../turn/inference.ts';
import { type EffectOf, performAfterSpeech, performTurn, type TurnHost } from '../turn/perform.ts';
import type { Spoken } from '../turn/reply.ts';
import { timeLimit } from '../turn/time-limit.ts';
import { type Chunk, createModelAsker, kindOf, type ReplyRequest } from './ask-model.ts';
import { createCallerTurns } from './caller-turns.ts';
import { type ChatCut, chatView } from './chat-view.ts';
import { readAhead } from './read-ahead.ts';
import { replyStream } from './reply-stream.ts';
import { createSpeeches, type Speeches } from './speeches.ts';
import { spokenAudio } from './spoken-audio.ts';
import { mayThinkAhead } from './think-ahead.ts';
import type { ViewTools } from './view-tools.ts';

export interface FlowAgentOptions {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly tools: ViewTools;
  /** What was said before the flow took the session over. */
  readonly history: llm.ChatContext;
  act(effect: EffectOf<'action'>): Promise<boolean>;
  runTask: TurnHost<Chunk>['runTask'];
  summarise(effect: EffectOf<'context'>, context: llm.ChatContext): Promise<string | null>;
  /** The flow has ended, and what it said last was heard. */
  onEnd(reason: string): void;
  /** LiveKit closed the session: the caller hung up, or a model failed for good. */
  readonly onClose: () => void;
  /** What was heard of one thing the agent said, and whether the caller cut it off. */
  onSpeech(heard: string, interrupted: boolean): void;
  /** Something in a turn failed that no rule of the flow covers. */
  onError(error: unknown): void;
  /** The store keeps this session no more; the caller knows, if they could be told. */
  onStoreLost(reason: string): void;
  /** A model failed, that of the language, the voice or the ears: the kind of error and its status. */
  onModelTrouble(reason: string, stage?: 'model' | 'tts' | 'stt'): void;
}

/** What the caller hears where the conversation cannot be kept any more. */
const farewell = 'I am sorry, something went wrong here. I have to end this conversation.';

/** How long that line may take, in milliseconds. */
const leaveWithinMs = 8_000;

/** What the model was asked before the caller's turn was complete, under the view of one visit. */
interface ThoughtAhead {
  readonly visit: number;
  readonly chunks: AsyncIterableIterator<Chunk>;
}

/**
 * The one agent of a conversation. Its node is a view: what LiveKit reads as instructions, tools and chat context is
 * that of the node the flow is in, and every reply that LiveKit asks for is whatever the flow has to say next. Nothing
 * is handed off, updated or patched.
 */
export class FlowAgent extends voice.Agent {
  readonly #options: FlowAgentOptions;
  readonly #host: Omit<TurnHost<Chunk>, 'infer'>;
  readonly #turns;
  readonly #model = createModelAsker(this, (reason) => this.#options.onModelTrouble(reason));
  readonly #speeches: Speeches;
  #performance = 0;
  #voiceErrors = 0;
  #silentLines = 0;
  #isLettingGo = false;
  #isLost = false;
  #saysFarewell = false;
  #cut: ChatCut | null = null;
  #attached: voice.AgentSession | null = null;
  #enter: () => void = () => undefined;
  /** Resolves once LiveKit lets this agent speak. */
  readonly entered: Promise<void> = new Promise((resolve) => (this.#enter = resolve));

  constructor(options: FlowAgentOptions) {
    super({ id: 'flow', instructions: options.engine.view.instructions, chatCtx: options.history });
    // LiveKit leaves calls of functions out that the agent does not hold yet.
    this._chatCtx.items = [...options.history.items];
    this.#options = options;
    const { engine, clock } = options;
    this.#turns = createCallerTurns((inbound) => engine.receive(inbound));
    this.#host = {
      clock,
      read: readChunk,
      act: (effect) => options.act(effect),
      changeContext: (effect) => this.#changeContext(effect),
      runTask: (effect) => options.runTask(effect),
      end: (effect) => options.onEnd(effect.payload.reason),
    };
    const afterSpeech = (): Promise<void> =>
      performAfterSpeech(engine, this.#host).catch((error: unknown) => options.onError(error));
    this.#speeches = createSpeeches({ engine, clock, afterSpeech });
  }

  override get instructions(): string {
    return this.#options.engine.view.instructions;
  }

  override get toolCtx(): llm.ToolContext {
    const { engine, tools } = this.#options;
    return tools.toolsFor(engine.view.functions);
  }

  override get chatCtx(): voice.Agent['chatCtx'] {
    // A fresh copy: the class of read-only contexts is not exported, and changing a copy changes nothing.
    return this.#view(this.#options.engine.view);
  }

  /** Listens to a session; undone by the returned function. */
  attach(session: voice.AgentSession): () => void {
    const types = voice.AgentSessionEventTypes;
    this.#attached = session;
    this.#speeches.attach(session);
    // A chain of moves is bounded by the flow; LiveKit's own bound would cut it at three.
    session.sessionOptions.maxToolSteps = Number.MAX_SAFE_INTEGER;
    const onItem = (event: voice.ConversationItemAddedEvent): void => {
      if (event.item.type !== 'message') return;
      if (event.item.role === 'user') this.#turns.add(event.item);
      else if (event.item.role === 'assistant') this.#onOwnMessage(event.item);
    };
    const onTools = (event: voice.FunctionToolsExecutedEvent): void => this.#fillOutputs(event);
    const onSpeech = (event: voice.SpeechCreatedEvent): void => this.#speeches.watch(event.speechHandle);
    // Without a listener, an error event of LiveKit's session is an exception in whoever emits it.
    const onError = (event: voice.ErrorEvent): void => this.#onSessionError(event);
    session.on(types.ConversationItemAdded, onItem);
    session.on(types.FunctionToolsExecuted, onTools);
    session.on(types.SpeechCreated, onSpeech);
    session.on(types.Error, onError);
    session.on(types.Close, this.#options.onClose);
    return () => {
      session.off(types.ConversationItemAdded, onItem);
      session.off(types.FunctionToolsExecuted, onTools);
      session.off(types.SpeechCreated, onSpeech);
      session.off(types.Error, onError);
      session.off(types.Close, this.#options.onClose);
      this.#speeches.detach();
      this.#performance += 1;
      this.#attached = null;
    };
  }

  /** Whether a caller's turn of this id has come before. */
  hasTaken(eventId: string): boolean {
    return this.#turns.has(eventId);
  }

  /** Takes a caller's turn once, whichever way it came. */
  async take(inbound: Inbound): Promise<'taken' | 'duplicate' | 'over'> {
    this.#speeches.cancelResume();
    try {
      return await this.#turns.take(inbound);
    } catch (error) {
      this.#lose(error);
      return 'over';
    }
  }

  /** Lets the session speak what the flow has to say, if nobody is speaking. */
  speakUp(): void {
    this.#speeches.speakUp();
  }

  /** Stops what is being said, and waits until it is known what was heard of it. */
  async hush(): Promise<void> {
    await this.#speeches.hush();
  }

  /** Resolves when nobody speaks and the flow has nothing to say. */
  async idle(): Promise<void> {
    await this.#speeches.idle();
  }

  override async onEnter(): Promise<void> {
    this.#enter();
  }

  override async onUserTurnCompleted(_context: llm.ChatContext, message: llm.ChatMessage): Promise<void> {
    this.#speeches.cancelResume();
    await this.#speeches.whenCutOffIsKnown();
    try {
      await this.#turns.takeSpoken(message);
    } catch (error) {
      this.#lose(error);
    }
  }

  override llmNode(
    context: llm.ChatContext,
    tools: llm.ToolContext,
    settings: voice.ModelSettings,
  ): Promise<ReadableStream<Chunk>> {
    const abort = new AbortController();
    const request: ReplyRequest = { context, tools, settings, cancelled: abort.signal };
    const begin = this.#speeches.generation();
    const stream = replyStream({
      begin: () => this.#perform(request),
      utterance: begin,
      mayBeHeard: () => this.#hasAudio || this.#options.engine.isCommitted || this.#isCommitted(),
      onError: (error) => this.#options.onError(error),
      onCancel: () => abort.abort(),
    });
    return Promise.resolve(stream);
  }

  /** Nothing is heard before the step that intends it is durable. */
  override async ttsNode(
    text: ReadableStream<string>,
    settings: voice.ModelSettings,
  ): Promise<ReadableStream<AudioFrame> | null> {
    const audio = spokenAudio({
      clock: this.#options.clock,
      text,
      synthesise: (words) => voice.Agent.default.ttsNode(this, words, settings),
      errors: () => this.#voiceErrors,
      onTrouble: (reason) => this.#options.onModelTrouble(reason, 'tts'),
      onOutcome: (wasSpoken) => this.#onVoice(wasSpoken),
    });
    let committed = false;
    const unlessCutOff = this.#speeches.unlessCutOff();
    return new ReadableStream<AudioFrame>(
      {
        pull: async (controller) => {
          const next = await audio.next();
          committed ||= this.#saysFarewell || (await unlessCutOff(this.#isCommitted())) === true;
          if (next.done === true || !committed) controller.close();
          else controller.enqueue(next.value);
        },
        // Not awaited: it ends when what it waits for has ended.
        cancel: () => void audio.return(undefined),
      },
      { highWaterMark: 0 },
    );
  }

  /** Errors of voice and ears are dealt with here; LiveKit would close the session in the middle of a word. */
  #onSessionError(event: voice.ErrorEvent): void {
    const { error } = event;
    if (error.type === 'llm_error') this.#model.onError(event);
    else if (error.type === 'tts_error') {
      this.#voiceErrors += 1;
      error.recoverable = true;
      this.#options.onModelTrouble(kindOf(error.error), 'tts');
    } else if (error.type === 'stt_error' && !error.recoverable) {
      error.recoverable = true;
      this.#options.onModelTrouble(kindOf(error.error), 'stt');
      void this.#letGo('stt-failed', deafLine);
    }
  }

  /** A line without sound may be bad luck; after two in a row the caller is not kept in silence. */
  #onVoice(wasSpoken: boolean): void {
    this.#silentLines = wasSpoken ? 0 : this.#silentLines + 1;
    if (this.#silentLines === 2) void this.#letGo('tts-failed', null);
  }

  async #letGo(reason: string, line: string | null): Promise<void> {
    if (this.#isLettingGo) return;
    this.#isLettingGo = true;
    try {
      if (line !== null) await this.#attached?.say(line, { allowInterruptions: false }).waitForPlayout();
    } catch {
      // The session is closing already.
    }
    this.#options.onEnd(reason);
  }

  /** What the flow has to say, under the view that it has once the caller's turn is taken. */
  async #perform(request: ReplyRequest): Promise<AsyncGenerator<Spoken<Chunk>> | null> {
    const { engine } = this.#options;
    const { cancelled } = request;
    let early = await this.#whenTurnIsTaken(request);
    if (cancelled.aborted || this.#isLost) return null;
    const mine = (this.#performance += 1);
    const infer = (view: View): AsyncIterableIterator<Chunk> => {
      const thought = early;
      early = null;
      if (thought?.visit === view.visit) return thought.chunks;
      void thought?.chunks.return?.();
      return this.#ask(request, view);
    };
    return performTurn(engine, { ...this.#host, infer }, () => mine === this.#performance && !cancelled.aborted);
  }

  /** Waits until all steps so far are durable. Where the store has failed, the conversation stops where it was kept. */
  async #isCommitted(): Promise<boolean> {
    try {
      await this.#options.engine.committed();
      return true;
    } catch (error) {
      this.#lose(error);
      return false;
    }
  }

  /** Nothing of this session is kept any more: what is being said stops, and the conversation ends. */
  #lose(error: unknown): void {
    if (this.#isLost) return;
    this.#isLost = true;
    const lost =
      error instanceof FlowError ? error : new FlowError('store-failed', 'the store did not answer.', { cause: error });
    const reason = lost.code;
    this.#options.onError(lost);
    this.#speeches.detach();
    void this.#takeLeave(reason)
      .catch(() => undefined) // Whom it could not be said to hears the call end.
      .then(() => this.#options.onStoreLost(reason));
  }

  /** The one line that needs no store. Where another process has taken the session over, the word is that one's. */
  async #takeLeave(reason: string): Promise<void> {
    const session = this.#attached;
    if (session === null) return;
    await timeLimit(session.interrupt({ force: true }).await, this.#options.clock, leaveWithinMs);
    if (reason === 'lease-lost') return;
    this.#saysFarewell = true;
    const said = session.say(farewell, { allowInterruptions: false }).waitForPlayout();
    await timeLimit(said, this.#options.clock, leaveWithinMs);
  }

  /**
   * Waits until the caller's message that this reply is for has become a turn of the flow. LiveKit may ask for a reply
   * before the caller's turn is complete: then the model may think ahead, if it is sure to be asked, and nothing else
   * happens.
   */
  async #whenTurnIsTaken(request: ReplyRequest): Promise<ThoughtAhead | null> {
    const { engine, clock } = this.#options;
    const { items } = request.context;
    const message = items.findLast((item): item is llm.ChatMessage => item.type === 'message' && item.role === 'user');
    if (message === undefined) return null;
    if (message !== items.at(-1)) {
      if (this.#turns.has(message.id)) await this.#turns.whenTaken(message, request.cancelled);
      return null;
    }
    let early: ThoughtAhead | null = null;
    if (!this.#turns.has(message.id)) {
      if (!this.#mayBeEarly) this.#turns.add(message);
      // What was heard of a speech that is being cut off is not in the context yet.
      else if (!this.#speeches.isCuttingOff && mayThinkAhead(engine, message, clock.now())) {
        const { view } = engine;
        early = { visit: view.visit, chunks: readAhead(this.#ask(request, view)) };
      }
    }
    await this.#turns.whenTaken(message, request.cancelled);
    return early;
  }

  #onOwnMessage(message: llm.ChatMessage): void {
    this.#speeches.heard(message);
    this.#options.onSpeech(message.textContent ?? '', message.interrupted);
  }

  #ask({ context, tools, settings, cancelled }: ReplyRequest, view: View): AsyncIterableIterator<Chunk> {
    const shown = this.#view(view);
    // The message of this very turn becomes part of the history only when its reply is scheduled.
    const said = context.items.findLast((item) => item.type === 'message' && item.role === 'user');
    if (said !== undefined && !this.#items.some(({ id }) => id === said.id)) shown.items.push(said);
    // The same object decides which tools are executed afterwards.
    tools.updateTools([...this.session.tools, ...this.#options.tools.toolsFor(view.functions).tools]);
    return this.#model.ask(shown, tools, settings, cancelled);
  }

  /** Everything that was said, whatever is shown of it. */
  get #items(): readonly llm.ChatItem[] {
    // The public getter wraps the list into a proxy, through which each reading takes many times as long.
    return this._chatCtx.items;
  }

  #view(view: View): llm.ChatContext {
    return chatView(this.#items, view, this.#cut, (callId) => this.#options.engine.outputOf(callId));
  }

  async #changeContext(effect: EffectOf<'context'>): Promise<string | null> {
    const items = this.#items;
    const last = items.at(-1);
    // What the caller has said and nobody has answered yet belongs to the new node.
    const afterItem = (last?.type === 'message' && last.role === 'user' ? items.at(-2) : last)?.id ?? null;
    if (effect.payload.strategy === 'reset') {
      this.#cut = { afterItem, summary: null };
      return null;
    }
    const summary = await this.#options.summarise(effect, this.#view(this.#options.engine.view));
    if (summary !== null) this.#cut = { afterItem, summary };
    return summary;
  }

  /** A tool that returned nothing, because nothing is said after it, has a result all the same. */
  #fillOutputs(event: voice.FunctionToolsExecutedEvent): void {
    for (const [index, call] of event.functionCalls.entries()) {
      const known = this.#options.engine.outputOf(call.callId);
      const output = event.functionCallOutputs[index];
      if (known !== undefined && output !== undefined) output.output = known.output;
    }
  }

  get #hasAudio(): boolean {
    const output = this.#attached?.output;
    return output !== undefined && output.audio !== null && output.audioEnabled;
  }

  get #mayBeEarly(): boolean {
    return this.#attached?.sessionOptions.turnHandling.preemptiveGeneration.enabled === true;
  }
}

/** Said before a call is ended in which the caller cannot be heard. */
const deafLine = 'I am sorry, I cannot hear you. Please call again later.';

function readChunk(chunk: Chunk): ChunkContent {
  if (typeof chunk === 'string') return { text: chunk, calls: [] };
  if (typeof chunk === 'symbol') return { text: '', calls: [] };
  const calls = (chunk.delta?.toolCalls ?? []).map(({ callId, name, args }) => ({ callId, name, rawArguments: args }));
  return { text: chunk.delta?.content ?? '', calls };
}

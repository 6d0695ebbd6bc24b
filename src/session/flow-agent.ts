import { FlushSentinel, llm, voice } from '@livekit/agents';
import type { AudioFrame } from '@livekit/rtc-node';
import { ReadableStream } from 'node:stream/web';
import { FlowError } from '../errors.ts';
import { nodeOf } from '../kernel/offers.ts';
import { step } from '../kernel/step.ts';
import type { View } from '../kernel/view.ts';
import type { Clock } from '../ports/time.ts';
import type { Engine, Inbound } from '../turn/engine.ts';
import type { ChunkContent } from '../turn/inference.ts';
import { type EffectOf, performAfterSpeech, performTurn, type Spoken, type TurnHost } from '../turn/perform.ts';
import { timeLimit } from '../turn/time-limit.ts';
import { type ChatCut, chatView } from './chat-view.ts';
import { readAhead } from './read-ahead.ts';
import { createSpeechLog } from './speech-log.ts';
import type { ViewTools } from './view-tools.ts';

type Chunk = llm.ChatChunk | string | FlushSentinel;

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
  onClose(): void;
  /** What was heard of one thing the agent said, and whether the caller cut it off. */
  onSpeech(heard: string, interrupted: boolean): void;
  /** Something in a turn failed that no rule of the flow covers. */
  onError(error: unknown): void;
}

/** How long after an interruption without words the flow goes on by itself, in milliseconds. */
const resumeAfterMs = 1_500;

/** How long a turn waits to learn what was heard of a question that it cut off, in milliseconds. */
const heardWithinMs = 300;

/**
 * The one agent of a conversation. Its node is a view: what LiveKit reads as instructions, tools and chat context is
 * that of the node the flow is in, and every reply that LiveKit asks for is whatever the flow has to say next. Nothing
 * is handed off, updated or patched.
 */
export class FlowAgent extends voice.Agent {
  readonly #options: FlowAgentOptions;
  readonly #speech;
  readonly #host: TurnHost<Chunk>;
  /** Caller's messages that the flow has taken, by message id. */
  readonly #taken = new Map<string, Promise<void>>();
  /** Waits for messages that LiveKit shows before the caller's turn is complete. */
  readonly #awaited = new Map<string, () => void>();
  readonly #active = new Set<voice.SpeechHandle>();
  #spokenTurn: Promise<void> | null = null;
  #settling: Promise<void> = Promise.resolve();
  #performance = 0;
  #cut: ChatCut | null = null;
  #inference: { context: llm.ChatContext; tools: llm.ToolContext; settings: voice.ModelSettings } | null = null;
  #speculation: { visit: number; chunks: AsyncIterable<Chunk>; abort: AbortController } | null = null;
  #modelFailed = false;
  #cancelResume: () => void = () => undefined;
  #attached: voice.AgentSession | null = null;
  #enter: () => void = () => undefined;
  /** Resolves once LiveKit lets this agent speak. */
  readonly entered: Promise<void> = new Promise((resolve) => (this.#enter = resolve));

  constructor(options: FlowAgentOptions) {
    super({ id: 'flow', instructions: options.engine.view.instructions, chatCtx: options.history });
    this.#options = options;
    const { engine, clock } = options;
    this.#speech = createSpeechLog((settled) =>
      engine.dispatch({ type: 'speech:settled', at: clock.now(), ...settled }),
    );
    this.#host = {
      clock,
      infer: (view, signal) => this.#infer(view, signal),
      read: readChunk,
      act: (effect) => options.act(effect),
      changeContext: (effect) => this.#changeContext(effect),
      runTask: (effect) => options.runTask(effect),
      end: (effect) => options.onEnd(effect.payload.reason),
    };
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
    return this.#view(this.#options.engine.view) as voice.Agent['chatCtx'];
  }

  /** Listens to a session; undone by the returned function. */
  attach(session: voice.AgentSession): () => void {
    const types = voice.AgentSessionEventTypes;
    this.#attached = session;
    // A chain of moves is bounded by the flow; LiveKit's own bound would cut it at three.
    session.sessionOptions.maxToolSteps = Number.MAX_SAFE_INTEGER;
    const onItem = (event: voice.ConversationItemAddedEvent): void => {
      if (event.item.type !== 'message') return;
      if (event.item.role === 'user') this.#onUserMessage(event.item);
      else if (event.item.role === 'assistant') this.#onOwnMessage(event.item);
    };
    const onTools = (event: voice.FunctionToolsExecutedEvent): void => this.#fillOutputs(event);
    const onSpeech = (event: voice.SpeechCreatedEvent): void => this.#watch(event.speechHandle);
    // Without a listener, an error event of LiveKit's session is an exception in whoever emits it.
    const onError = (event: voice.ErrorEvent): void => this.#onModelError(event);
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
      this.#cancelResume();
      this.#performance += 1;
      this.#attached = null;
    };
  }

  /** Whether a caller's turn of this id has come before. */
  hasTaken(eventId: string): boolean {
    return this.#taken.has(eventId);
  }

  /** Takes a caller's turn once, whichever way it came. */
  async take(inbound: Inbound): Promise<'taken' | 'duplicate' | 'over'> {
    this.#cancelResume();
    const { engine } = this.#options;
    let outcome: 'taken' | 'duplicate' | 'over' = 'over';
    const taking = engine.receive(inbound).then((result) => void (outcome = result));
    this.#taken.set(inbound.eventId, taking);
    await taking;
    return outcome;
  }

  /** Lets the session speak what the flow has to say, if nobody is speaking. */
  speakUp(): voice.SpeechHandle | null {
    const session = this.#attached;
    if (session === null || this.#active.size > 0 || !this.#options.engine.outbox.speaks) return null;
    return session.generateReply({ toolChoice: 'auto' });
  }

  /** Stops what is being said, and waits until it is known what was heard of it. */
  async hush(): Promise<void> {
    if (this.#attached === null || this.#active.size === 0) return;
    await this.#attached.interrupt().await;
    await this.#settling;
  }

  /** Resolves when nobody speaks and the flow has nothing to say. */
  async idle(): Promise<void> {
    for (;;) {
      const speaking = [...this.#active];
      await Promise.all(speaking.map((handle) => handle.waitForPlayout().catch(() => undefined)));
      await this.#settling;
      if (this.#active.size === 0) return;
    }
  }

  override async onEnter(): Promise<void> {
    this.#enter();
  }

  override async onUserTurnCompleted(_context: llm.ChatContext, message: llm.ChatMessage): Promise<void> {
    const { engine, clock } = this.#options;
    const asked = Object.values(engine.state.effects).some((effect) => effect.kind === 'wait');
    if (asked) await this.#learnWhatWasHeard(clock);
    const turn = this.take({ eventId: message.id, text: message.textContent ?? '', via: 'speech' });
    this.#spokenTurn = turn.then(() => undefined);
    await turn;
  }

  override llmNode(
    context: llm.ChatContext,
    tools: llm.ToolContext,
    settings: voice.ModelSettings,
  ): Promise<ReadableStream<Chunk>> {
    let given: AsyncGenerator<Chunk> | null = null;
    const cancelled = new AbortController();
    const speak = (): AsyncGenerator<Chunk> => (given ??= this.#speak(context, tools, settings, cancelled.signal));
    return Promise.resolve(
      new ReadableStream<Chunk>(
        {
          pull: async (controller) => {
            const next = await speak().next();
            if (next.done === true) controller.close();
            else controller.enqueue(next.value);
          },
          cancel: () => {
            cancelled.abort();
            // Not awaited: it ends when what it waits for has ended.
            void given?.return(undefined);
          },
        },
        { highWaterMark: 0 },
      ),
    );
  }

  /** Nothing is heard before the step that intends it is durable. */
  override async ttsNode(
    text: ReadableStream<string>,
    settings: voice.ModelSettings,
  ): Promise<ReadableStream<AudioFrame> | null> {
    const audio = await voice.Agent.default.ttsNode(this, text, settings);
    if (audio === null) return null;
    const reader = audio.getReader();
    let committed = false;
    return new ReadableStream<AudioFrame>(
      {
        pull: async (controller) => {
          const next = await reader.read();
          if (!committed) await this.#options.engine.committed();
          committed = true;
          if (next.done) controller.close();
          else controller.enqueue(next.value);
        },
        cancel: (reason) => reader.cancel(reason),
      },
      { highWaterMark: 0 },
    );
  }

  async *#speak(
    context: llm.ChatContext,
    tools: llm.ToolContext,
    settings: voice.ModelSettings,
    cancelled: AbortSignal,
  ): AsyncGenerator<Chunk> {
    const { engine } = this.#options;
    if (!(await this.#turnIsTaken(context, tools, settings, cancelled))) return;
    this.#inference = { context, tools, settings };
    const mine = (this.#performance += 1);
    const isCurrent = (): boolean => mine === this.#performance && !cancelled.aborted;
    const utterance = this.#speech.begin();
    let last: Spoken<Chunk> | null = null;
    try {
      for await (const spoken of performTurn(engine, this.#host, isCurrent)) {
        if (!this.#hasAudio) await engine.committed();
        // Each line is synthesised and heard by itself, without waiting for what follows it.
        if (last !== null && (last.key !== spoken.key || last.type === 'line' || spoken.type === 'line')) {
          yield ' ';
          yield FlushSentinel;
        }
        last = spoken;
        utterance.add(spoken.key, spoken.text);
        if (spoken.type === 'chunk') yield spoken.chunk;
        // Word by word, so that what was heard of a line ends where it was cut.
        else for (const word of spoken.text.match(/\S+\s*/g) ?? []) yield word;
      }
    } catch (error) {
      this.#options.onError(error);
    }
  }

  /**
   * Waits until the caller's message that this reply is for has become a turn of the flow. LiveKit may ask for a reply
   * before the caller's turn is complete: then the model may think ahead, if it is sure to be asked, and nothing else
   * happens. False where the reply is given up.
   */
  async #turnIsTaken(
    context: llm.ChatContext,
    tools: llm.ToolContext,
    settings: voice.ModelSettings,
    cancelled: AbortSignal,
  ): Promise<boolean> {
    const message = context.items.findLast((item) => item.type === 'message' && item.role === 'user');
    const isNew = message !== undefined && message === context.items.at(-1) && message.type === 'message';
    if (isNew && !this.#taken.has(message.id)) {
      const authorised = new Promise<void>((resolve) => {
        this.#awaited.set(message.id, resolve);
        cancelled.addEventListener('abort', () => resolve(), { once: true });
      });
      if (this.#mayBeEarly) this.#thinkAhead(message, context, tools, settings);
      else this.#onUserMessage(message);
      await authorised;
    }
    if (message !== undefined) await this.#taken.get(message.id);
    if (cancelled.aborted) this.#dropSpeculation();
    return !cancelled.aborted;
  }

  #onModelError({ error }: voice.ErrorEvent): void {
    const isFinal =
      typeof error === 'object' && error !== null && 'recoverable' in error && error.recoverable === false;
    if (isFinal && 'type' in error && error.type === 'llm_error') this.#modelFailed = true;
  }

  #onOwnMessage({ textContent, interrupted }: llm.ChatMessage): void {
    const heard = textContent ?? '';
    this.#speech.heard(heard);
    this.#options.onSpeech(heard, interrupted);
  }

  #onUserMessage(message: llm.ChatMessage): void {
    if (!this.#taken.has(message.id)) {
      const spoken = this.#spokenTurn;
      if (spoken === null) void this.take({ eventId: message.id, text: message.textContent ?? '', via: 'text' });
      else this.#taken.set(message.id, spoken);
    }
    this.#spokenTurn = null;
    this.#awaited.get(message.id)?.();
    this.#awaited.delete(message.id);
  }

  /** Asks the model before the caller's turn is complete, where the turn will surely be answered by it. */
  #thinkAhead(
    message: llm.ChatMessage,
    context: llm.ChatContext,
    tools: llm.ToolContext,
    settings: voice.ModelSettings,
  ): void {
    const { engine, clock } = this.#options;
    if (engine.completion !== null && !engine.completion.isSettled) return;
    const text = message.textContent ?? '';
    const ahead = step(engine.graph, engine.state, {
      type: 'user:turn',
      at: clock.now(),
      eventId: message.id,
      text,
      via: 'speech',
    });
    const replies = ahead.effects.length === 1 && ahead.effects[0]?.kind === 'reply';
    if (!replies || nodeOf(engine.graph, engine.state, engine.state.node) === null) return;
    this.#inference = { context, tools, settings };
    const abort = new AbortController();
    const chunks = readAhead(this.#request(engine.view, abort.signal));
    this.#speculation = { visit: engine.state.visit, chunks, abort };
  }

  #infer(view: View, signal: AbortSignal): AsyncIterable<Chunk> {
    const early = this.#speculation;
    if (early === null || early.visit !== view.visit) {
      this.#dropSpeculation();
      return this.#request(view, signal);
    }
    this.#speculation = null;
    signal.addEventListener('abort', () => early.abort.abort(), { once: true });
    return early.chunks;
  }

  #dropSpeculation(): void {
    this.#speculation?.abort.abort();
    this.#speculation = null;
  }

  async *#request(view: View, signal: AbortSignal): AsyncGenerator<Chunk> {
    const asked = this.#inference;
    if (asked === null) return;
    const context = this.#view(view);
    const raw = new Set(super.chatCtx.items.map((item) => item.id));
    const shown = new Set(context.items.map((item) => item.id));
    // The message of this very turn becomes part of the history only when its reply is scheduled.
    for (const item of asked.context.items)
      if (item.type === 'message' && item.role === 'user' && !raw.has(item.id) && !shown.has(item.id))
        context.items.push(item);
    // The same object decides which tools are executed afterwards.
    asked.tools.updateTools([...this.session.tools, ...this.#options.tools.toolsFor(view.functions).tools]);
    this.#modelFailed = false;
    const stream = await voice.Agent.default.llmNode(this, context, asked.tools, asked.settings);
    if (stream === null) return;
    const reader = stream.getReader();
    signal.addEventListener('abort', () => void reader.cancel().catch(() => undefined), { once: true });
    try {
      for (;;) {
        const next = await reader.read();
        if (!next.done) yield next.value;
        // LiveKit ends the stream of a model that failed as if it had been complete.
        else if (this.#modelFailed) throw new FlowError('model-failed', 'the model did not finish its reply.');
        else return;
      }
    } finally {
      void reader.cancel().catch(() => undefined);
    }
  }

  #view(view: View): llm.ChatContext {
    return chatView(super.chatCtx.items, view, this.#cut, (callId) => this.#options.engine.outputOf(callId));
  }

  async #changeContext(effect: EffectOf<'context'>): Promise<string | null> {
    const items = super.chatCtx.items;
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

  #watch(handle: voice.SpeechHandle): void {
    this.#cancelResume();
    this.#active.add(handle);
    handle.addDoneCallback(() => {
      this.#active.delete(handle);
      if (this.#active.size === 0) this.#settling = this.#afterSpeech(handle.interrupted);
    });
  }

  /** Everybody has stopped speaking: what waited for that is done now, and the flow goes on if it has more to say. */
  async #afterSpeech(interrupted: boolean): Promise<void> {
    const { engine, clock } = this.#options;
    this.#speech.closed();
    if (engine.completion !== null && !engine.completion.isSettled) engine.completion.abandon();
    try {
      await performAfterSpeech(engine, this.#host);
    } catch (error) {
      this.#options.onError(error);
    }
    if (!engine.outbox.speaks || this.#active.size > 0) return;
    if (!interrupted) this.speakUp();
    else this.#cancelResume = clock.schedule(resumeAfterMs, () => this.#resume());
  }

  #resume(): void {
    if (this.#attached?.userState === 'speaking')
      this.#cancelResume = this.#options.clock.schedule(resumeAfterMs, () => this.#resume());
    else this.speakUp();
  }

  async #learnWhatWasHeard(clock: Clock): Promise<void> {
    const done = [...this.#active].map((handle) => handle.waitForPlayout().catch(() => undefined));
    if (done.length === 0) return;
    await timeLimit(Promise.all(done), clock, heardWithinMs);
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

function readChunk(chunk: Chunk): ChunkContent {
  if (typeof chunk === 'string') return { text: chunk, calls: [] };
  if (typeof chunk === 'symbol') return { text: '', calls: [] };
  const calls = (chunk.delta?.toolCalls ?? []).map(({ callId, name, args }) => ({ callId, name, rawArguments: args }));
  return { text: chunk.delta?.content ?? '', calls };
}

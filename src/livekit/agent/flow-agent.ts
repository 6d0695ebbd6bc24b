import { type llm, voice } from '@livekit/agents';
import type { AudioFrame } from '@livekit/rtc-node';
import type { ReadableStream } from 'node:stream/web';
import { type View, wholePrompt } from '../../kernel/view.ts';
import type { Inbound } from '../../turn/engine/engine.ts';
import { createCancellation } from '../../turn/engine/cancellation.ts';
import { createPerformer, type Performer } from '../../turn/engine/perform.ts';
import type { Give } from '../../turn/reply/reply.ts';
import { createAgentHost, createAgentSpeeches } from './agent-host.ts';
import { type Chunk, createModelAsker, readChunk, type ReplyRequest, wordsOf } from '../model/ask-model.ts';
import { createCallerTurns } from './caller-turns.ts';
import type { FlowAgentOptions } from './flow-agent-options.ts';
import { listenTo } from '../speech/listen-to.ts';
import { readAhead } from '../model/read-ahead.ts';
import { replyStream } from '../model/reply-stream.ts';
import { createShownContext, type ShownContext } from '../context/shown-context.ts';
import { unlessShown } from '../speech/shown-lines.ts';
import type { Speeches } from '../speech/speeches.ts';
import { createStoreLoss, type StoreLoss } from './store-loss.ts';
import { structuredChunks } from '../speech/structured-chunks.ts';
import { mayThinkAhead } from '../model/think-ahead.ts';
import { createWrittenCalls } from '../model/written-calls.ts';
import { createVoiceTroubles, type VoiceTroubles } from '../speech/voice-troubles.ts';

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
  readonly #performer: Performer;
  readonly #turns;
  readonly #model = createModelAsker(this, {
    tell: (reason) => this.#options.onModelTrouble(reason),
    onTooLong: () => this.#shown.shorten(),
  });
  readonly #writtenCalls = createWrittenCalls(() => this.#options.engine);
  readonly #speeches: Speeches;
  readonly #shown: ShownContext;
  readonly #loss: StoreLoss;
  readonly #troubles: VoiceTroubles;
  #performance = 0;
  #attached: voice.AgentSession | null = null;
  #enter: () => void = () => undefined;
  /** Resolves once LiveKit lets this agent speak. */
  readonly entered: Promise<void> = new Promise((resolve) => (this.#enter = resolve));

  constructor(options: FlowAgentOptions) {
    super({ id: 'flow', instructions: wholePrompt(options.engine.view), chatCtx: options.history });
    // LiveKit leaves calls of functions out that the agent does not hold yet.
    this._chatCtx.items = [...options.history.items];
    this.#options = options;
    const { engine, clock } = options;
    this.#turns = createCallerTurns(
      (inbound) => engine.receive(inbound),
      // The public getter wraps the list into a proxy, through which each reading takes many times as long.
      () => this._chatCtx.items,
    );
    this.#shown = createShownContext({
      items: () => this.#turns.history(),
      outputOf: (callId) => engine.outputOf(callId),
      withoutAsides: (message) => this.#speeches.withoutAsides(message),
      mostCharacters: engine.limits.contextCharacters,
      summarise: (prompt, context) => options.summarise(prompt, context),
    });
    this.#performer = createPerformer(engine, createAgentHost(options, this.#shown));
    this.#speeches = createAgentSpeeches(options, this.#performer);
    const { lines } = options;
    const session = (): voice.AgentSession | null => this.#attached;
    this.#loss = createStoreLoss({
      clock,
      committed: () => engine.committed(),
      session,
      onLost: (error) => {
        options.onError(error);
        this.#speeches.detach();
      },
      say: (to) => to.say(lines.farewell, { allowInterruptions: false }),
      onLeft: (reason) => options.onStoreLost(reason),
    });
    this.#troubles = createVoiceTroubles({
      clock,
      lines,
      session,
      onTrouble: (reason, stage) => options.onModelTrouble(reason, stage),
      onEnd: (reason) => options.onEnd(reason),
    });
  }

  override get instructions(): string {
    return wholePrompt(this.#options.engine.view);
  }

  override get toolCtx(): llm.ToolContext {
    const { engine, tools } = this.#options;
    return tools.toolsFor(engine.view.functions);
  }

  override get chatCtx(): voice.Agent['chatCtx'] {
    // A fresh copy: the class of read-only contexts is not exported, and changing a copy changes nothing.
    return this.#shown.under(this.#options.engine.view);
  }

  /** Listens to a session; undone by the returned function. */
  attach(session: voice.AgentSession): () => void {
    const { engine, onClose } = this.#options;
    this.#attached = session;
    this.#speeches.attach(session);
    const stopListening = listenTo(session, {
      onCallerMessage: (message) => this.#turns.add(message),
      onOwnMessage: (message) => {
        this.#speeches.heard(message);
        this.#options.onSpeech(message.textContent ?? '', message.interrupted);
      },
      onSpeech: (handle) => this.#speeches.watch(handle),
      onError: (event) => {
        if (event.error.type === 'llm_error') this.#model.onError(event);
        else this.#troubles.onError(event);
      },
      onClose,
      outputOf: (callId) => engine.outputOf(callId),
    });
    return () => {
      stopListening();
      this.#speeches.detach();
      this.#performance += 1;
      this.#attached = null;
    };
  }

  /** Whether its store takes nothing any more: what it took last may not be kept. */
  get isLost(): boolean {
    return this.#loss.isLost;
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
      this.#loss.lose(error);
      return 'over';
    }
  }

  /** Lets the session speak what the flow has to say, if nobody is speaking. */
  speakUp(): void {
    this.#speeches.speakUp();
  }

  /** Nobody asks into the caller's silence before their next turn, or before the flow speaks up. */
  holdNoInput(): void {
    this.#speeches.holdNoInput();
  }

  /** Stops what is being said, and waits until it is known what was heard of it. */
  hush(): Promise<void> {
    return this.#speeches.hush();
  }

  /** Resolves when nobody speaks and the flow has nothing to say. */
  idle(): Promise<void> {
    return this.#speeches.idle();
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
      this.#loss.lose(error);
    }
  }

  override llmNode(
    context: llm.ChatContext,
    tools: llm.ToolContext,
    settings: voice.ModelSettings,
  ): Promise<ReadableStream<Chunk>> {
    const cancellation = createCancellation();
    const request: ReplyRequest = { context, tools, settings, cancelled: cancellation };
    const begin = this.#speeches.generation();
    const stream = replyStream({
      perform: (give) => this.#perform(request, give),
      utterance: begin,
      mayBeHeard: () => this.#hasAudio || this.#options.engine.isCommitted || this.#loss.isKept(),
      onError: (error) => this.#options.onError(error),
      onCancel: () => cancellation.cancel(),
    });
    return Promise.resolve(stream);
  }

  /** Nothing is heard before the step that intends it is durable. */
  override async ttsNode(
    text: ReadableStream<string>,
    settings: voice.ModelSettings,
  ): Promise<ReadableStream<AudioFrame> | null> {
    const unlessCutOff = this.#speeches.unlessCutOff();
    return this.#troubles.speak(
      text,
      unlessShown(this.#options.responses, (words) => voice.Agent.default.ttsNode(this, words, settings)),
      this.#speeches.unheard(),
      async () => this.#loss.isLeaving || (await unlessCutOff(this.#loss.isKept())) === true,
    );
  }

  /** What the flow has to say, under the view that it has once the caller's turn is taken. */
  #perform(request: ReplyRequest, give: Give<Chunk>): Promise<void> {
    const taking = this.#whenTurnIsTaken(request);
    return taking === null
      ? this.#speak(request, null, give)
      : taking.then((early) => this.#speak(request, early, give));
  }

  #speak(request: ReplyRequest, thoughtAhead: ThoughtAhead | null, give: Give<Chunk>): Promise<void> {
    const { responses } = this.#options;
    const { cancelled } = request;
    const words = wordsOf(request)?.id;
    // LiveKit may still ask for the reply to words that newer ones have overtaken: it knows nothing of those yet.
    const isOvertaken = (): boolean => words !== undefined && this.#turns.isOvertaken(words);
    if (cancelled.isCancelled || this.#loss.isLost || isOvertaken()) {
      void thoughtAhead?.chunks.return?.();
      return Promise.resolve();
    }
    let early = thoughtAhead;
    const mine = (this.#performance += 1);
    const ask = (view: View): AsyncIterableIterator<Chunk> => {
      const thought = early;
      early = null;
      if (thought?.visit === view.visit) return thought.chunks;
      void thought?.chunks.return?.();
      const { output } = responses;
      const reading = output?.open() ?? null;
      if (output === null || reading === null) return this.#askPlainly(request, view);
      return structuredChunks(this.#ask(request, output.viewOf(view)), reading);
    };
    const isCurrent = (): boolean => mine === this.#performance && !cancelled.isCancelled;
    const model = { ask, read: readChunk };
    const mayGoOn = (): boolean => isCurrent() && !isOvertaken();
    return responses.decide((each) => this.#performer.perform(model, mayGoOn, each), isCurrent, give);
  }

  /**
   * Waits until the caller's message that this reply is for has become a turn of the flow. LiveKit may ask for a reply
   * before the caller's turn is complete: then the model may think ahead, if it is sure to be asked, and nothing else
   * happens. Null where nothing has to be waited for.
   */
  #whenTurnIsTaken(request: ReplyRequest): Promise<ThoughtAhead | null> | null {
    const { engine, clock } = this.#options;
    const message = wordsOf(request);
    if (message === undefined) return null;
    const isLast = message === request.context.items.at(-1);
    if (!isLast && !this.#turns.has(message.id)) return null;
    let early: ThoughtAhead | null = null;
    if (!this.#turns.has(message.id)) {
      if (!this.#mayBeEarly) this.#turns.add(message);
      // What was heard of a speech that is being cut off is not in the context yet.
      else if (!this.#speeches.isCuttingOff && mayThinkAhead(engine, message, clock.now())) {
        const { view } = engine;
        early = { visit: view.visit, chunks: readAhead(this.#askPlainly(request, view)) };
      }
    }
    const taking = this.#turns.whenTaken(message, request.cancelled);
    return taking === null ? null : taking.then(() => early);
  }

  /** Asks for words and calls, whichever way the model writes its calls. */
  #askPlainly(request: ReplyRequest, view: View): AsyncIterableIterator<Chunk> {
    return this.#writtenCalls.made(this.#ask(request, view), request.tools);
  }

  #ask(request: ReplyRequest, view: View): AsyncIterableIterator<Chunk> {
    const { tools, settings, cancelled } = request;
    // What the model is to think ahead about is no turn yet.
    const words = wordsOf(request);
    const isListed = this.#turns.history().some(({ id }) => id === words?.id);
    const shown = this.#shown.under(view, isListed ? undefined : words);
    // The same object decides which tools are executed afterwards.
    tools.updateTools([...this.session.tools, ...this.#options.tools.listFor(view.functions)]);
    return this.#model.ask(shown, tools, settings, cancelled);
  }

  get #hasAudio(): boolean {
    const output = this.#attached?.output;
    return output !== undefined && output.audio !== null && output.audioEnabled;
  }

  get #mayBeEarly(): boolean {
    return this.#attached?.sessionOptions.turnHandling.preemptiveGeneration.enabled === true;
  }
}

import { llm, stream, voice } from '@livekit/agents';
import type { AudioFrame } from '@livekit/rtc-node';
import { openOfKind } from '../kernel/draft.ts';
import type { View } from '../kernel/view.ts';
import type { Inbound } from '../turn/engine.ts';
import { performAfterSpeech, performTurn, type TurnHost } from '../turn/perform.ts';
import { timeLimit } from '../turn/time-limit.ts';
import { type ChatCut, chatView } from './chat-view.ts';
import type { FlowAgentOptions } from './flow-agent.ts';
import { chunksOf, readRealtimeChunk, type RealtimeChunk, textOf } from './realtime-chunks.ts';
import { keyOf, realtimeContext } from './realtime-context.ts';
import { RealtimeGate, type RealtimeFlow } from './realtime-gate.ts';
import { RealtimeProvider } from './realtime-provider.ts';
import type { Utterance } from './speech-log.ts';
import { createSpeeches, type Speeches } from './speeches.ts';
import { createStoreLoss, farewell, type StoreLoss } from './store-loss.ts';

/** How long a turn waits for the words of the caller: longer where they answer a question of the flow's. */
const wordsWithinMs = 800;
const answerWithinMs = 3_000;

/**
 * The one agent of a conversation on a realtime model. The model stands behind a gate that is a realtime model for
 * LiveKit: what it generates is one of the things that the flow has to say, and is heard when it is committed.
 */
export class RealtimeFlowAgent extends voice.Agent {
  readonly #options: FlowAgentOptions;
  readonly #host: Omit<TurnHost<RealtimeChunk>, 'infer'>;
  readonly #model: llm.RealtimeModel;
  readonly #speeches: Speeches;
  readonly #loss: StoreLoss;
  readonly #turns = new Map<string, Promise<'taken' | 'duplicate' | 'over'>>();
  readonly #words = new Map<string, string>();
  #provider: RealtimeProvider | null = null;
  #answer: llm.GenerationCreatedEvent | null = null;
  #hearWords: ((text: string) => void) | null = null;
  #typed: string | null = null;
  #pending: Promise<unknown> = Promise.resolve();
  #performance = 0;
  #cut: ChatCut | null = null;
  #attached: voice.AgentSession | null = null;
  #enter: () => void = () => undefined;
  /** Resolves once LiveKit lets this agent speak. */
  readonly entered: Promise<void> = new Promise((resolve) => (this.#enter = resolve));

  constructor(model: llm.RealtimeModel, options: FlowAgentOptions) {
    const flow: RealtimeFlow = {
      provider: ({ model: behind, tell }) => this.#open(behind, tell),
      speak: (signal) => this.#speak(signal),
      isAnswering: false,
      tools: llm.ToolContext.empty(),
    };
    Object.defineProperties(flow, {
      isAnswering: { get: () => this.#answer !== null },
      tools: { get: () => this.#tools },
    });
    super({
      id: 'flow',
      instructions: options.engine.view.instructions,
      chatCtx: options.history,
      llm: new RealtimeGate(model, () => flow),
    });
    this.#model = model;
    this.#options = options;
    const { engine, clock } = options;
    this.#host = {
      clock,
      read: readRealtimeChunk,
      act: (effect) => options.act(effect),
      changeContext: async (effect) => {
        const items = this._chatCtx.items;
        const last = items.at(-1);
        const afterItem = (last?.type === 'message' && last.role === 'user' ? items.at(-2) : last)?.id ?? null;
        const isReset = effect.payload.strategy === 'reset';
        const summary = isReset ? null : await options.summarise(effect, this.#shown(engine.view));
        if (isReset || summary !== null) this.#cut = { afterItem, summary };
        return summary;
      },
      runTask: (effect) => options.runTask(effect),
      end: (effect) => options.onEnd(effect.payload.reason),
    };
    const afterSpeech = (): Promise<void> =>
      performAfterSpeech(engine, this.#host).catch((error: unknown) => options.onError(error));
    this.#speeches = createSpeeches({ engine, clock, afterSpeech });
    this.#loss = createStoreLoss({
      clock,
      session: () => this.#attached,
      onLost: (error) => {
        options.onError(error);
        this.#dropAnswer();
        this.#speeches.detach();
      },
      say: (session) =>
        this.#speaksForItself
          ? session.generateReply({ toolChoice: 'none' })
          : session.say(farewell, { allowInterruptions: false }),
      onLeft: (reason) => options.onStoreLost(reason),
    });
  }

  override get instructions(): string {
    return this.#options.engine.view.instructions;
  }

  override get toolCtx(): llm.ToolContext {
    const { engine, tools } = this.#options;
    return tools.toolsFor(engine.view.functions);
  }

  /** Listens to a session; undone by the returned function. */
  attach(session: voice.AgentSession): () => void {
    const types = voice.AgentSessionEventTypes;
    this.#attached = session;
    this.#speeches.attach(session);
    session.sessionOptions.maxToolSteps = Number.MAX_SAFE_INTEGER;
    const onItem = ({ item }: voice.ConversationItemAddedEvent): void => {
      if (item.type !== 'message') return;
      if (item.role === 'assistant') {
        this.#speeches.heard(item);
        // A line that the model did not say itself is told to it before the caller answers.
        if (this.#provider?.knows(item.id) === false) this.#sync();
        this.#options.onSpeech(item.textContent ?? '', item.interrupted);
      } else if (item.role === 'user') this.#onOwnWords(item);
    };
    const onTools = (event: voice.FunctionToolsExecutedEvent): void => {
      for (const [index, call] of event.functionCalls.entries()) {
        const known = this.#options.engine.outputOf(call.callId);
        const output = event.functionCallOutputs[index];
        if (known !== undefined && output !== undefined) output.output = known.output;
      }
    };
    const onSpeech = (event: voice.SpeechCreatedEvent): void => this.#speeches.watch(event.speechHandle);
    // Without a listener, an error event of LiveKit's session is an exception in whoever emits it.
    const onError = (): void => undefined;
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
    this.#typed = inbound.text;
    return await this.#take(inbound);
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

  /** LiveKit itself tells the turns where the model does not. */
  override async onUserTurnCompleted(_context: llm.ChatContext, message: llm.ChatMessage): Promise<void> {
    await this.#takeSpoken(message.id, message.textContent ?? '');
  }

  #open(model: llm.RealtimeModel, tell: (event: string, payload: unknown) => void): RealtimeProvider {
    const { engine } = this.#options;
    const provider = new RealtimeProvider({
      model,
      current: () => {
        const { view } = engine;
        const history = new Set(this._chatCtx.items.map(keyOf));
        const shown = this.#shown(view).items;
        const outputOf = (callId: string) => engine.outputOf(callId);
        return {
          view,
          tools: this.#tools,
          speaks: engine.outbox.speaks,
          context: (of) => realtimeContext({ ...of, shown, history, outputOf }),
        };
      },
      tell: (event, payload) => {
        if (event === 'input_speech_started') this.#dropAnswer();
        if (event === 'input_audio_transcription_completed') this.#onWords(payload as llm.InputTranscriptionCompleted); // The event's payload.
        tell(event, payload);
      },
      onAnswer: (generation) => this.#onAnswer(generation),
      onTrouble: (error) => {
        this.#options.onModelTrouble(error.error.name);
        tell('error', error);
      },
    });
    this.#provider = provider;
    return provider;
  }

  #sync(): void {
    // A failure is told by the provider's own events; the next generation tries again.
    void this.#provider?.sync().catch(() => undefined);
  }

  get #tools(): llm.ToolContext {
    const own = this.#attached?.tools ?? [];
    return new llm.ToolContext([...own, ...this.toolCtx.tools]);
  }

  #shown(view: View): llm.ChatContext {
    return chatView(this._chatCtx.items, view, this.#cut, (callId) => this.#options.engine.outputOf(callId));
  }

  async #take(inbound: Inbound): Promise<'taken' | 'duplicate' | 'over'> {
    this.#speeches.cancelResume();
    const turn = this.#options.engine.receive(inbound);
    this.#turns.set(inbound.eventId, turn);
    this.#pending = turn.catch(() => undefined);
    try {
      return await turn;
    } catch (error) {
      this.#loss.lose(error);
      return 'over';
    }
  }

  /** The model answers the caller: the flow takes the turn first, and then lets the answer be heard or not. */
  #onAnswer(generation: llm.GenerationCreatedEvent): void {
    this.#dropAnswer();
    this.#answer = generation;
    if (this.#loss.isLost) return this.#dropAnswer();
    const said = this.#provider?.inner.chatCtx.items.findLast(
      (item) => item.type === 'message' && item.role === 'user',
    );
    const isNew =
      said !== undefined &&
      !this.#turns.has(said.id) &&
      !this._chatCtx.items.some(({ id }) => id === said.id && !this.#words.has(id));
    const id = isNew ? said.id : llm.ChatMessage.create({ role: 'user', content: '' }).id;
    const taking = this.#takeSpoken(id, '').then(() => {
      const { outbox } = this.#options.engine;
      if (this.#loss.isLost) return;
      if (outbox.speaks) this.#attached?.generateReply({ toolChoice: 'auto' });
      else {
        this.#dropAnswer();
        this.#speeches.speakUp();
      }
    });
    taking.catch((error: unknown) => this.#options.onError(error));
  }

  async #takeSpoken(eventId: string, known: string): Promise<void> {
    this.#speeches.cancelResume();
    await this.#speeches.whenCutOffIsKnown();
    const text = known === '' ? await this.#wordsOf(eventId) : known;
    await this.#take({ eventId, text, via: 'speech' });
  }

  /** The caller's words, where the model tells them in time. */
  async #wordsOf(itemId: string): Promise<string> {
    const known = this.#words.get(itemId);
    if (known !== undefined) return known;
    if (!this.#model.capabilities.userTranscription) return '';
    const { clock, engine } = this.#options;
    const words = new Promise<string>((resolve) => (this.#hearWords = resolve));
    const withinMs = openOfKind(engine.state, 'wait') === undefined ? wordsWithinMs : answerWithinMs;
    const text = await timeLimit(words, clock, withinMs);
    this.#hearWords = null;
    return text === 'late' ? '' : text;
  }

  #onWords({ itemId, transcript, isFinal }: llm.InputTranscriptionCompleted): void {
    if (!isFinal) return;
    this.#words.set(itemId, transcript);
    this.#hearWords?.(transcript);
  }

  /** Typed words become part of the history: their turn, unless the runner has taken it. */
  #onOwnWords({ id, textContent }: llm.ChatMessage): void {
    if (this.#words.has(id)) return;
    const text = textContent ?? '';
    if (this.#typed === text) this.#typed = null;
    else void this.#take({ eventId: id, text, via: 'text' });
  }

  #dropAnswer(): void {
    const answer = this.#answer;
    this.#answer = null;
    if (answer !== null) void this.#provider?.drop(answer);
  }

  /** Gives out what the flow has to say: each line and each message of the model as a message of its own. */
  #speak(cancelled: AbortSignal): llm.GenerationCreatedEvent {
    const messages = stream.createStreamChannel<llm.MessageGeneration>();
    const calls = stream.createStreamChannel<llm.FunctionCall>();
    const begin = this.#speeches.generation();
    void this.#perform(cancelled, begin, messages, calls)
      .catch((error: unknown) => this.#options.onError(error))
      .finally(() => {
        void messages.close().catch(() => undefined);
        void calls.close().catch(() => undefined);
      });
    return { messageStream: messages.stream(), functionStream: calls.stream(), userInitiated: true };
  }

  async #perform(
    cancelled: AbortSignal,
    begin: () => Utterance,
    messages: stream.StreamChannel<llm.MessageGeneration>,
    calls: stream.StreamChannel<llm.FunctionCall>,
  ): Promise<void> {
    const { engine } = this.#options;
    await this.#pending;
    if (cancelled.aborted) return;
    if (this.#loss.isLost) return await this.#sayThroughModel(farewell, cancelled, messages);
    const mine = (this.#performance += 1);
    const isCurrent = (): boolean => mine === this.#performance && !cancelled.aborted;
    let open: OpenMessage | null = null;
    let utterance: Utterance | null = null;
    const close = (): void => {
      open?.end();
      open = null;
    };
    const visit = engine.state.visit;
    const infer = (view: View, signal: AbortSignal): AsyncIterable<RealtimeChunk> =>
      this.#infer(view.visit === visit, signal);
    try {
      for await (const spoken of performTurn(engine, { ...this.#host, infer }, isCurrent)) {
        if (!(await this.#isCommitted()) || !isCurrent()) return;
        if (spoken.type === 'line') {
          close();
          const line = begin();
          line.add(spoken.key, spoken.text);
          if (this.#speaksForItself) await this.#sayThroughModel(spoken.text, cancelled, messages);
          else {
            const message = openMessage(llm.ChatMessage.create({ role: 'assistant', content: '' }).id, ['text']);
            await messages.write(message.generation);
            for (const word of spoken.text.match(/\S+\s*/g) ?? []) message.text(word);
            message.end();
          }
          continue;
        }
        const { chunk } = spoken;
        if (chunk.type === 'message') {
          close();
          utterance = begin();
          open = openMessage(chunk.message.messageId, chunk.message.modalities);
          await messages.write(open.generation);
        } else if (chunk.type === 'text') {
          utterance?.add(spoken.key, textOf(chunk.text));
          open?.text(chunk.text);
        } else if (chunk.type === 'audio') open?.audio(chunk.frame);
        else await calls.write(chunk.call);
      }
    } finally {
      close();
      // A node that is entered in silence is known to the model before the caller speaks.
      const { completion } = engine;
      if (completion !== null && !completion.isSettled) void completion.settled.then(() => this.#sync());
    }
  }

  async *#infer(isSameView: boolean, signal: AbortSignal): AsyncGenerator<RealtimeChunk> {
    const answer = this.#answer;
    this.#answer = null;
    const provider = this.#provider;
    if (provider === null || signal.aborted) return;
    if (answer !== null && isSameView) yield* chunksOf(answer);
    else {
      if (answer !== null) await provider.drop(answer);
      yield* chunksOf(await provider.generate(signal));
    }
  }

  /** Where there is audio and nothing that makes speech of text, the model is asked for the very words. */
  async #sayThroughModel(
    text: string,
    signal: AbortSignal,
    messages: stream.StreamChannel<llm.MessageGeneration>,
  ): Promise<void> {
    const provider = this.#provider;
    if (provider === null) return;
    this.#dropAnswer();
    provider.inner.updateOptions({ toolChoice: 'none' });
    const generation = await provider.generate(signal, `Say exactly the following and nothing else: ${text}`);
    provider.inner.updateOptions({ toolChoice: 'auto' });
    for await (const message of generation.messageStream) await messages.write(message);
  }

  get #speaksForItself(): boolean {
    const session = this.#attached;
    const hasAudio = session?.output.audio != null && session.output.audioEnabled;
    return hasAudio && session.tts === undefined && this.#model.capabilities.audioOutput;
  }

  async #isCommitted(): Promise<boolean> {
    try {
      await this.#options.engine.committed();
      return true;
    } catch (error) {
      this.#loss.lose(error);
      return false;
    }
  }
}

interface OpenMessage {
  readonly generation: llm.MessageGeneration;
  text(text: Parameters<typeof textOf>[0]): void;
  audio(frame: AudioFrame): void;
  end(): void;
}

function openMessage(
  messageId: string,
  modalities: llm.MessageGeneration['modalities'] | ('text' | 'audio')[],
): OpenMessage {
  const text = stream.createStreamChannel<Parameters<typeof textOf>[0]>();
  const audio = stream.createStreamChannel<AudioFrame>();
  const quietly = (promise: Promise<void>): void => void promise.catch(() => undefined);
  return {
    generation: {
      messageId,
      textStream: text.stream(),
      audioStream: audio.stream(),
      modalities: Promise.resolve(modalities ?? ['audio', 'text']),
    },
    text: (piece) => quietly(text.write(piece)),
    audio: (frame) => quietly(audio.write(frame)),
    end() {
      quietly(text.close());
      quietly(audio.close());
    },
  };
}

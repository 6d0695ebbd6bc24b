import { llm, voice } from '@livekit/agents';
import type { AudioFrame } from '@livekit/rtc-node';
import type { ReadableStream } from 'node:stream/web';
import { errorKind } from '../../errors.ts';
import type { Inbound } from '../../turn/engine/engine.ts';
import { createPerformer } from '../../turn/engine/perform.ts';
import { createAgentHost, createAgentSpeeches } from '../agent/agent-host.ts';
import { wholePrompt } from '../../kernel/view.ts';
import type { FlowAgentOptions } from '../agent/flow-agent-options.ts';
import { listenTo } from '../speech/listen-to.ts';
import { createModelAnswers, type ModelAnswers } from './answer.ts';
import { keyOf, realtimeContext } from './context.ts';
import { RealtimeGate, type RealtimeFlow } from './gate.ts';
import { RealtimeProvider } from './provider.ts';
import { createRealtimeSpeaking, type RealtimeSpeaking } from './speaking.ts';
import { createRealtimeTurns, type RealtimeTurns } from './turns.ts';
import { createWrittenCalls } from '../model/written-calls.ts';
import { createShownContext, type ShownContext } from '../context/shown-context.ts';
import { unlessShown } from '../speech/shown-lines.ts';
import type { Speeches } from '../speech/speeches.ts';
import { createStoreLoss, type StoreLoss } from '../agent/store-loss.ts';
import { createVoiceTroubles, type VoiceTroubles } from '../speech/voice-troubles.ts';

/**
 * The one agent of a conversation on a realtime model. The model stands behind a gate that is a realtime model for
 * LiveKit: what it generates is one of the things that the flow has to say, and is heard when it is committed.
 */
export class RealtimeFlowAgent extends voice.Agent {
  readonly #options: FlowAgentOptions;
  readonly #model: llm.RealtimeModel;
  readonly #writtenCalls = createWrittenCalls(() => this.#options.engine);
  readonly #answers: ModelAnswers;
  readonly #turns: RealtimeTurns;
  readonly #speaking: RealtimeSpeaking;
  readonly #shown: ShownContext;
  readonly #speeches: Speeches;
  readonly #loss: StoreLoss;
  readonly #troubles: VoiceTroubles;
  #provider: RealtimeProvider | null = null;
  #attached: voice.AgentSession | null = null;
  #enter: () => void = () => undefined;
  /** Resolves once LiveKit lets this agent speak. */
  readonly entered: Promise<void> = new Promise((resolve) => (this.#enter = resolve));

  constructor(model: llm.RealtimeModel, options: FlowAgentOptions) {
    const flow: RealtimeFlow = {
      provider: ({ model: behind, tell }) => this.#open(behind, tell),
      speak: (signal) => this.#speaking.speak(signal, this.#speeches.generation()),
      isAnswering: () => this.#answers.isWaiting,
      tools: () => this.#tools,
    };
    super({
      id: 'flow',
      instructions: wholePrompt(options.engine.view),
      chatCtx: options.history,
      llm: new RealtimeGate(model, () => flow),
    });
    // LiveKit leaves calls of functions out that the agent does not hold yet.
    this._chatCtx.items = [...options.history.items];
    this.#model = model;
    this.#options = options;
    const { engine, clock } = options;
    this.#shown = createShownContext({
      items: () => this._chatCtx.items,
      outputOf: (callId) => engine.outputOf(callId),
      withoutAsides: (message) => this.#speeches.withoutAsides(message),
      mostCharacters: engine.limits.contextCharacters,
      summarise: (prompt, context) => options.summarise(prompt, context),
    });
    const performer = createPerformer(engine, createAgentHost(options, this.#shown));
    const provider = (): RealtimeProvider | null => this.#provider;
    this.#speeches = createAgentSpeeches(options, performer);
    this.#answers = createModelAnswers({
      clock,
      provider,
      tellsWords: model.capabilities.userTranscription,
      onTurn: () => void this.#onTurn().catch((error: unknown) => options.onError(error)),
    });
    this.#turns = createRealtimeTurns({
      engine,
      clock,
      provider,
      tellsWords: () => model.capabilities.userTranscription || this.#attached?.stt !== undefined,
      history: () => this._chatCtx.items,
      beforeTurn: () => this.#speeches.cancelResume(),
      whenCutOffIsKnown: () => this.#speeches.whenCutOffIsKnown(),
      onLost: (error) => this.#loss.lose(error),
    });
    this.#speaking = createRealtimeSpeaking({
      engine,
      performer,
      provider,
      answers: this.#answers,
      responses: options.responses,
      turnTaken: () => this.#turns.taken(),
      overtaking: () => this.#turns.overtaking(),
      isCommitted: () => this.#loss.isKept(),
      readWrittenCalls: () => this.#writtenCalls.read(this.#tools),
      speaksForItself: () => this.#speaksForItself,
      lastLine: () => (this.#loss.isLost ? options.lines.farewell : null),
      onError: (error) => options.onError(error),
    });
    this.#loss = createStoreLoss({
      clock,
      committed: () => engine.committed(),
      session: () => this.#attached,
      onLost: (error) => {
        options.onError(error);
        void this.#answers.drop();
        this.#speeches.detach();
      },
      say: (session) =>
        this.#speaksForItself
          ? session.generateReply({ toolChoice: 'none' })
          : session.say(options.lines.farewell, { allowInterruptions: false }),
      onLeft: (reason) => options.onStoreLost(reason),
    });
    this.#troubles = createVoiceTroubles({
      clock,
      lines: options.lines,
      session: () => this.#attached,
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

  /** Listens to a session; undone by the returned function. */
  attach(session: voice.AgentSession): () => void {
    const { engine, onClose } = this.#options;
    this.#attached = session;
    this.#speeches.attach(session);
    const stopListening = listenTo(session, {
      onCallerMessage: (message) => this.#turns.add(message),
      onOwnMessage: (message) => {
        this.#speeches.heard(message);
        // A line that the model did not say itself is told to it before the caller answers.
        if (this.#provider?.knows(message.id) === false) this.#sync();
        this.#options.onSpeech(message.textContent ?? '', message.interrupted);
      },
      onSpeech: (handle) => this.#speeches.watch(handle),
      onError: (event) => this.#troubles.onError(event),
      onClose,
      outputOf: (callId) => engine.outputOf(callId),
    });
    const onTranscribed = ({ isFinal, transcript, itemId }: voice.UserInputTranscribedEvent): void => {
      // Of a recogniser that stands beside the model; what the model understands comes with the item that it is of.
      if (isFinal && itemId == null) this.#turns.understand(undefined, transcript);
    };
    session.on(voice.AgentSessionEventTypes.UserInputTranscribed, onTranscribed);
    return () => {
      stopListening();
      session.off(voice.AgentSessionEventTypes.UserInputTranscribed, onTranscribed);
      this.#speeches.detach();
      this.#speaking.stop();
      this.#answers.close();
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
    return await this.#turns.take(inbound);
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
    await this.#turns.takeSpoken(message.id, message.textContent ?? '');
  }

  override ttsNode(
    text: ReadableStream<string>,
    settings: voice.ModelSettings,
  ): Promise<ReadableStream<AudioFrame> | null> {
    return Promise.resolve(
      this.#troubles.speak(
        text,
        unlessShown(this.#options.responses, (words) => voice.Agent.default.ttsNode(this, words, settings)),
        this.#speeches.unheard(),
      ),
    );
  }

  #open(model: llm.RealtimeModel, tell: (event: string, payload: unknown) => void): RealtimeProvider {
    const { engine, responses } = this.#options;
    const provider = new RealtimeProvider({
      model,
      current: () => {
        const { view } = engine;
        const history = new Set(this._chatCtx.items.map(keyOf));
        const shown = this.#shown.under(view).items;
        const outputOf = (callId: string) => engine.outputOf(callId);
        const takesCalls = model.capabilities.manualFunctionCalls;
        return {
          view: { ...view, instructions: wholePrompt(responses.output?.viewOf(view) ?? view) },
          tools: this.#tools,
          speaks: engine.outbox.speaks,
          context: (of) => realtimeContext({ ...of, shown, history, outputOf, takesCalls }),
        };
      },
      tell: (event, payload) => {
        if (event === 'input_speech_started') {
          this.#turns.begin();
          this.#answers.begin();
        } else if (event === 'input_speech_stopped') this.#answers.stop();
        else if (event === 'input_audio_transcription_completed') {
          const { itemId, transcript, isFinal } = payload as llm.InputTranscriptionCompleted; // The event's payload.
          if (isFinal) this.#turns.understand(itemId, transcript);
          if (isFinal) this.#answers.understand(transcript);
        }
        tell(event, payload);
      },
      onAnswer: (generation) => this.#answers.offer(generation),
      onTrouble: (error) => {
        this.#options.onModelTrouble(errorKind(error.error));
        // LiveKit would close the session in the middle of a word.
        tell('error', { ...error, recoverable: true });
        if (!error.recoverable) void this.#troubles.letGo('model-failed', this.#options.lines.farewell);
      },
    });
    this.#provider = provider;
    return provider;
  }

  /** The caller has said something that the model has noticed: the flow takes it, before the answer is heard or not. */
  async #onTurn(): Promise<void> {
    if (!this.#loss.isLost) await this.#turns.takeNoticed();
    if (!this.#loss.isLost && this.#options.engine.outbox.speaks) this.#attached?.generateReply({ toolChoice: 'auto' });
    else {
      await this.#answers.drop();
      this.#speeches.speakUp();
    }
  }

  #sync(): void {
    // A failure is told by the provider's own events; the next generation tries again.
    void this.#provider?.sync().catch(() => undefined);
  }

  get #tools(): llm.ToolContext {
    const own = this.#attached?.tools ?? [];
    return new llm.ToolContext([...own, ...this.toolCtx.tools]);
  }

  get #speaksForItself(): boolean {
    const session = this.#attached;
    const hasAudio = session?.output.audio != null && session.output.audioEnabled;
    return hasAudio && session.tts === undefined && this.#model.capabilities.audioOutput;
  }
}

import { llm, voice } from '@livekit/agents';
import { errorKind } from '../../model/errors.ts';
import type { Inbound, OfEntry } from '../../engine/inbound.ts';
import { wholePrompt } from '../../kernel/state/view.ts';
import type { FlowAgentOptions } from '../agent/flow-agent-options.ts';
import { SpeakingAgent } from '../agent/speaking-agent.ts';
import { nameOf } from '../model/model-name.ts';
import { createModelAnswers, type ModelAnswers } from './answer.ts';
import { keyOf, realtimeContext } from './context.ts';
import { RealtimeGate, type RealtimeFlow } from './gate.ts';
import { countTokens } from './count-tokens.ts';
import { RealtimeProvider } from './provider.ts';
import { createRealtimeSpeaking, type RealtimeSpeaking } from './speaking.ts';
import { createRealtimeTurns, type RealtimeTurns } from './turns.ts';

/**
 * The agent of a conversation on a realtime model. LiveKit sees a gate in front of the model:
 * the model's output is part of what the flow says, and is heard once it is committed.
 */
export class RealtimeFlowAgent extends SpeakingAgent {
  readonly #model: llm.RealtimeModel;
  readonly #answers: ModelAnswers;
  readonly #turns: RealtimeTurns;
  readonly #speaking: RealtimeSpeaking;
  #provider: RealtimeProvider | null = null;

  constructor(model: llm.RealtimeModel, options: FlowAgentOptions) {
    const flow: RealtimeFlow = {
      provider: ({ model: behind, tell }) => this.#open(behind, tell),
      speak: (signal) => this.#speaking.speak(signal, this.speeches.generation(), this.speeches.voicings()),
      isAnswering: () => this.#answers.waiting !== null,
      tools: () => this.#tools,
    };
    super(options, { llm: new RealtimeGate(model, () => flow) });
    this.#model = model;
    const { engine, clock } = options;
    const { performer } = this;
    const provider = (): RealtimeProvider | null => this.#provider;
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
      tellsWords: () => model.capabilities.userTranscription || this.attached?.stt !== undefined,
      history: () => this._chatCtx.items,
      beforeTurn: () => this.speeches.cancelResume(),
      // The model's response to other words does not answer these.
      beforeTyped: () => void this.#answers.drop(),
      spokenOver: () => this.speeches.spokenOver('voice'),
      whenCutOffIsKnown: () => this.speeches.whenCutOffIsKnown(),
      onLost: (error) => this.loss.lose(error),
    });
    this.#speaking = createRealtimeSpeaking({
      engine,
      performer,
      provider,
      answers: this.#answers,
      turnTaken: () => this.#turns.taken(),
      overtaking: () => this.#turns.overtaking(),
      isCommitted: () => this.loss.isKept(),
      isAttached: () => this.attached !== null,
      name: () => nameOf(model),
      offered: () => Object.keys(this.#tools.functionTools),
      speaksForItself: () => this.#speaksForItself,
      lastLine: () => (this.loss.isLost ? options.lines.farewell : null),
      onError: (error) => options.onError(error),
    });
  }

  override attach(session: voice.AgentSession): () => void {
    const detach = super.attach(session);
    const onTranscribed = ({ isFinal, transcript, itemId }: voice.UserInputTranscribedEvent): void => {
      // Words without an item come from a separate recogniser; the model's own words come with their item.
      if (isFinal && itemId == null) this.#turns.understand(undefined, transcript);
    };
    session.on(voice.AgentSessionEventTypes.UserInputTranscribed, onTranscribed);
    return () => {
      detach();
      session.off(voice.AgentSessionEventTypes.UserInputTranscribed, onTranscribed);
      this.#answers.close();
    };
  }

  protected hasHeard(eventId: string): boolean {
    return this.#turns.has(eventId);
  }

  async take(inbound: Inbound, entry?: OfEntry): Promise<'taken' | 'duplicate' | 'over'> {
    return await this.#turns.take(inbound, entry);
  }

  protected onCallerMessage(message: llm.ChatMessage): void {
    this.#turns.add(message);
  }

  protected override onOwnMessage(message: llm.ChatMessage): void {
    // A line that the model did not say itself is added to its context before the caller answers.
    if (this.#provider?.knows(message.id) === false) this.#sync();
  }

  protected override onLost(): void {
    void this.#answers.drop();
  }

  protected override sayFarewell(session: voice.AgentSession): voice.SpeechHandle {
    return this.#speaksForItself ? session.generateReply({ toolChoice: 'none' }) : super.sayFarewell(session);
  }

  /** LiveKit detects the turns if the model does not. */
  override async onUserTurnCompleted(_context: llm.ChatContext, message: llm.ChatMessage): Promise<void> {
    await this.#turns.takeSpoken(message.id, message.textContent ?? '');
  }

  #open(model: llm.RealtimeModel, tell: (event: string, payload: unknown) => void): RealtimeProvider {
    const { engine, responses } = this.options;
    const provider = new RealtimeProvider({
      model,
      current: () => {
        const view = engine.view();
        const history = new Set(this._chatCtx.items.map(keyOf));
        const shown = this.shown.under(view).items;
        const outputOf = (callId: string) => engine.calls.outputOf(callId);
        const takesCalls = model.capabilities.manualFunctionCalls;
        return {
          view: { ...view, instructions: wholePrompt(responses.output?.viewOf(view) ?? view) },
          tools: this.#tools,
          speaks: engine.outbox.speaks(),
          context: (of) => realtimeContext({ ...of, shown, history, outputOf, takesCalls }),
        };
      },
      tell: (event, payload) => {
        if (event === 'input_speech_started') {
          this.#turns.begin();
          this.#answers.begin();
        } else if (event === 'input_speech_stopped') this.#answers.stop();
        else if (event === 'metrics_collected') countTokens(engine.tracer, payload);
        else if (event === 'input_audio_transcription_completed') {
          const { itemId, transcript, isFinal } = payload as llm.InputTranscriptionCompleted; // The event's payload.
          if (isFinal) this.#turns.understand(itemId, transcript);
          if (isFinal) this.#answers.understand(transcript);
        }
        tell(event, payload);
      },
      onAnswer: (generation) => this.#answers.offer(generation),
      onTrouble: (error) => {
        this.options.onModelTrouble(errorKind(error.error));
        // LiveKit would close the session mid-word.
        tell('error', { ...error, recoverable: true });
        if (!error.recoverable) void this.troubles.letGo('model-failed', this.options.lines.farewell);
      },
    });
    this.#provider = provider;
    return provider;
  }

  /** Takes a turn that the model has noticed, before its answer is heard or dropped. */
  async #onTurn(): Promise<void> {
    const answer = this.#answers.waiting;
    if (!this.loss.isLost) await this.#turns.takeNoticed();
    if (!this.loss.isLost && this.options.engine.outbox.speaks()) this.attached?.generateReply({ toolChoice: 'auto' });
    else {
      // An answer to newer words waits for the flow to take those.
      if (this.#answers.waiting === answer) await this.#answers.drop();
      this.speeches.speakUp();
    }
  }

  #sync(): void {
    // The provider's own events report a failure; the next generation retries.
    void this.#provider?.sync().catch(() => undefined);
  }

  get #tools(): llm.ToolContext {
    const own = this.attached?.tools ?? [];
    return new llm.ToolContext([...own, ...this.toolCtx.tools]);
  }

  get #speaksForItself(): boolean {
    const session = this.attached;
    const hasAudio = session?.output.audio != null && session.output.audioEnabled;
    return hasAudio && session.tts === undefined && this.#model.capabilities.audioOutput;
  }
}

import { llm } from '@livekit/agents';
import type { AudioFrame } from '@livekit/rtc-node';
import type { ProviderOptions, RealtimeProvider } from './provider.ts';

/** The flow behind a realtime session, as the gate uses it. */
export interface RealtimeFlow {
  provider(options: Pick<ProviderOptions, 'model' | 'tell'>): RealtimeProvider;
  /** Gives out what the flow has to say. */
  speak(signal: AbortSignal): llm.GenerationCreatedEvent;
  tools(): llm.ToolContext;
  /** Whether the provider answers the caller. That answer waits for the flow and is not interrupted together with earlier speech. */
  isAnswering(): boolean;
}

/**
 * The realtime model that LiveKit sees. The flow in front of the user's model decides what is generated, and only committed output is heard.
 */
export class RealtimeGate extends llm.RealtimeModel {
  readonly #behind: llm.RealtimeModel;
  readonly #flow: () => RealtimeFlow;

  constructor(behind: llm.RealtimeModel, flow: () => RealtimeFlow) {
    super({
      ...behind.capabilities,
      // The flow supplies what the model itself cannot do.
      autoToolReplyGeneration: false,
      manualFunctionCalls: true,
      midSessionChatCtxUpdate: true,
      midSessionInstructionsUpdate: true,
      midSessionToolsUpdate: true,
    });
    this.#behind = behind;
    this.#flow = flow;
  }

  override get model(): string {
    return this.#behind.model;
  }

  override get provider(): string {
    return this.#behind.provider;
  }

  override label(): string {
    return this.#behind.label();
  }

  override session(): llm.RealtimeSession {
    return new GateSession(this, this.#behind, this.#flow());
  }

  override close(): Promise<void> {
    // The model belongs to the user: LiveKit closes it with the session it was given to.
    return Promise.resolve();
  }
}

class GateSession extends llm.RealtimeSession {
  readonly #flow: RealtimeFlow;
  readonly #provider: RealtimeProvider;
  readonly #given = new Set<string>();
  #speaking = new AbortController();

  constructor(gate: RealtimeGate, model: llm.RealtimeModel, flow: RealtimeFlow) {
    super(gate);
    this.#flow = flow;
    this.#provider = flow.provider({ model, tell: (event, payload) => void this.emit(event, payload) });
  }

  override get chatCtx(): llm.ChatContext {
    return this.#provider.inner.chatCtx;
  }

  override get tools(): llm.ToolContext {
    return this.#flow.tools();
  }

  /** The flow decides; each of LiveKit's three updates synchronises the provider with it. */
  override async updateInstructions(): Promise<void> {
    await this.#provider.sync();
  }

  override async updateTools(): Promise<void> {
    await this.#provider.sync();
  }

  override async updateChatCtx(context: llm.ChatContext): Promise<void> {
    const kept = new Set(context.items.map(({ id }) => id));
    this.#provider.forget([...this.#given].filter((id) => !kept.has(id) && this.#provider.knows(id)));
    this.#given.clear();
    await this.#provider.sync();
  }

  override updateOptions(options: { toolChoice?: llm.ToolChoice | null }): void {
    this.#provider.inner.updateOptions(options);
  }

  override pushAudio(frame: AudioFrame): void {
    this.#provider.pushAudio(frame);
  }

  override generateReply(): Promise<llm.GenerationCreatedEvent> {
    this.#speaking.abort();
    this.#speaking = new AbortController();
    const { messageStream, ...rest } = this.#flow.speak(this.#speaking.signal);
    const given = this.#given;
    const noted = messageStream.pipeThrough(
      new TransformStream<llm.MessageGeneration, llm.MessageGeneration>({
        transform(message, controller) {
          given.add(message.messageId);
          controller.enqueue(message);
        },
      }),
    );
    return Promise.resolve({ ...rest, messageStream: noted });
  }

  override async commitAudio(): Promise<void> {
    await this.#provider.inner.commitAudio();
  }

  override async clearAudio(): Promise<void> {
    await this.#provider.inner.clearAudio();
  }

  override async interrupt(): Promise<void> {
    this.#speaking.abort();
    if (!this.#flow.isAnswering()) await this.#provider.inner.interrupt();
  }

  override async truncate(options: Parameters<llm.RealtimeSession['truncate']>[0]): Promise<void> {
    if (this.#provider.knows(options.messageId)) await this.#provider.inner.truncate(options);
  }

  override startUserActivity(): void {
    this.#provider.inner.startUserActivity();
  }

  override async close(): Promise<void> {
    this.#speaking.abort();
    await this.#provider.close();
    await super.close();
  }
}

import { APIConnectionError, APIStatusError, llm } from '@livekit/agents';
import type { AudioFrame } from '@livekit/rtc-node';
import { FlowError } from '../../model/errors.ts';
import type { View } from '../../kernel/state/view.ts';
import { type CallIds, createCallIds } from '../model/call-ids.ts';
import { keyOf } from './context.ts';

/** The view that a provider's session must have before it generates. */
export interface RealtimeView {
  readonly view: View;
  readonly tools: llm.ToolContext;
  /** Whether the flow has more to say, so that a generation will be requested. */
  readonly speaks: boolean;
  readonly context: (of: ProviderMemory & { readonly remote: readonly llm.ChatItem[] }) => llm.ChatContext;
}

interface ProviderMemory {
  /** Ids of what the session itself said or heard. */
  readonly known: Set<string>;
  /** Ids of its output that was never heard. */
  readonly unheard: Set<string>;
  /** Ids of its calls. */
  readonly calls: CallIds;
}

export interface ProviderOptions {
  readonly model: llm.RealtimeModel;
  current(): RealtimeView;
  /** Receives all events. A listener sees one session, even if it is replaced. */
  tell(event: string, payload: unknown): void;
  /** Receives an unrequested generation: the provider's answer to the caller. */
  onAnswer(generation: llm.GenerationCreatedEvent): void;
  onTrouble(error: llm.RealtimeModelError): void;
}

/** The reply that a model generates by itself after function outputs. */
interface OwnReply {
  readonly generation: Promise<llm.GenerationCreatedEvent>;
}

/** Maximum consecutive replacements of a broken session before the conversation is given up. */
const maxReplacements = 2;

/** Events that are passed on unchanged. */
const passedOn = ['input_speech_started', 'input_speech_stopped', 'metrics_collected', 'session_reconnected'] as const;

/**
 * The session of a realtime model, synchronised with the flow's node. Updates are sent mid-session if the
 * model supports them. Otherwise, or after a permanent failure, a new session with the whole view replaces it.
 */
export class RealtimeProvider {
  readonly #options: ProviderOptions;
  #inner: llm.RealtimeSession;
  #memory: ProviderMemory = newMemory();
  #told: View | null = null;
  #tail: Promise<void> = Promise.resolve();
  #replacements = 0;
  #breaks = 0;
  #isBroken = false;
  #isClosed = false;
  /** The caller's audio while a session is being created; else null. */
  #waiting: AudioFrame[] | null = null;
  /** Takes the model's own reply to outputs, if one is awaited. */
  #awaitsReply: ((generation: llm.GenerationCreatedEvent) => void) | null = null;
  #repliesToDrop = 0;
  /** Number of requested generations that have not begun. */
  #wanted = 0;

  constructor(options: ProviderOptions) {
    this.#options = options;
    this.#inner = this.#open();
  }

  get inner(): llm.RealtimeSession {
    return this.#inner;
  }

  /** The visit of the node that the session shows; null before the first sync. */
  get visit(): number | null {
    return this.#told?.visit ?? null;
  }

  /** How often the connection has broken. */
  get breaks(): number {
    return this.#breaks;
  }

  /** Throws if the connection broke during a generation, which then ends as if complete. */
  async assertWhole(breaksBefore: number): Promise<void> {
    // The break is reported just after the generation it cut off.
    await new Promise((resolve) => setImmediate(resolve));
    if (this.#breaks !== breaksBefore) throw new FlowError('model-failed', 'the model did not finish its reply.');
  }

  pushAudio(frame: AudioFrame): void {
    if (this.#waiting === null) this.#inner.pushAudio(frame);
    else this.#waiting.push(frame);
  }

  /** Synchronises the session with the flow. */
  async sync(): Promise<void> {
    const next = this.#tail.then(() => this.#sync(false));
    this.#tail = next.then(
      () => undefined,
      () => undefined,
    );
    await next;
  }

  /** Requests one generation under the flow's view. `instructions` apply to this generation only. */
  async generate(signal: AbortSignal, instructions?: string): Promise<llm.GenerationCreatedEvent> {
    this.#wanted += 1;
    const next = this.#tail.then(() => this.#sync(true)).finally(() => (this.#wanted -= 1));
    this.#tail = next.then(
      () => undefined,
      () => undefined,
    );
    const ownReply = await next;
    if (signal.aborted) throw new Error('The reply is no longer wanted.');
    // A reply that arrives after the abort does not answer the caller either.
    const stopWaiting = (): void => {
      if (this.#awaitsReply !== null) this.#repliesToDrop += 1;
      this.#awaitsReply = null;
    };
    signal.addEventListener('abort', stopWaiting, { once: true });
    const generation =
      ownReply !== null && instructions === undefined
        ? await ownReply.generation
        : await this.#inner.generateReply(instructions, { signal });
    this.#replacements = 0;
    return this.observe(generation);
  }

  /** Records what a generation says and calls as known to the session, and gives its calls ids of the conversation. */
  observe(generation: llm.GenerationCreatedEvent): llm.GenerationCreatedEvent {
    const { known, calls: ids } = this.#memory;
    const messages = generation.messageStream.pipeThrough(
      new TransformStream<llm.MessageGeneration, llm.MessageGeneration>({
        transform(message, controller) {
          known.add(message.messageId);
          controller.enqueue(message);
        },
      }),
    );
    const calls = generation.functionStream.pipeThrough(
      new TransformStream<llm.FunctionCall, llm.FunctionCall>({
        transform(given, controller) {
          const call = ids.adopt(given);
          known.add(keyOf(call));
          controller.enqueue(call);
        },
      }),
    );
    return { ...generation, messageStream: messages, functionStream: calls };
  }

  /** Stops a generation that the flow does not use, and removes its output from the context. */
  async drop(generation: llm.GenerationCreatedEvent): Promise<void> {
    const { unheard } = this.#memory;
    void this.#inner.interrupt().catch(() => undefined);
    const readMessages = async (): Promise<void> => {
      for await (const { messageId, audioStream, textStream } of generation.messageStream) {
        unheard.add(messageId);
        // Cancelled streams would reject later writes of the plug-in, which does not handle that.
        await Promise.all([readToEnd(audioStream), readToEnd(textStream)]);
      }
    };
    const readCalls = async (): Promise<void> => {
      for await (const call of generation.functionStream) unheard.add(keyOf(call));
    };
    await Promise.all([readMessages(), readCalls()]).catch(() => undefined);
  }

  /** Marks messages that were given out but never heard, so that the session forgets them. */
  forget(ids: Iterable<string>): void {
    for (const id of ids) this.#memory.unheard.add(id);
  }

  knows(id: string): boolean {
    return this.#memory.known.has(id);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#inner.close();
  }

  #open(): llm.RealtimeSession {
    const inner = this.#options.model.session();
    const isCurrent = (): boolean => this.#inner === inner;
    for (const event of passedOn)
      inner.on(event, (payload: unknown) => {
        if (!isCurrent()) return;
        if (event === 'input_speech_started') this.#repliesToDrop = 0;
        if (event === 'session_reconnected') this.#breaks += 1;
        this.#options.tell(event, payload);
      });
    inner.on('input_audio_transcription_completed', (heard: llm.InputTranscriptionCompleted) => {
      if (!isCurrent()) return;
      this.#memory.known.add(heard.itemId);
      this.#options.tell('input_audio_transcription_completed', heard);
    });
    inner.on('generation_created', (generation: llm.GenerationCreatedEvent) => {
      if (!isCurrent() || generation.userInitiated) return;
      const take = this.#awaitsReply;
      this.#awaitsReply = null;
      if (take !== null) take(generation);
      else if (this.#repliesToDrop > 0) {
        this.#repliesToDrop -= 1;
        void this.drop(this.observe(generation));
      } else this.#options.onAnswer(this.observe(generation));
    });
    inner.on('error', (error: llm.RealtimeModelError) => {
      if (isCurrent()) this.#onError(error);
    });
    return inner;
  }

  #onError(error: llm.RealtimeModelError): void {
    if (error.recoverable || this.#isClosed) return this.#options.onTrouble({ ...error, recoverable: true });
    this.#replacements += 1;
    this.#breaks += 1;
    // A server that is unreachable or refuses will do the same to another session.
    const isRefused = error.error instanceof APIConnectionError || error.error instanceof APIStatusError;
    this.#isBroken = !isRefused && this.#replacements <= maxReplacements;
    this.#options.onTrouble({ ...error, recoverable: this.#isBroken });
    if (this.#isBroken) void this.sync().catch(() => undefined);
  }

  /** Synchronises the session. Returns the model's own reply to the outputs, if one is wanted. */
  async #sync(wantsReply: boolean): Promise<OwnReply | null> {
    if (this.#isClosed) return null;
    const { model } = this.#options;
    const { capabilities } = model;
    const { view, tools, context, speaks } = this.#options.current();
    const before = this.#told;
    const { calls } = this.#memory;
    const remote = calls.offWire(this.#inner.chatCtx.items);
    const desired = new llm.ChatContext(calls.onWire(context({ ...this.#memory, remote }).items));
    const { toCreate, toRemove, toUpdate } = llm.computeChatCtxDiff(this.#inner.chatCtx, desired);
    const outputs = new Set(desired.items.filter(({ type }) => type === 'function_call_output').map(({ id }) => id));
    const onlyOutputs = toUpdate.length === 0 && toRemove.length === 0 && toCreate.every(([, id]) => outputs.has(id));
    const isNewNode = before?.visit !== view.visit;
    const hasOtherWords = before?.instructions !== view.instructions;
    const hasOtherTools = before?.functions !== view.functions && !sameNames(this.#inner.tools, tools);
    const cannotBeTold =
      before !== null &&
      ((isNewNode && hasOtherWords && capabilities.midSessionInstructionsUpdate !== true) ||
        (hasOtherTools && capabilities.midSessionToolsUpdate !== true) ||
        (!onlyOutputs && capabilities.midSessionChatCtxUpdate !== true));
    if (this.#isBroken || cannotBeTold) {
      await this.#replace();
      return null;
    }
    const isFirst = before === null;
    this.#told = view;
    if (hasOtherWords && (isFirst || capabilities.midSessionInstructionsUpdate === true))
      await this.#inner.updateInstructions(view.instructions);
    if (isFirst || hasOtherTools) await this.#inner.updateTools(tools);
    if (toCreate.length + toRemove.length + toUpdate.length === 0) return null;
    const repliesItself = capabilities.autoToolReplyGeneration && toCreate.some(([, id]) => outputs.has(id));
    // The reply to these outputs will be requested. They are sent with that request, so that the reply is neither lost nor generated twice.
    if (repliesItself && !wantsReply && (speaks || this.#wanted > 0)) return null;
    let reply: OwnReply | null = null;
    if (repliesItself && wantsReply) reply = { generation: new Promise((resolve) => (this.#awaitsReply = resolve)) };
    else if (repliesItself) this.#repliesToDrop += 1;
    await this.#inner.updateChatCtx(desired);
    return reply;
  }

  async #replace(): Promise<void> {
    const old = this.#inner;
    this.#isBroken = false;
    this.#waiting = [];
    this.#memory = newMemory();
    this.#awaitsReply = null;
    this.#repliesToDrop = 0;
    this.#inner = this.#open();
    void old.close().catch(() => undefined);
    const { view, tools, context } = this.#options.current();
    this.#told = view;
    try {
      await this.#inner.updateInstructions(view.instructions);
      await this.#inner.updateChatCtx(context({ ...this.#memory, remote: [] }));
      await this.#inner.updateTools(tools);
    } finally {
      const frames = this.#waiting;
      this.#waiting = null;
      for (const frame of frames ?? []) this.#inner.pushAudio(frame);
    }
  }
}

function newMemory(): ProviderMemory {
  return { known: new Set(), unheard: new Set(), calls: createCallIds({ keepsItems: true }) };
}

function sameNames(told: llm.ToolContext, wanted: llm.ToolContext): boolean {
  return told.equals(wanted);
}

async function readToEnd(stream: AsyncIterable<unknown>): Promise<void> {
  for await (const piece of stream) void piece;
}

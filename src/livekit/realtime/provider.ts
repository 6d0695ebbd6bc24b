import { APIConnectionError, APIStatusError, llm } from '@livekit/agents';
import type { AudioFrame } from '@livekit/rtc-node';
import { FlowError } from '../../errors.ts';
import type { View } from '../../kernel/view.ts';
import { type CallIds, createCallIds } from '../model/call-ids.ts';
import { keyOf } from './context.ts';

/** The view that a provider's session has to have before it generates. */
export interface RealtimeView {
  readonly view: View;
  readonly tools: llm.ToolContext;
  /** The flow has more to say, so that a generation will be asked for. */
  readonly speaks: boolean;
  readonly context: (of: ProviderMemory & { readonly remote: readonly llm.ChatItem[] }) => llm.ChatContext;
}

interface ProviderMemory {
  /** Ids of what the session said or heard itself. */
  readonly known: Set<string>;
  /** Ids of what it made and nobody heard. */
  readonly unheard: Set<string>;
  /** The ids of its calls. */
  readonly calls: CallIds;
}

export interface ProviderOptions {
  readonly model: llm.RealtimeModel;
  current(): RealtimeView;
  /** Takes all events of a provider's session. A listener sees one session, however often it is replaced. */
  tell(event: string, payload: unknown): void;
  /** A generation that nobody asked for: the provider answers the caller. */
  onAnswer(generation: llm.GenerationCreatedEvent): void;
  onTrouble(error: llm.RealtimeModelError): void;
}

/** The reply that a model makes by itself of the outputs it is told. */
interface OwnReply {
  readonly generation: Promise<llm.GenerationCreatedEvent>;
}

/** How often in a row a broken session is replaced before the conversation is given up. */
const maxReplacements = 2;

/** Events that are passed on unchanged. */
const passedOn = ['input_speech_started', 'input_speech_stopped', 'metrics_collected', 'session_reconnected'] as const;

/**
 * The session of a realtime model, kept at the node that the flow is in. What the model can be told in mid-session is
 * told; where it cannot, and where a session broke for good, a new session with the whole view takes its place.
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
  /** The caller's audio while a session is being made; null else. */
  #waiting: AudioFrame[] | null = null;
  /** Takes the reply that the model makes of outputs by itself, where one is awaited. */
  #awaitsReply: ((generation: llm.GenerationCreatedEvent) => void) | null = null;
  #repliesToDrop = 0;
  /** Generations that were asked for and have not begun. */
  #wanted = 0;

  constructor(options: ProviderOptions) {
    this.#options = options;
    this.#inner = this.#open();
  }

  get inner(): llm.RealtimeSession {
    return this.#inner;
  }

  /** The visit of the node that the session is at; null before it was told of one. */
  get visit(): number | null {
    return this.#told?.visit ?? null;
  }

  /** How often its connection has broken. */
  get breaks(): number {
    return this.#breaks;
  }

  /** Throws where the connection broke while something was generated, which ends as if it were whole. */
  async assertWhole(breaksBefore: number): Promise<void> {
    // The break is told a moment after what it has cut off.
    await new Promise((resolve) => setImmediate(resolve));
    if (this.#breaks !== breaksBefore) throw new FlowError('model-failed', 'the model did not finish its reply.');
  }

  pushAudio(frame: AudioFrame): void {
    if (this.#waiting === null) this.#inner.pushAudio(frame);
    else this.#waiting.push(frame);
  }

  /** Brings the session to where the flow is. */
  async sync(): Promise<void> {
    const next = this.#tail.then(() => this.#sync(false));
    this.#tail = next.then(
      () => undefined,
      () => undefined,
    );
    await next;
  }

  /** Asks for one generation under the flow's view; `instructions` are for this one alone. */
  async generate(signal: AbortSignal, instructions?: string): Promise<llm.GenerationCreatedEvent> {
    this.#wanted += 1;
    const next = this.#tail.then(() => this.#sync(true)).finally(() => (this.#wanted -= 1));
    this.#tail = next.then(
      () => undefined,
      () => undefined,
    );
    const ownReply = await next;
    if (signal.aborted) throw new Error('The reply is not wanted any more.');
    // A reply that comes when nobody waits for it is no answer to the caller either.
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

  /** Notes what a generation says and calls as known to the session; its calls get ids of the conversation's own. */
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

  /** A generation that the flow has no use for: it is stopped, and what it made is taken out of the context. */
  async drop(generation: llm.GenerationCreatedEvent): Promise<void> {
    const { unheard } = this.#memory;
    void this.#inner.interrupt().catch(() => undefined);
    const readMessages = async (): Promise<void> => {
      for await (const { messageId, audioStream, textStream } of generation.messageStream) {
        unheard.add(messageId);
        // A stream that is cancelled refuses what the plug-in still writes to it, for which nobody waits there.
        await Promise.all([readToEnd(audioStream), readToEnd(textStream)]);
      }
    };
    const readCalls = async (): Promise<void> => {
      for await (const call of generation.functionStream) unheard.add(keyOf(call));
    };
    await Promise.all([readMessages(), readCalls()]).catch(() => undefined);
  }

  /** Marks messages that were given out and never heard, so that the session forgets them. */
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
    // A server that cannot be reached, or refuses, does so for another session as well.
    const isRefused = error.error instanceof APIConnectionError || error.error instanceof APIStatusError;
    this.#isBroken = !isRefused && this.#replacements <= maxReplacements;
    this.#options.onTrouble({ ...error, recoverable: this.#isBroken });
    if (this.#isBroken) void this.sync().catch(() => undefined);
  }

  /** Returns the reply that the model makes by itself of the outputs it was told, where one is wanted. */
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
    // The reply to these outputs will be asked for: they are told then, so that it is neither lost nor made twice.
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

import type { llm, voice } from '@livekit/agents';
import type { ReadableStream } from 'node:stream/web';
import type { View } from '../../kernel/state/view.ts';
import type { Inbound, OfEntry } from '../../engine/inbound.ts';
import { createCancellation } from '../../engine/cancellation.ts';
import type { Give } from '../../engine/reply/reply.ts';
import { createModelAsker, type ReplyRequest, wordsOf } from '../model/ask-model.ts';
import type { Chunk } from '../model/chunk.ts';
import { createReplyModel, type ReplyModel } from '../model/reply-model.ts';
import { createCallerTurns } from './caller-turns.ts';
import { replyStream } from '../model/reply-stream.ts';
import { SpeakingAgent } from './speaking-agent.ts';
import { canGenerateEarly } from '../../engine/reply/early-reply.ts';

/** The agent of a conversation with a text model. Every reply that LiveKit requests is what the flow says next. */
export class FlowAgent extends SpeakingAgent {
  readonly #turns = createCallerTurns(
    (inbound, entry) => this.options.engine.receive(inbound, entry),
    () => this._chatCtx.items,
  );
  readonly #model = createModelAsker(this, {
    tell: (reason) => this.options.onModelTrouble(reason),
    onTooLong: () => this.shown.shorten(),
  });

  override get chatCtx(): voice.Agent['chatCtx'] {
    // A fresh copy, because LiveKit does not export the class of read-only contexts; changing a copy has no effect.
    return this.shown.under(this.options.engine.view());
  }

  protected hasHeard(eventId: string): boolean {
    return this.#turns.has(eventId);
  }

  async take(inbound: Inbound, entry?: OfEntry): Promise<'taken' | 'duplicate' | 'over'> {
    this.speeches.cancelResume();
    try {
      return await this.#turns.take(inbound, entry);
    } catch (error) {
      this.loss.lose(error);
      return 'over';
    }
  }

  protected onCallerMessage(message: llm.ChatMessage): void {
    this.#turns.add(message);
  }

  protected override onModelError(event: voice.ErrorEvent): void {
    if (event.error.type === 'llm_error') this.#model.onError(event);
    else super.onModelError(event);
  }

  protected override said(): readonly llm.ChatItem[] {
    return this.#turns.history();
  }

  override async onUserTurnCompleted(_context: llm.ChatContext, message: llm.ChatMessage): Promise<void> {
    const heard = this.speeches.spokenOver('voice');
    this.speeches.cancelResume();
    await this.speeches.whenCutOffIsKnown();
    try {
      await this.#turns.takeSpoken(message, heard);
    } catch (error) {
      this.loss.lose(error);
    }
  }

  override llmNode(
    context: llm.ChatContext,
    tools: llm.ToolContext,
    settings: voice.ModelSettings,
  ): Promise<ReadableStream<Chunk>> {
    const cancellation = createCancellation();
    const request: ReplyRequest = { context, tools, settings, cancelled: cancellation };
    const begin = this.speeches.generation();
    const stream = replyStream({
      perform: this.#perform.bind(this, request),
      utterance: begin,
      mayBeHeard: () => this.#hasAudio || this.options.engine.isCommitted() || this.loss.isKept(),
      onError: (error) => this.options.onError(error),
      onCancel: () => cancellation.cancel(),
      clock: this.options.clock,
    });
    return Promise.resolve(stream);
  }

  /** Speech may be heard once the step that intends it is durable. */
  protected override mayBeHeard(): () => Promise<boolean> {
    const unlessCutOff = this.speeches.unlessCutOff();
    return async () => this.loss.isLeaving || (await unlessCutOff(this.loss.isKept())) === true;
  }

  /** Performs what the flow says, under the view after the caller's turn was taken. */
  async #perform(request: ReplyRequest, give: Give<Chunk>): Promise<void> {
    const words = wordsOf(request);
    const model = createReplyModel(
      (view) => this.#ask(request, view, words),
      () => Object.keys(request.tools.functionTools),
      () => this.#model.name(),
    );
    const taking = this.#whenTurnIsTaken(request, model, words);
    if (taking !== null) await taking;
    const { cancelled } = request;
    // LiveKit may request a reply to words that newer ones have overtaken, because it does not know those yet.
    const isOvertaken = (): boolean => words !== undefined && this.#turns.isOvertaken(words.id);
    if (cancelled.isCancelled || this.loss.isLost || isOvertaken()) {
      model.forget();
      return;
    }
    await this.performer.perform({ model, isWanted: () => !cancelled.isCancelled, isOvertaken }, give);
  }

  /**
   * Waits until the caller's message has become a turn of the flow. LiveKit may request a reply before the turn
   * is complete; the model may then think ahead if it will surely be asked. Null if there is nothing to wait for.
   */
  #whenTurnIsTaken(
    request: ReplyRequest,
    model: ReplyModel,
    message: llm.ChatMessage | undefined,
  ): Promise<void> | null {
    const { engine, clock } = this.options;
    if (message === undefined) return null;
    const isLast = message === request.context.items.at(-1);
    if (!isLast && !this.#turns.has(message.id)) return null;
    if (!this.#turns.has(message.id)) {
      const inbound = { eventId: message.id, text: message.textContent ?? '', via: 'speech' } as const;
      if (!this.#mayBeEarly) this.#turns.add(message);
      // The context does not contain yet how much was heard of an interrupted speech.
      else if (!this.speeches.isCuttingOff() && canGenerateEarly(engine, inbound, clock.now()))
        model.thinkAhead(engine.view());
    }
    return this.#turns.whenTaken(message, request.cancelled);
  }

  /** Words that the model thinks ahead about are not a turn yet. */
  #ask(request: ReplyRequest, view: View, words: llm.ChatMessage | undefined): AsyncIterableIterator<Chunk> {
    const { tools, settings, cancelled } = request;
    const isListed = this.#turns.history().some(({ id }) => id === words?.id);
    const shown = this.shown.under(view, isListed ? undefined : words);
    // The same object decides which tools are executed afterwards.
    tools.updateTools([...this.session.tools, ...this.options.tools.listFor(view.functions)]);
    return this.#model.ask(shown, tools, settings, cancelled);
  }

  get #hasAudio(): boolean {
    const output = this.attached?.output;
    return output !== undefined && output.audio !== null && output.audioEnabled;
  }

  get #mayBeEarly(): boolean {
    return this.attached?.sessionOptions.turnHandling.preemptiveGeneration.enabled === true;
  }
}

import type { llm, voice } from '@livekit/agents';
import type { ReadableStream } from 'node:stream/web';
import type { View } from '../../kernel/view.ts';
import type { Inbound } from '../../turn/engine/engine.ts';
import { createCancellation } from '../../turn/engine/cancellation.ts';
import type { Give } from '../../turn/reply/reply.ts';
import { type Chunk, createModelAsker, readChunk, type ReplyRequest, wordsOf } from '../model/ask-model.ts';
import { createCallerTurns } from './caller-turns.ts';
import { readAhead } from '../model/read-ahead.ts';
import { replyStream } from '../model/reply-stream.ts';
import { SpeakingAgent } from './speaking-agent.ts';
import { structuredChunks } from '../speech/structured-chunks.ts';
import { mayThinkAhead } from '../model/think-ahead.ts';
import { createWrittenCalls } from '../model/written-calls.ts';

/** What the model was asked before the caller's turn was complete, under the view of one visit. */
interface ThoughtAhead {
  readonly visit: number;
  readonly chunks: AsyncIterableIterator<Chunk>;
}

/** The agent of a conversation on a model of text: every reply that LiveKit asks for is what the flow has to say next. */
export class FlowAgent extends SpeakingAgent {
  readonly #turns = createCallerTurns(
    (inbound) => this.options.engine.receive(inbound),
    () => this._chatCtx.items,
  );
  readonly #model = createModelAsker(this, {
    tell: (reason) => this.options.onModelTrouble(reason),
    onTooLong: () => this.shown.shorten(),
  });
  readonly #writtenCalls = createWrittenCalls(() => this.options.engine);
  #performance = 0;

  override get chatCtx(): voice.Agent['chatCtx'] {
    // A fresh copy: the class of read-only contexts is not exported, and changing a copy changes nothing.
    return this.shown.under(this.options.engine.view);
  }

  override attach(session: voice.AgentSession): () => void {
    const detach = super.attach(session);
    return () => {
      detach();
      this.#performance += 1;
    };
  }

  hasTaken(eventId: string): boolean {
    return this.#turns.has(eventId);
  }

  async take(inbound: Inbound): Promise<'taken' | 'duplicate' | 'over'> {
    this.speeches.cancelResume();
    try {
      return await this.#turns.take(inbound);
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
    this.speeches.cancelResume();
    await this.speeches.whenCutOffIsKnown();
    try {
      await this.#turns.takeSpoken(message);
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
      perform: (give) => this.#perform(request, give),
      utterance: begin,
      mayBeHeard: () => this.#hasAudio || this.options.engine.isCommitted || this.loss.isKept(),
      onError: (error) => this.options.onError(error),
      onCancel: () => cancellation.cancel(),
    });
    return Promise.resolve(stream);
  }

  /** Nothing is heard before the step that intends it is durable. */
  protected override mayBeHeard(): () => Promise<boolean> {
    const unlessCutOff = this.speeches.unlessCutOff();
    return async () => this.loss.isLeaving || (await unlessCutOff(this.loss.isKept())) === true;
  }

  /** What the flow has to say, under the view that it has once the caller's turn is taken. */
  #perform(request: ReplyRequest, give: Give<Chunk>): Promise<void> {
    const taking = this.#whenTurnIsTaken(request);
    return taking === null
      ? this.#speak(request, null, give)
      : taking.then((early) => this.#speak(request, early, give));
  }

  #speak(request: ReplyRequest, thoughtAhead: ThoughtAhead | null, give: Give<Chunk>): Promise<void> {
    const { responses } = this.options;
    const { cancelled } = request;
    const words = wordsOf(request)?.id;
    // LiveKit may still ask for the reply to words that newer ones have overtaken: it knows nothing of those yet.
    const isOvertaken = (): boolean => words !== undefined && this.#turns.isOvertaken(words);
    if (cancelled.isCancelled || this.loss.isLost || isOvertaken()) {
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
    return responses.decide((each) => this.performer.perform(model, mayGoOn, each), isCurrent, give);
  }

  /**
   * Waits until the caller's message that this reply is for has become a turn of the flow. LiveKit may ask for a reply
   * before the caller's turn is complete: then the model may think ahead, if it is sure to be asked, and nothing else
   * happens. Null where nothing has to be waited for.
   */
  #whenTurnIsTaken(request: ReplyRequest): Promise<ThoughtAhead | null> | null {
    const { engine, clock } = this.options;
    const message = wordsOf(request);
    if (message === undefined) return null;
    const isLast = message === request.context.items.at(-1);
    if (!isLast && !this.#turns.has(message.id)) return null;
    let early: ThoughtAhead | null = null;
    if (!this.#turns.has(message.id)) {
      if (!this.#mayBeEarly) this.#turns.add(message);
      // What was heard of a speech that is being cut off is not in the context yet.
      else if (!this.speeches.isCuttingOff && mayThinkAhead(engine, message, clock.now())) {
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

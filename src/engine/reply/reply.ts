import type { Effect, EffectKey } from '../../model/effect.ts';
import { type Moment, speak } from '../../kernel/state/names.ts';
import { nodeOf } from '../../kernel/move/offers.ts';
import { defaultReplyTimeoutMs, troubleRule } from '../../kernel/move/trouble.ts';
import type { View } from '../../kernel/state/view.ts';
import { createEcho, type Echo, withAnnouncedAction } from './announced-action.ts';
import { createHeldQuestions, flowSpeaksNext, mayFlowSpeakNext, sentencesOf } from './held-questions.ts';
import type { ChunkContent, SpeakingModel } from '../../model/ports/model.ts';
import type { Clock } from '../../model/ports/time.ts';
import type { Session } from '../session.ts';
import type { Completion } from './completion.ts';
import type { ReplyAsker } from './ask-reply.ts';
import { type InferenceEvent, type InferenceOptions, inferWithin } from './inference.ts';
import { type TracedRequest, traceRequest } from './traced-model.ts';

/** Dependencies of a reply. `Chunk` is the type of a chunk of the model's stream. */
export interface ReplyParts<Chunk> {
  /** The parts of the session that a reply reads. It folds nothing itself. */
  readonly session: Pick<
    Session,
    'graph' | 'state' | 'view' | 'civil' | 'tracer' | 'limits' | 'isWritten' | 'activeFlow'
  >;
  /** Takes the calls of the reply. */
  readonly completion: Completion;
  readonly clock: Clock;
  readonly model: SpeakingModel<View, Chunk>;
  readonly asker: ReplyAsker;
  /** Accompanies the caller while calls run that a reply of this key made without words. */
  readonly onCalls: (key: EffectKey, work: Promise<void>) => Promise<void>;
  /** The reply was stopped before its first word and is still due. */
  readonly onUnbegun: () => void;
  readonly onFailed: (reason: string) => void;
}

/** A piece of speech for the caller, under the key of the effect that intends it. */
export type Spoken<Chunk> =
  | {
      readonly type: 'line';
      readonly key: string;
      readonly text: string;
      /** Not part of the conversation: the model does not see it as its own words. */
      readonly isAside?: boolean;
    }
  | {
      readonly type: 'chunk';
      readonly key: string;
      readonly chunk: Chunk;
      readonly text: string;
      /** The chunk is audible, with or without words. */
      readonly isSound: boolean;
    };

/** Takes a piece of speech. Returns false if no more is wanted; a promise delays the next piece. */
export type Give<Chunk> = (spoken: Spoken<Chunk>) => boolean | Promise<boolean>;

/**
 * Asks the model for a reply and gives it out, and ensures that something is said if the
 * model fails. Returns false if its calls decide what comes next, or if no more is wanted.
 */
export async function giveReply<Chunk>(
  { session, completion, clock, model, asker, onCalls, onUnbegun, onFailed }: ReplyParts<Chunk>,
  effect: Extract<Effect, { kind: 'reply' }>,
  isCurrent: () => boolean,
  give: Give<Chunk>,
): Promise<boolean> {
  const { graph, state, tracer } = session;
  const view = session.view();
  const { key } = effect;
  const node = nodeOf(graph, state, state.position.node);
  const timeoutMs = troubleRule(graph, node, 'replyTimeoutMs') ?? defaultReplyTimeoutMs;
  const filler = session.isWritten ? null : troubleRule(graph, node, 'filler');
  const { status } = state;
  let text = '';
  let called = false;
  let isSilent = true;
  let failed: string | null = null;
  let isWhole = false;
  // TypeScript does not see that `open` sets it.
  let request = null as TracedRequest | null;
  let echo: Echo<Chunked<Chunk>> | null = null;
  const floor = mayFlowSpeakNext(graph, state, node)
    ? createHeldQuestions<Chunked<Chunk>>((words) => graph.reader.asks(words))
    : null;

  const moment = (): Moment => ({ graph, state, civil: session.civil(clock.now()) });
  const aside = (line: string): boolean | Promise<boolean> => give({ type: 'line', key, text: line, isAside: true });
  const take = (event: InferenceEvent<Chunk>): boolean | Promise<boolean> => {
    if (completion.isSuperseded) return false;
    switch (event.type) {
      case 'slow':
        // Emitted only if there is a filler.
        return aside(filler === null ? '' : speak(moment(), filler));
      case 'cut': {
        const words = troubleRule(graph, node, 'fallback');
        const fallback = words === null ? graph.speech.lines.again[0] : speak(moment(), words);
        const rest = say(floor?.end(false) ?? []);
        text = `${text} ${fallback}`;
        return typeof rest === 'boolean' ? rest && aside(fallback) : rest.then((more) => more && aside(fallback));
      }
      case 'failed':
        failed = event.reason;
        return false;
      case 'chunk': {
        const { chunk, content } = event;
        for (const call of content.calls) completion.see(call);
        called ||= content.calls.length > 0;
        isSilent &&= content.isSound !== true && content.text.trim() === '';
        const isSound = content.isSound === true;
        if (isSound || (floor === null && echo === null))
          return say([{ type: 'chunk', key, chunk, text: content.text, isSound }]);
        const pieces = piecesOf(model, chunk, content).map((one) => ({ type: 'chunk', key, ...one }) as const);
        return say(pieces.flatMap((piece) => (piece.text === '' ? [piece] : heldBack(piece))));
      }
    }
  };
  const heldBack = (piece: Chunked<Chunk>): readonly Chunked<Chunk>[] => {
    const pieces = echo === null ? [piece] : echo.take(piece);
    return floor === null ? pieces : pieces.flatMap((one) => floor.take(one));
  };
  const say = (pieces: readonly Chunked<Chunk>[]): boolean | Promise<boolean> => {
    for (const piece of pieces) text += piece.text;
    return inTurn(pieces, give);
  };
  /** Releases the held pieces, without the model's questions if the flow speaks after its calls. */
  const settleFloor = (): boolean | Promise<boolean> => {
    if (floor === null || completion.isSuperseded) return true;
    const batch = { type: 'batch:settled', at: clock.now(), reply: key, text: text.trim() } as const;
    const isCut =
      called &&
      floor.asks() &&
      flowSpeaksNext(session.graph, session.state, {
        ...batch,
        civil: session.civil(batch.at),
        ...(batch.text === '' ? {} : { asks: graph.reader.asks(batch.text) }),
        calls: completion.expected(),
      });
    return say(floor.end(isCut));
  };

  const inference = (under: View): InferenceOptions<Chunk> => ({
    clock,
    open(cancelled) {
      request?.end(true);
      tracer.inferred();
      request = traceRequest(tracer, clock, 'reply', model.name?.());
      return asker.ask(model, under, cancelled);
    },
    read(chunk) {
      const content = asker.read(model, chunk);
      request?.read(content);
      return content;
    },
    timeoutMs,
    limits: session.limits,
    fillerAfterMs: filler === null ? null : Math.min(fillerAfterMs, timeoutMs / 2),
    isWanted: isCurrent,
    isSilenceMeant: () => asker.isSilenceMeant(),
    take,
  });
  const isPromise = (): boolean =>
    !called && failed === null && status === 'active' && isCurrent() && !completion.isSuperseded && isOnly(text);
  /** Checks for "One moment, please." and nothing else. A flow never asks for a moment, so only the model can continue. */
  const isOnly = (said: string): boolean =>
    session.activeFlow() !== null && model.endsWithCalls !== true && graph.reader.request(said.trim()) === 'patience';
  /** Asks the model once more for what it announced. If it has nothing to add, the flow continues. */
  const keepPromise = async (): Promise<boolean> => {
    const said = text.trim();
    const space = model
      .write(' ', [], null)
      .map((chunk) => ({ type: 'chunk', key, chunk, text: ' ', isSound: false }) as const);
    const words = createEcho<Chunked<Chunk>>(said, space);
    echo = words;
    const isDone = await inferWithin(inference(withAnnouncedAction(view, said)), true);
    await say(words.end());
    echo = null;
    await settleFloor();
    if (failed === 'empty') failed = null;
    return isDone;
  };

  try {
    isWhole = await inferWithin(inference(view));
    if (isWhole) await settleFloor();
    if (isWhole && isPromise()) isWhole = await keepPromise();
  } finally {
    request?.end(failed !== null);
    // A reply that was stopped before its first word is still due, unless the caller's turn comes first.
    const begun = called || text.trim() !== '' || failed !== null;
    if (!begun && !isCurrent() && completion.discard()) onUnbegun();
    // A completion that the caller overtook is settled by their turn.
    isWhole ||= completion.isSuperseded;
    if (!isWhole && !completion.isSettled) completion.abandon();
    if (failed !== null && !completion.isSettled) onFailed(failed);
    completion.end(text.trim());
  }
  // Calls without words leave the caller in silence while the function works.
  if (isWhole && called && isSilent && model.endsWithCalls !== true && !completion.isSettled)
    await onCalls(key, completion.settled);
  return isWhole && !called && status === 'active';
}

/** A piece of speech from the model. */
type Chunked<Chunk> = Extract<Spoken<Chunk>, { type: 'chunk' }>;

/** Splits a chunk into pieces of at most one sentence, followed by its other content. */
function piecesOf<Chunk>(
  model: SpeakingModel<View, Chunk>,
  chunk: Chunk,
  content: ChunkContent,
): readonly Pick<Chunked<Chunk>, 'chunk' | 'text' | 'isSound'>[] {
  const { text } = content;
  const isSound = false;
  const sentences = sentencesOf(text);
  const isCall = content.calls.length > 0 && text !== '';
  if (sentences.length < 2 && !isCall) return [{ chunk, text, isSound }];
  const pieceOf = (of: string) => (made: Chunk) => ({ chunk: made, text: of, isSound });
  const words = sentences.flatMap((one) => model.write(one, [], null).map(pieceOf(one)));
  return [...words, ...model.write('', [], chunk).map(pieceOf(''))];
}

/** Gives out pieces one after the other. False if no more is wanted. */
function inTurn<Chunk>(pieces: readonly Spoken<Chunk>[], give: Give<Chunk>): boolean | Promise<boolean> {
  for (const [index, piece] of pieces.entries()) {
    const given = give(piece);
    if (given === false) return false;
    if (given !== true) return given.then((more) => more && inTurn(pieces.slice(index + 1), give));
  }
  return true;
}

/** How long the caller waits for the first word before a filler is said, in milliseconds. */
const fillerAfterMs = 1_500;

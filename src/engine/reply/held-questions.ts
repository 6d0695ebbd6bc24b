import { isConfirmation } from '../../kernel/state/draft.ts';
import type { SayReason } from '../../model/effect.ts';
import type { Signal } from '../../model/signals/signal.ts';
import type { GraphNode } from '../../flow/graph/graph.ts';
import type { SessionState } from '../../kernel/state/state.ts';
import { nodeOf } from '../../kernel/move/offers.ts';
import { nextNeed } from '../../kernel/state/slots.ts';
import { step } from '../../kernel/step.ts';
import type { Graph } from '../../flow/graph/graph.ts';

/** A piece of a reply with its words. */
interface Piece {
  readonly text: string;
}

/**
 * Prevents the model from asking its own question together with a call after which the flow asks one. A question,
 * and everything after it, is held back until the reply is over; other sentences are released when complete.
 */
export interface HeldQuestions<Spoken extends Piece> {
  /** Takes the next piece. Returns the pieces to give out. */
  take(piece: Spoken): readonly Spoken[];
  /** Ends the reply. Returns the rest, without the questions if they are `cut`. */
  end(isCut: boolean): readonly Spoken[];
  /** Whether a question is held back. */
  asks(): boolean;
}

/** Splits a text into sentences, each with its trailing space. */
export function sentencesOf(text: string): readonly string[] {
  return text.split(/(?<=[.!?…]["'”’»)\]]*\s+)(?=[^\p{Ll}\s])|(?<=[。！？])/u);
}

/** Checks whether a sentence ends between two pieces. It continues after "7.", "p.m." or before a lower-case letter. */
function endsBefore(before: string, next: string): boolean {
  if (/[。！？]["'”’»)\]]*\s*$/u.test(before)) return true;
  if (!/[.!?…]["'”’»)\]]*\s*$/u.test(before)) return false;
  return (/\s$/.test(before) || /^\s/.test(next)) && !/^\s*\p{Ll}/u.test(next);
}

/** A longer sentence is not held back; a question is hardly that long. */
const longestQuestion = 200;

export function createHeldQuestions<Spoken extends Piece>(asks: (text: string) => boolean): HeldQuestions<Spoken> {
  let sentence: Spoken[] = [];
  let held: Spoken[][] = [];
  const textOf = (pieces: readonly Spoken[]): string => pieces.map(({ text }) => text).join('');
  const isQuestion = (pieces: readonly Spoken[]): boolean => asks(textOf(pieces).trim());
  const close = (): readonly Spoken[] => {
    const done = sentence;
    sentence = [];
    if (held.length === 0 && !isQuestion(done)) return done;
    held.push(done);
    return [];
  };
  return {
    take(piece) {
      const before = textOf(sentence);
      const given = endsBefore(before, piece.text) ? close() : [];
      sentence.push(piece);
      if (held.length > 0 || before.length + piece.text.length <= longestQuestion) return given;
      const long = sentence;
      sentence = [];
      return [...given, ...long];
    },
    end(isCut) {
      const all = [...held, sentence];
      held = [];
      sentence = [];
      return all.flatMap((pieces) => (isCut && isQuestion(pieces) ? [] : pieces));
    },
    asks: () => [...held, sentence].some(isQuestion),
  };
}

/** Checks whether a node may be followed by words of the flow: a value with an `ask`, or a target node with a line. */
export function mayFlowSpeakNext(graph: Graph, state: SessionState, node: GraphNode | null): boolean {
  if (node === null || state.position.generator !== null) return false;
  if ((nextNeed(graph, state, node)?.slot.ask ?? null) !== null) return true;
  return node.functions.some(({ target, confirm }) => {
    const to = target?.kind === 'node' ? nodeOf(graph, state, target.to) : null;
    return confirm !== null || (to !== null && (to.say !== null || to.end !== null));
  });
}

const asking: ReadonlySet<SayReason> = new Set(['node', 'ask', 'recap']);

/**
 * Checks whether the flow asks, says a node's line or ends the call after a reply's calls have
 * settled. False if a value is unclear, because the model may ask about it. Pure: nothing is folded.
 */
export function flowSpeaksNext(graph: Graph, state: SessionState, settled: Signal): boolean {
  const { state: next, effects, facts } = step(graph, state, settled);
  if (facts.some(({ type }) => type === 'slot:rejected')) return false;
  if (state.turn.words?.utterance?.acts.some(({ act }) => act === 'problem') === true) return false;
  if (effects.some((effect) => effect.kind === 'end' || isConfirmation(effect))) return true;
  // The value still asked for is the one the words left unclear.
  const need = neededIn(graph, next);
  if (need !== null && next.position.visit === state.position.visit && need === neededIn(graph, state)) return false;
  return effects.some((effect) => effect.kind === 'say' && asking.has(effect.payload.reason));
}

function neededIn(graph: Graph, state: SessionState): string | null {
  const node = nodeOf(graph, state, state.position.node);
  return node === null ? null : (nextNeed(graph, state, node)?.slot.name ?? null);
}

import { isConfirmation } from '../../kernel/draft.ts';
import type { SayReason } from '../../events/effect.ts';
import type { Signal } from '../../events/signal.ts';
import type { GraphNode } from '../../graph/graph.ts';
import type { SessionState } from '../../kernel/state.ts';
import { nodeOf } from '../../kernel/offers.ts';
import { nextNeed } from '../../kernel/slots.ts';
import { step } from '../../kernel/step.ts';
import type { Graph } from '../../graph/graph.ts';

/** A piece of a reply with its words. */
interface Piece {
  readonly text: string;
}

/**
 * Keeps the model from asking a question of its own beside a call after which the flow puts one. A question is held back
 * until the reply is over, and everything behind it; other sentences are given out as soon as they are whole.
 */
export interface Floor<Spoken extends Piece> {
  /** Takes the next piece; returns those that may be given out. */
  take(piece: Spoken): readonly Spoken[];
  /** The reply is over. Returns the rest, without the questions if they are `cut`. */
  end(isCut: boolean): readonly Spoken[];
  /** Whether a question is held back. */
  asks(): boolean;
}

/** A text as sentences, each with the space behind it. */
export function sentencesOf(text: string): readonly string[] {
  return text.split(/(?<=[.!?…]["'”’»)\]]*\s+)(?=[^\p{Ll}\s])|(?<=[。！？])/u);
}

/** Whether a sentence ends between two pieces: behind "7.", "p.m." and a small letter it goes on. */
function endsBefore(before: string, next: string): boolean {
  if (/[。！？]["'”’»)\]]*\s*$/u.test(before)) return true;
  if (!/[.!?…]["'”’»)\]]*\s*$/u.test(before)) return false;
  return (/\s$/.test(before) || /^\s/.test(next)) && !/^\s*\p{Ll}/u.test(next);
}

/** Longer sentences are not held back: nobody is asked so much at once. */
const longestQuestion = 200;

export function createFloor<Spoken extends Piece>(asks: (text: string) => boolean): Floor<Spoken> {
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

/** Whether a node may have words of the flow's own behind a reply: a value with an `ask`, or a node with a line to go to. */
export function mayTakeTheFloor(graph: Graph, state: SessionState, node: GraphNode | null): boolean {
  if (node === null || state.generator !== null) return false;
  if ((nextNeed(graph, state, node)?.slot.ask ?? null) !== null) return true;
  return node.functions.some(({ target, confirm }) => {
    const to = target?.kind === 'node' ? nodeOf(graph, state, target.to) : null;
    return confirm !== null || (to !== null && (to.say !== null || to.end !== null));
  });
}

const asking: ReadonlySet<SayReason> = new Set(['node', 'ask', 'recap']);

/**
 * Whether the flow puts a question, says a line of a node or ends the call once a reply's calls have settled, and none of
 * its values is unclear: the model may ask about an unclear one. Pure: nothing is folded.
 */
export function takesTheFloor(graph: Graph, state: SessionState, settled: Signal): boolean {
  const { state: next, effects, facts } = step(graph, state, settled);
  if (facts.some(({ type }) => type === 'slot:rejected')) return false;
  if (state.words?.utterance?.acts.some(({ act }) => act === 'problem') === true) return false;
  if (effects.some((effect) => effect.kind === 'end' || isConfirmation(effect))) return true;
  // What is still asked for is what the words left unclear.
  const need = neededIn(graph, next);
  if (need !== null && next.visit === state.visit && need === neededIn(graph, state)) return false;
  return effects.some((effect) => effect.kind === 'say' && asking.has(effect.payload.reason));
}

function neededIn(graph: Graph, state: SessionState): string | null {
  const node = nodeOf(graph, state, state.node);
  return node === null ? null : (nextNeed(graph, state, node)?.slot.name ?? null);
}

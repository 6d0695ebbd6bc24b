import type { SubjectKind } from '../../../src/kernel/dialogue/question.ts';
import type { Column } from '../../../src/kernel/dialogue/rule.ts';

/** A cell of the dialogue table. */
export interface Cell {
  /** The flow's open question, even if the model has asked something since. */
  readonly question: SubjectKind;
  readonly column: Column;
  readonly askedBy: 'flow' | 'model';
  /** `partly` includes not at all. `any` means that it makes no difference. */
  readonly heard: 'whole' | 'partly' | 'any';
}

interface Impossible {
  readonly where: { readonly [Axis in keyof Cell]?: readonly Cell[Axis][] };
  readonly why: string;
}

/** The cells that no call can reach, with the reasons. */
const impossible: readonly Impossible[] = [
  {
    where: { column: ['enter', 'press'], question: ['value'] },
    why: 'A generator has no slots and no menus, so keys are words at its questions.',
  },
  {
    where: { column: ['press'], question: ['choice'] },
    why: 'Keys are words at the question of a task, and a key of a menu is taken when it is pressed.',
  },
  {
    where: { column: ['enter'], question: ['consent', 'line', 'choice'], heard: ['whole'] },
    why: 'An entry begins at the question of its slot. The heard part is measured at its first key, before a later question.',
  },
  {
    where: { column: ['choose'], question: ['none', 'slot', 'line', 'read_back', 'consent', 'value', 'elsewhere'] },
    why: 'Only the question of a task has choices.',
  },
  {
    where: {
      column: ['decline', 'problem', 'call', 'correct', 'inform', 'restate', 'echo', 'stall'],
      question: ['choice'],
    },
    why: 'Words for the question of a task are read against its choices: all others are given to the task.',
  },
  {
    where: { column: ['echo'], question: ['elsewhere'] },
    why: 'A node that waits has no line whose verb could be repeated.',
  },
  {
    where: { column: ['problem'], question: ['none', 'line', 'read_back', 'consent', 'elsewhere'] },
    why: "Rules name what cannot be taken in the words only at a generator's typed question and at that for a telephone number.",
  },
  {
    where: { column: ['correct'], question: ['value'] },
    why: 'A generator keeps no slots, so nothing that is known can be corrected.',
  },
  {
    where: { column: ['call'], question: ['slot', 'read_back', 'value', 'elsewhere'] },
    why: 'A plain answer calls a function only at the line of a node that collects nothing, or at the question about a call.',
  },
  {
    where: { column: ['call'], askedBy: ['model'] },
    why: 'What the model has asked since is not the line that a function answers.',
  },
  {
    where: { column: ['decline'], question: ['line', 'value', 'elsewhere'] },
    why: 'Nothing is asked for that could be left unsaid: the node collects nothing.',
  },
];

/** Returns why no call can reach a cell; null if a call can. */
export function whyImpossible(cell: Cell): string | null {
  const found = impossible.find(({ where }) =>
    (Object.keys(where) as (keyof Cell)[]).every((axis) => (where[axis] as readonly unknown[]).includes(cell[axis])),
  );
  return found?.why ?? null;
}

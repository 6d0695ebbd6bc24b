import type { UserTurn } from '../../../src/model/signals/signal.ts';
import type { Graph } from '../../../src/flow/graph/graph.ts';
import { recordHeardBefore } from '../../../src/kernel/dialogue/record-heard.ts';
import { questionOnTop, type SubjectKind } from '../../../src/kernel/dialogue/question.ts';
import { columnOf, precedence } from '../../../src/kernel/dialogue/rule.ts';
import { rules } from '../../../src/kernel/dialogue/rules.ts';
import { createDraft } from '../../../src/kernel/state/draft.ts';
import { nodeOf } from '../../../src/kernel/move/offers.ts';
import type { SessionState } from '../../../src/kernel/state/state.ts';
import { type Cell, whyImpossible } from './impossible-cells.ts';

/** Counts the visited cells of the dialogue table: open question × act × asked by × heard. */
export interface Coverage {
  /** Records a turn with the state before it. */
  spoke(graph: Graph, state: SessionState, turn: UserTurn): void;
  visited(): readonly string[];
  /** Cells that no call has visited, although one can. */
  missing(): readonly string[];
  /** Cells that were visited although `impossible-cells.ts` lists them. */
  unexpected(): readonly string[];
  report(): string;
  /** Lists the cells that no call can reach, by reason. */
  impossible(): string;
}

export function createCoverage(): Coverage {
  const visited = new Set<string>();
  const names = allCells()
    .filter((cell) => whyImpossible(cell) === null)
    .map(nameOf);
  return {
    spoke(graph, state, turn) {
      const cell = cellOf(graph, state, turn);
      if (cell !== null) visited.add(nameOf(cell));
    },
    visited: () => [...visited],
    missing: () => names.filter((name) => !visited.has(name)),
    unexpected: () => [...visited].filter((name) => !names.includes(name)),
    report() {
      const missing = names.filter((name) => !visited.has(name));
      const count = names.length - missing.length;
      const share = Math.floor((100 * count) / names.length);
      return [
        `${count} of ${names.length} cells (${share} %) of question × act × asked by × heard were visited`,
        ...(missing.length === 0 ? [] : [`not visited: ${missing.join(', ')}`]),
      ].join('\n');
    },
    impossible: () => reasons(allCells()),
  };
}

function reasons(cells: readonly Cell[]): string {
  const byReason = new Map<string, string[]>();
  for (const cell of cells) {
    const why = whyImpossible(cell);
    if (why !== null) byReason.set(why, [...(byReason.get(why) ?? []), nameOf(cell)]);
  }
  const lines = [...byReason].map(([why, names]) => `  ${why}\n    ${names.join(', ')}`);
  const count = [...byReason.values()].flat().length;
  return [`${count} more cells of the table cannot occur:`, ...lines].join('\n');
}

/** Returns the cell that decides a turn; null if no cell does. */
function cellOf(graph: Graph, state: SessionState, turn: UserTurn): Cell | null {
  const column = columnOf(turn.utterance);
  const isDecided = turn.policy !== undefined || column === 'request';
  const node = nodeOf(graph, state, state.position.node);
  if (isDecided || state.people.takeover !== null || state.status !== 'active' || node === null || node.end !== null)
    return null;
  const draft = createDraft(graph, state, { civil: '2026-11-27T09:00', at: turn.at });
  recordHeardBefore(draft, turn);
  const question = questionOnTop(
    { ...draft, state: { ...draft.state, dialogue: { ...draft.state.dialogue, modelAsked: false } } },
    node,
    turn,
  ).kind;
  const isOwn = !state.dialogue.modelAsked || question === 'elsewhere' || question === 'choice';
  const isPut = isOwn && question !== 'none' && question !== 'elsewhere';
  const heard = !isPut ? 'any' : draft.state.dialogue.put?.heard === 'heard' ? 'whole' : 'partly';
  return { question, column, askedBy: isOwn ? 'flow' : 'model', heard };
}

/** Returns all cells. If a question was not asked, or not by the flow, a yes cannot answer it, so `heard` is `any`. */
function allCells(): readonly Cell[] {
  return questions.flatMap((question) =>
    columns.flatMap((column): readonly Cell[] => {
      if (question === 'elsewhere') return [{ question, column, askedBy: 'flow', heard: 'any' }];
      const byModel = { question, column, askedBy: 'model', heard: 'any' } as const;
      const byFlow = { question, column, askedBy: 'flow' } as const;
      if (question === 'choice')
        return [
          { ...byFlow, heard: 'whole' },
          { ...byFlow, heard: 'partly' },
        ];
      if (question === 'none') return [{ ...byModel, askedBy: 'flow' }, byModel];
      return [{ ...byFlow, heard: 'whole' }, { ...byFlow, heard: 'partly' }, byModel];
    }),
  );
}

/** The rows of the table. The model's own questions are the axis "asked by" instead. */
const questions = (Object.keys(rules) as readonly SubjectKind[]).filter((kind) => kind !== 'model'); // The keys of the table.
const columns = [...precedence, 'words' as const].filter((column) => column !== 'request');

function nameOf({ question, column, askedBy, heard }: Cell): string {
  return `${question} × ${column} × ${askedBy}${heard === 'any' ? '' : ` × ${heard}`}`;
}

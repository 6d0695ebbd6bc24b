import type { UserTurn } from '../../../src/events/signal.ts';
import type { Graph } from '../../../src/graph/graph.ts';
import { hearPutBefore } from '../../../src/kernel/dialogue/hear-put.ts';
import { questionOnTop, type SubjectKind } from '../../../src/kernel/dialogue/question.ts';
import { type Column, columnOf } from '../../../src/kernel/dialogue/rule.ts';
import { rules } from '../../../src/kernel/dialogue/rules.ts';
import { createDraft } from '../../../src/kernel/draft.ts';
import { nodeOf } from '../../../src/kernel/offers.ts';
import type { SessionState } from '../../../src/kernel/state.ts';
import { type Cell, whyImpossible } from './impossible-cells.ts';

/** Which cells of the dialogue table the callers' words have come to: open question × act × asked by × heard. */
export interface Coverage {
  /** The words of a turn reach this state. */
  spoke(graph: Graph, state: SessionState, turn: UserTurn): void;
  report(): string;
}

export function createCoverage(): Coverage {
  const visited = new Map<string, number>();
  return {
    spoke(graph, state, turn) {
      const cell = cellOf(graph, state, turn);
      if (cell !== null) visited.set(nameOf(cell), (visited.get(nameOf(cell)) ?? 0) + 1);
    },
    report() {
      const possible = allCells().filter((cell) => whyImpossible(cell) === null);
      const names = new Set(possible.map(nameOf));
      const missing = [...names].filter((name) => !visited.has(name));
      const wrong = [...visited.keys()].filter((name) => !names.has(name));
      const share = Math.floor((100 * (names.size - missing.length)) / names.size);
      return [
        `${names.size - missing.length} of ${names.size} cells (${share} %) of question × act × asked by × heard were visited`,
        ...(missing.length === 0 ? [] : [`not visited: ${missing.join(', ')}`]),
        ...(wrong.length === 0 ? [] : [`visited, though held to be impossible: ${wrong.join(', ')}`]),
      ].join('\n');
    },
  };
}

/** The cell that decides a turn; null if the turn never comes to the table. */
function cellOf(graph: Graph, state: SessionState, turn: UserTurn): Cell | null {
  const column = columnOf(turn.utterance);
  const isDecided = turn.policy !== undefined || turn.answersTask === true || column === 'request';
  const node = nodeOf(graph, state, state.node);
  if (isDecided || state.takeover !== null || state.status !== 'active' || node === null || node.end !== null)
    return null;
  const draft = createDraft(graph, state, { civil: '2026-11-27T09:00', at: turn.at });
  hearPutBefore(draft, turn);
  const question = questionOnTop({ ...draft, state: { ...draft.state, modelAsked: false } }, node).kind;
  const isOwn = !state.modelAsked || question === 'elsewhere';
  const isPut = isOwn && question !== 'none' && question !== 'elsewhere';
  const heard = !isPut ? 'any' : draft.state.put?.heard === 'heard' ? 'whole' : 'partly';
  return { question, column, askedBy: isOwn ? 'flow' : 'model', heard };
}

/** A question that was not put, or not by the flow, opens nothing to a yes: how much of it was heard decides nothing. */
function allCells(): readonly Cell[] {
  return questions.flatMap((question) =>
    columns.flatMap((column): readonly Cell[] => {
      if (question === 'elsewhere') return [{ question, column, askedBy: 'flow', heard: 'any' }];
      const byModel = { question, column, askedBy: 'model', heard: 'any' } as const;
      if (question === 'none') return [{ ...byModel, askedBy: 'flow' }, byModel];
      return [
        { question, column, askedBy: 'flow', heard: 'whole' },
        { question, column, askedBy: 'flow', heard: 'partly' },
        byModel,
      ];
    }),
  );
}

/** The rows of the table; that of the model's own questions is the axis "asked by". */
const questions = (Object.keys(rules) as readonly SubjectKind[]).filter((kind) => kind !== 'model'); // The keys of the table.
const columns = Object.keys(rules.slot) as readonly Exclude<Column, 'request'>[]; // The keys of a row.

function nameOf({ question, column, askedBy, heard }: Cell): string {
  return `${question} × ${column} × ${askedBy}${heard === 'any' ? '' : ` × ${heard}`}`;
}

import type { Graph } from '../../../src/graph/graph.ts';
import { confirmationIn } from '../../../src/kernel/draft.ts';
import { nodeOf } from '../../../src/kernel/offers.ts';
import { nextNeed } from '../../../src/kernel/slots.ts';
import type { SessionState } from '../../../src/kernel/state.ts';
import type { ActName, Utterance } from './utterance.ts';

/** What the open question is about. */
const subjects = [
  'slot',
  'read_back',
  'consent',
  'confirm_node',
  'confirm_ask',
  'choice',
  'value',
  'line',
  'model',
  'none',
] as const;
type Subject = (typeof subjects)[number];

/** What an utterance does, as the script means it. */
const kinds = [
  'yes',
  'weak yes',
  'no',
  'inform',
  'correct',
  'restate',
  'problem',
  'ask',
  'hedge',
  'decline',
  'request time',
  'request repeat',
  'request person',
  'request stop',
  'stall',
  'noise',
  'other',
  'silence',
] as const;
type Kind = (typeof kinds)[number];

const hearings = ['heard', 'partly'] as const;
type Hearing = (typeof hearings)[number];

/** Which cells of (question, act, heard) the calls have come to. */
export interface Coverage {
  spoke(graph: Graph, state: SessionState, utterance: Utterance | null, heard: string, isCut: boolean): void;
  report(): string;
}

export function createCoverage(): Coverage {
  const visited = new Map<string, number>();
  return {
    spoke(graph, state, utterance, heard, isCut) {
      const kind = utterance === null ? 'silence' : kindOf(utterance, heard);
      const hearing: Hearing = isCut && !heard.endsWith('?') ? 'partly' : 'heard';
      const cell = `${subjectOf(graph, state)} × ${kind} × ${hearing}`;
      visited.set(cell, (visited.get(cell) ?? 0) + 1);
    },
    report() {
      const cells = possibleCells();
      const missing = cells.filter((cell) => !visited.has(cell));
      const share = Math.floor((100 * (cells.length - missing.length)) / cells.length);
      return [
        `${cells.length - missing.length} of ${cells.length} cells (${share} %) of question × act × heard were visited`,
        ...(missing.length === 0 ? [] : [`not visited: ${missing.join(', ')}`]),
      ].join('\n');
    },
  };
}

/** The cells that can occur: silence comes after the whole line, and a question without values has nothing to correct. */
function possibleCells(): readonly string[] {
  return subjects.flatMap((subject) =>
    subject === 'none'
      ? []
      : kinds.flatMap((kind) =>
          hearings.flatMap((hearing) =>
            canOccur(subject, kind, hearing) ? [`${subject} × ${kind} × ${hearing}`] : [],
          ),
        ),
  );
}

function canOccur(subject: Subject, kind: Kind, hearing: Hearing): boolean {
  if (kind === 'silence' && hearing === 'partly') return false;
  // Only a question for a value can be answered by one, or by one that cannot be taken.
  const takesValue = subject === 'slot' || subject === 'value' || subject === 'model';
  if (kind === 'inform' || kind === 'problem') return takesValue;
  return true;
}

function subjectOf(graph: Graph, state: SessionState): Subject {
  if (state.modelAsked) return 'model';
  const wait = confirmationIn(state);
  switch (wait?.payload.subject.kind) {
    case 'slot':
      return 'read_back';
    case 'call':
      return 'consent';
    case 'node':
      return 'confirm_node';
    case undefined:
      break;
  }
  if (state.generator !== null) {
    const { lastYield, question } = state.generator;
    if (question === null || lastYield?.type !== 'ask') return 'none';
    return lastYield.isConsent === true ? 'confirm_ask' : 'value';
  }
  const node = nodeOf(graph, state, state.node);
  if (node === null) return 'none';
  if (node.task?.type.name === 'control.gate') return 'choice';
  if (nextNeed(graph, state, node) !== null) return 'slot';
  return node.functions.length > 0 ? 'line' : 'none';
}

const kindOfAct: Readonly<Partial<Record<ActName, Kind>>> = {
  twice: 'restate',
  hedge: 'hedge',
  aside_yes: 'ask',
  question: 'ask',
  repeat: 'request repeat',
  wait: 'request time',
  person: 'request person',
  stop: 'request stop',
  decline: 'decline',
  bad_value: 'problem',
  stall: 'stall',
  hmm: 'noise',
  unrelated: 'other',
};

function kindOf({ act, stance, isWeak, states, means }: Utterance, heard: string): Kind {
  const own = kindOfAct[act];
  if (own !== undefined) return own;
  if (Object.keys(states).length > 0)
    return act === 'answer' || act === 'trailing' ? (/right\?|shall i/i.test(heard) ? 'correct' : 'inform') : 'correct';
  if (stance === 'agrees') return isWeak ? 'weak yes' : 'yes';
  if (stance === 'refuses') return 'no';
  return means.wants === undefined ? 'other' : 'inform';
}

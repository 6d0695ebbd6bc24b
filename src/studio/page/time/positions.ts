import { computed, effect, signal } from '@preact/signals';
import type { ConversationDocument } from '../../../flow/document/document.ts';
import type { Graph } from '../../../flow/graph/graph.ts';
import type { Effect } from '../../../model/effect.ts';
import type { SessionState } from '../../../kernel/state/state.ts';
import type { LogFold } from '../../fold.ts';
import type { StepShown } from '../../protocol/session-shown.ts';
import { knownFlows, openedSession, shownStep } from '../model/session.ts';
import { flowNews } from '../model/studio.ts';

/** The session after a step. */
export interface Position {
  readonly seq: number;
  readonly state: SessionState;
  /** Effects that the step intended or changed. */
  readonly effects: readonly Effect[];
}

/** Why the page cannot fold this session; null if it can. */
export const foldFault = signal<string | null>(null);

/** Positions by step number. */
const positions = signal<ReadonlyMap<number, Position>>(new Map());

/** The selected position and the one before it; null until known. */
export const shownPosition = computed(() => positionAt(shownStep.value));
export const positionBefore = computed(() => {
  const steps = openedSession.value?.steps ?? [];
  const at = steps.findIndex(({ seq }) => seq === shownStep.value?.seq);
  return at <= 0 ? null : positionAt(steps[at - 1] ?? null);
});

function positionAt(step: StepShown | null): Position | null {
  if (step === null) return null;
  if (step.state === null) return positions.value.get(step.seq) ?? null;
  // Sent by the server in the form of `kernel/state.ts`.
  return { seq: step.seq, state: step.state as unknown as SessionState, effects: step.effects ?? [] };
}

/** The fold of one session. */
interface Folding {
  readonly sessionId: string;
  readonly fold: LogFold;
  readonly graphs: Map<string, Graph | null>;
}

let folding: Folding | null = null;
let running: Promise<void> = Promise.resolve();

/** Folds each shown session with the kernel, which is loaded on demand. */
export function startFolding(): void {
  effect(() => {
    const session = openedSession.value;
    if (session === null || session.folds === 'server') {
      foldFault.value = null;
      return;
    }
    running = running.then(() => foldOn(session.session.sessionId));
  });
}

async function foldOn(sessionId: string): Promise<void> {
  const session = openedSession.peek();
  if (session === null || session.session.sessionId !== sessionId) return;
  try {
    const { foldLog } = await import('../../fold.ts');
    if (folding?.sessionId !== sessionId) {
      const graphs = new Map<string, Graph | null>();
      folding = { sessionId, graphs, fold: foldLog(sessionId, (hash) => graphs.get(hash) ?? null) };
    }
    const { fold, graphs } = folding;
    const done = fold.positions.at(-1)?.seq ?? 0;
    for (const step of session.steps) {
      if (step.seq <= done) continue;
      await know(graphs, step.flowHash, session.flows);
      if (!fold.take(step)) throw new Error(`The flow of step ${step.seq} is not known to this page.`);
    }
    if (fold.positions.length === positions.peek().size && fold.positions.at(-1)?.seq === done) return;
    positions.value = new Map(fold.positions.map((position) => [position.seq, position]));
    foldFault.value = null;
  } catch (error) {
    foldFault.value = error instanceof Error ? error.message : String(error);
  }
}

/** Compiles the flow of a hash once from its document. */
async function know(
  graphs: Map<string, Graph | null>,
  hash: string,
  flows: Readonly<Record<string, { readonly document: unknown }>>,
): Promise<void> {
  if (hash === '' || graphs.has(hash)) return;
  const { compileKept } = await import('../../fold.ts');
  const onDisk = flowNews.peek()?.flow;
  const flow =
    flows[hash] ?? knownFlows.peek().get(hash) ?? (onDisk?.hash === hash ? onDisk : await (await fetchedFlow())(hash));
  // The server has validated the document; it is compiled like a stored one.
  const graph = flow.document === null ? null : await compileKept(flow.document as ConversationDocument);
  graphs.set(hash, graph?.hash === hash ? graph : null);
}

async function fetchedFlow() {
  const { api } = await import('../client/api.ts');
  return api.flow;
}

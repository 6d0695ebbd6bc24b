import { type FoldedStep, replay } from '../store/replay.ts';
import { FlowError } from '../model/errors.ts';
import type { Json } from '../model/json.ts';
import { isPlanSession } from '../model/own-sessions.ts';
import { assertOptions, has, type OptionShapes } from '../flow/document/problems/option-faults.ts';
import type { Catalog } from '../flow/graph/nodes/catalog.ts';
import { isGeneratorDocument } from '../flow/graph/generator-graph.ts';
import type { Graph } from '../flow/graph/graph.ts';
import { checkFlow } from '../flow/load/check-flow.ts';
import { createFlowLibrary, type FlowSource } from '../flow/load/files/flow-library.ts';
import { loadTaskGraph } from '../flow/load/load-task-graph.ts';
import { builtinCatalog } from '../flow/nodes/builtin.ts';
import { replayPlan } from '../people/schedules/replay-plan.ts';
import type { Store } from '../model/ports/store.ts';
import { type FlatStore, storeOf } from '../store/flat-store.ts';
import { catalogShape } from './options/option-faults.ts';
import { readOldSignal } from './read-old-signal.ts';
import { replayRun } from './tasks/replay-run.ts';
import { taskRunState } from './tasks/task-run-state.ts';

/** Options of a replay. */
export interface ReplayOptions {
  /** Node types of its flows; the built-in ones by default. */
  readonly catalog?: Catalog;
  /** The generators that it ran, by name. */
  readonly flows?: Readonly<Record<string, FlowSource>>;
}

const shapes: OptionShapes<ReplayOptions> = {
  catalog: catalogShape,
  flows: ['an object of flows by name', has],
};

/**
 * Folds the log of a session again: of a conversation, task run, schedule or campaign. Nothing is asked, said or done.
 * `isKept` is true if the result equals the stored state. Throws `session-unknown`, `flow-version-missing` if one of its flows cannot
 * be read, `session-kind-wrong` for a schedule or campaign stored without a log by an older release, and `config-invalid`.
 *
 * @example
 * const store = await openStore('sqlite:./data/roomflow.db');
 * const { isKept } = await replaySession(store, 'call-17');
 */
export async function replaySession(
  store: Store | FlatStore,
  sessionId: string,
  options: ReplayOptions = {},
): Promise<{ readonly isKept: boolean; readonly signals: number }> {
  assertOptions(options, shapes);
  return await foldSession(storeOf(store), sessionId, options);
}

/** Like `replaySession`; `onStep` receives each step of a conversation. */
export async function foldSession(
  store: Store,
  sessionId: string,
  { catalog = builtinCatalog, flows = {}, onStep }: ReplayOptions & { readonly onStep?: (step: FoldedStep) => void },
): Promise<{ readonly isKept: boolean; readonly signals: number }> {
  const kept = await store.sessions.get(sessionId);
  if (kept !== null && isPlanSession(sessionId)) return await replayPlan(store, kept);
  if (kept !== null && taskRunState(kept.state) !== null)
    return replayRun(
      store,
      sessionId,
      (document, name) => loadTaskGraph(document as object, { catalog, name }), // It was stored as a flow's document.
    );
  const library = createFlowLibrary(flows, { catalog });
  const compile = async (document: Json): Promise<Graph> => {
    if (isGeneratorDocument(document)) return library.compileKept(document);
    const { graph } = checkFlow(document as object, { catalog });
    if (graph !== null) return graph;
    throw new FlowError(
      'flow-version-missing',
      `a flow of session "${sessionId}" cannot be read. Give the catalog that it ran with, or use the release that ran it.`,
    );
  };
  const { isKept, signals } = await replay(store, sessionId, {
    ...{ compile, read: readOldSignal },
    ...(onStep === undefined ? {} : { onStep }),
  });
  return { isKept, signals };
}

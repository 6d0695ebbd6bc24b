import type { Json, JsonObject } from '../../model/json.ts';
import type { ConversationDocument } from '../../flow/document/document.ts';
import { generatorGraph, isGeneratorDocument } from '../../flow/graph/generator-graph.ts';
import type { Graph } from '../../flow/graph/graph.ts';
import { foldedOver } from '../../kernel/state/folded-over.ts';
import { newSession } from '../../kernel/state/state.ts';
import { readableState } from '../../kernel/state/upgrade.ts';
import type { LoggedSignal } from '../../model/ports/store.ts';
import { languageOf } from '../../language/language-of.ts';
import { readOldSignal } from '../../runner/read-old-signal.ts';
import { compileKept, foldLog, type Position } from '../fold.ts';
import type { StepShown } from '../protocol/session-shown.ts';

/** The steps of one session, folded as its log grows. */
export interface Steps {
  readonly shown: readonly StepShown[];
  /** The folded positions; they stop at the first flow that cannot be compiled here. */
  readonly positions: readonly Position[];
  /** Adds new signals. `kept` is the state after the last one, for flows that cannot be folded here. */
  take(logged: readonly LoggedSignal[], kept: Json | null): Promise<readonly StepShown[]>;
}

/** Creates an empty fold. `graphOf` returns the flow of a hash; null if this process cannot compile it. */
export function createSteps(sessionId: string, graphOf: (hash: string) => Promise<Graph | null>): Steps {
  const shown: StepShown[] = [];
  const graphs = new Map<string, Graph | null>();
  const fold = foldLog(sessionId, (hash) => graphs.get(hash) ?? null);
  let isBlind = false;
  const foldOne = async ({ seq, signal: told }: LoggedSignal): Promise<Position | null> => {
    const state = fold.positions.at(-1)?.state ?? newSession(sessionId);
    const hash = foldedOver(state, told);
    if (!graphs.has(hash)) graphs.set(hash, await graphOf(hash));
    const graph = graphs.get(hash);
    if (graph == null) return null;
    const signal = readOldSignal({ graph, state }, told);
    return fold.take({ seq, signal }) ? (fold.positions.at(-1) ?? null) : null;
  };
  return {
    shown,
    positions: fold.positions,
    async take(logged, kept) {
      const fresh: StepShown[] = [];
      for (const [index, one] of logged.entries()) {
        if (one.seq <= (shown.at(-1)?.seq ?? 0)) continue;
        const position = isBlind ? null : await foldOne(one);
        isBlind ||= position === null;
        const step =
          position === null ? unfolded(one, index === logged.length - 1 ? kept : null, shown.at(-1)) : folded(position);
        shown.push(step);
        fresh.push(step);
      }
      return fresh;
    },
  };
}

function folded({ seq, signal, state, effects, facts }: Position): StepShown {
  const { node, flow } = state.position;
  // States are JSON by the kernel's contract.
  return { seq, signal, state: state as unknown as JsonObject, effects, facts, node, flowHash: flow.hash };
}

/** For a flow that only the session process can compile, only the stored state is known. */
function unfolded({ seq, signal }: LoggedSignal, kept: Json | null, before: StepShown | undefined): StepShown {
  const known = kept === null ? null : readableState(kept);
  const node = known?.position.node ?? before?.node ?? '';
  const flowHash = 'flow' in signal ? signal.flow.hash : (before?.flowHash ?? '');
  const state = known as unknown as JsonObject | null; // States are JSON.
  return { seq, signal, state, effects: [], facts: [], node, flowHash };
}

/**
 * Returns the graph of a stored document, including generators, whose graph needs no code; null if it cannot be
 * compiled.
 */
export async function graphOfKept(document: Json | null): Promise<Graph | null> {
  if (document === null) return null;
  if (isGeneratorDocument(document)) return generatorGraph(document.name, { language: languageOf('en'), languageOf });
  return await compileKept(document as unknown as ConversationDocument); // The store keeps flow documents here.
}

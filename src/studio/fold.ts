import type { Effect } from '../model/effect.ts';
import type { FlowFact } from '../model/events/event.ts';
import type { Signal } from '../model/signals/signal.ts';
import { isClassicFlow } from '../flow/document/classic.ts';
import type { ConversationDocument } from '../flow/document/document.ts';
import { compileFlow } from '../flow/graph/compile/compile.ts';
import type { Graph } from '../flow/graph/graph.ts';
import type { Registered } from '../flow/graph/compile/registered.ts';
import { foldedOver } from '../kernel/state/folded-over.ts';
import { newSession, type SessionState } from '../kernel/state/state.ts';
import { step } from '../kernel/step.ts';
import { builtinCatalog } from '../flow/nodes/builtin.ts';
import type { LoggedSignal } from '../model/ports/store.ts';
import { foldingLanguages } from './folding-language.ts';

/** The session after one signal of its log. */
export interface Position {
  readonly seq: number;
  readonly signal: Signal;
  readonly state: SessionState;
  readonly effects: readonly Effect[];
  readonly facts: readonly FlowFact[];
}

/** The fold of a growing log. */
export interface LogFold {
  /** One position per signal, in the order of the log. */
  readonly positions: readonly Position[];
  /** Folds the next signal; returns false if its flow is not known. Signals that were taken before are ignored. */
  take(logged: LoggedSignal): boolean;
}

/** Creates the fold of a session. `graphOf` returns the flow of a hash; null if it is not known. */
export function foldLog(sessionId: string, graphOf: (hash: string) => Graph | null): LogFold {
  const positions: Position[] = [];
  return {
    positions,
    take({ seq, signal }) {
      const last = positions.at(-1);
      if (last !== undefined && seq <= last.seq) return true;
      const before = last?.state ?? newSession(sessionId);
      const graph = graphOf(foldedOver(before, signal));
      if (graph === null) return false;
      const { state, effects, facts } = step(graph, before, signal);
      positions.push({ seq, signal, state, effects, facts });
      return true;
    },
  };
}

/** Compiles a stored document; null if this release cannot read it or does not have its node types. */
export async function compileKept(
  document: ConversationDocument,
  declared: NonNullable<Registered['declared']> = new Map(),
): Promise<Graph | null> {
  const { language = 'en', languages = [] } = document;
  const languageOf = await foldingLanguages([language, ...languages]);
  const { graph } = compileFlow(document, {
    ...{ catalog: builtinCatalog, declared, endless: isClassicFlow(document) },
    ...{ language: languageOf(language), languageOf },
  });
  return graph;
}

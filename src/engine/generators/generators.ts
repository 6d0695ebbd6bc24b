import type { Effect, ToolPayload } from '../../model/effect.ts';
import type { Json } from '../../model/json.ts';
import type { Signal } from '../../model/signals/signal.ts';
import type { Graph } from '../../flow/graph/graph.ts';
import { functionIn, nodeOf } from '../../kernel/move/offers.ts';
import type { SessionState } from '../../kernel/state/state.ts';
import type { ExecutionOutcome } from '../../model/ports/executor.ts';
import type { Session } from '../session.ts';
import { readArguments } from '../calls/arguments.ts';
import {
  type Advanced,
  type AdvanceEffect,
  createGeneratorDriver,
  type GeneratorDriverOptions,
} from './generator-driver.ts';
import { journalOf } from './generator-journal.ts';

/** The host of a session's generators. */
export interface GeneratorHost extends Omit<
  GeneratorDriverOptions,
  'journal' | 'session' | 'language' | 'clock' | 'ids'
> {
  /** Returns the flow of a name; null if there is none. Throws if it cannot start with this input. */
  resolve(to: string, input: Json): Promise<Graph | null>;
}

export type HandoffEffect = Extract<Effect, { kind: 'handoff' }>;

/** A session's generators, as its engine uses them. */
export interface Generators {
  advance(effect: AdvanceEffect, state: SessionState): Promise<Advanced>;
  resolve(to: string, input: Json): Promise<Graph | null>;
  /** Returns the failure of a generator's call that must not run; null for any other call. */
  refusal(graph: Graph, state: SessionState, call: ToolPayload): ExecutionOutcome | null;
  close(): void;
}

export function createGenerators(session: Session): Generators {
  const { sessionId, options } = session;
  const { timeZone, clock, ids, store, generators: host } = options;
  const readLog = async (): Promise<readonly Signal[]> => {
    await session.committed();
    return (await store.steps.list(sessionId)).map(({ signal }) => signal);
  };
  const driver =
    host === undefined
      ? null
      : createGeneratorDriver({
          ...host,
          session: { id: sessionId, timeZone },
          language: () => session.graph.speech.language,
          clock,
          ids,
          journal: async (run) => journalOf(await readLog(), run),
        });
  return {
    async advance(effect, { position: { flow, generator } }) {
      if (driver !== null) return await driver.advance(effect, flow.id, generator?.input ?? {});
      return { type: 'generator:failed', key: effect.key, reason: 'no-generators' };
    },
    async resolve(to, input) {
      return host === undefined ? null : await host.resolve(to, input);
    },
    refusal(graph, state, call) {
      if (graph.generator === null) return null;
      const node = nodeOf(graph, state, call.node);
      const offered = node === null ? null : functionIn(graph, node, call.name);
      if (offered === null)
        return { ok: false, cancelled: false, error: `The function ${call.name} is not available.` };
      const given = readArguments(offered, JSON.stringify(call.arguments));
      return given.ok ? null : { ok: false, cancelled: false, error: given.error };
    },
    close: () => driver?.close(),
  };
}

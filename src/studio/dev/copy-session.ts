import { FlowError } from '../../model/errors.ts';
import { type Effect, effectKinds } from '../../model/effect.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import type { Signal } from '../../model/signals/signal.ts';
import type { Graph } from '../../flow/graph/graph.ts';
import type { SessionState } from '../../kernel/state/state.ts';
import type { Store } from '../../model/ports/store.ts';
import type { Position } from '../fold.ts';
import { createSteps } from '../sessions/steps.ts';
import { movesInto } from './todays-flow.ts';

/** The step from which a copy continues. */
export interface CopiedSession {
  /** The requested step, or the next step at which no effect was running. */
  readonly seq: number;
  readonly isLater: boolean;
}

export interface CopyOptions {
  readonly store: Store;
  readonly from: string;
  readonly to: string;
  readonly owner: string;
  /** The positions of the original. */
  readonly positions: readonly Position[];
  readonly seq: number;
  readonly graphOf: (hash: string) => Promise<Graph | null>;
  /** The flow version of the copy; null for the version of the step. */
  readonly version: Graph | null;
  readonly now: number;
}

const leaseMs = 5_000;

/**
 * Writes a new session whose log is the beginning of another one. Effects of the original are not repeated. The copy
 * continues from the requested step or, if an effect was running there, from the next step without one. Throws
 * `step-unknown`, `session-over` for a step after the end, and `copy-impossible`.
 */
export async function copySession(options: CopyOptions): Promise<CopiedSession> {
  const { store, from, to, owner, positions, seq, graphOf, version, now } = options;
  const last = positions.findIndex((one) => one.seq >= seq && isQuiet(one.state));
  const end = positions[last];
  if (!positions.some((one) => one.seq === seq) || end === undefined)
    throw new FlowError(
      'step-unknown',
      'the conversation cannot continue from this step, because an effect of it has not ended. Choose an earlier step.',
    );
  if (end.state.status === 'ended' || end.state.status === 'ending')
    throw new FlowError('session-over', 'the conversation has ended at this step. Choose an earlier step.');
  const signals = positions
    .slice(0, last + 1)
    .map((one) => ({ seq: one.seq, signal: renamed(one.signal as unknown as Json, from, to) as unknown as Signal })); // Signals are JSON.
  const steps = createSteps(to, graphOf);
  await steps.take(signals, null);
  const copied = steps.positions.at(-1)?.state;
  if (copied === undefined || steps.positions.length !== signals.length || !isSame(copied, end.state, from, to))
    throw new FlowError('copy-impossible', 'the steps of this session cannot be repeated here. Start another session.');
  const graph = await graphOf(copied.position.flow.hash);
  if (version !== null && graph !== null) {
    await store.graphs.save(version.hash, version.document as unknown as Json); // Documents are JSON.
    for (const signal of movesInto(version, { graph, state: copied }, now))
      signals.push({ seq: (signals.at(-1)?.seq ?? 0) + 1, signal });
    await steps.take(signals, null);
  }
  const state = steps.positions.at(-1)?.state ?? copied;
  const effects = new Map<string, Effect>();
  for (const position of steps.positions) for (const effect of position.effects) effects.set(effect.key, effect);
  // Effect lists contain no settlements. The state knows which effects are still open.
  const kept = [...effects.values()].map((effect) => keptEffect(state.effects[effect.key] ?? settled(effect)));
  const lease = await store.leases.acquire({ sessionId: to, owner, ttlMs: leaseMs });
  if (lease === null) throw new FlowError('session-taken', 'a session with this id already exists.');
  await store.steps.create({
    ...{ lease, baseSeq: 0, inputKeys: [], signals, effects: kept, events: () => [] },
    ...{ state: state as unknown as Json, stateVersion: state.stateVersion, graphHash: state.position.flow.hash },
  });
  await store.leases.release(lease);
  return { seq: end.seq, isLater: end.seq !== seq };
}

function isQuiet({ effects }: SessionState): boolean {
  return !Object.values(effects).some(
    ({ kind, state }) => effectKinds[kind].runs && (state === 'intended' || state === 'started'),
  );
}

function settled(effect: Effect): Effect {
  return effect.state === 'intended' || effect.state === 'started' ? { ...effect, state: 'done' } : effect;
}

/** Messages of the original have been sent already. */
function keptEffect(effect: Effect): Effect {
  return effect.kind === 'message' ? settled(effect) : effect;
}

/** Replaces the keys of one session by those of another in a value. */
function renamed(value: Json, from: string, to: string): Json {
  if (typeof value === 'string') {
    if (value === from) return to;
    return value.startsWith(`${from}/`) ? `${to}${value.slice(from.length)}` : value;
  }
  if (Array.isArray(value)) return (value as readonly Json[]).map((one) => renamed(one, from, to));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value as JsonObject).map(([name, member]) => [
      name.startsWith(`${from}/`) ? `${to}${name.slice(from.length)}` : name,
      renamed(member, from, to),
    ]),
  );
}

function isSame(state: SessionState, original: SessionState, from: string, to: string): boolean {
  return JSON.stringify(state) === JSON.stringify(renamed(original as unknown as Json, from, to)); // States are JSON.
}

import { readableState } from '../../kernel/state/upgrade.ts';
import { FlowError } from '../../model/errors.ts';
import type { SessionSnapshot, SessionSummary, Store } from '../../model/ports/store.ts';
import { durationMs, durationSchema } from '../../people/duration.ts';
import { taskRunState } from '../../runner/tasks/task-run-state.ts';

export const filterArgs = {
  state: { type: 'string', description: 'Only sessions with this status, such as active, ended, parked or running.' },
  flow: { type: 'string', description: 'Only sessions in this flow.' },
  node: { type: 'string', description: 'Only conversations in this node.' },
  older: { type: 'string', description: 'Only sessions whose last step is older than this: 30m, 2h, 7d.' },
  stuck: { type: 'boolean', description: 'Only sessions that are parked, have a dead letter or an overdue wait.' },
} as const;

/** The conditions of a list of sessions. */
export interface SessionFilter {
  readonly state?: string | undefined;
  readonly flow?: string | undefined;
  readonly node?: string | undefined;
  readonly older?: string | undefined;
  readonly stuck?: boolean | undefined;
}

/** The place of a session: its status, flow and node. `node` is null for runs, schedules and campaigns. */
export interface SessionPlace {
  readonly state: string;
  readonly flow: string | null;
  readonly node: string | null;
}

/** Checks whether a list has conditions that need the state of each session. */
export function isFiltered({ state, flow, node, older, stuck }: SessionFilter): boolean {
  return [state, flow, node, older].some((one) => one !== undefined) || stuck === true;
}

/** Returns the place of a session; null if this release cannot read it. */
export function placeOf({ state }: SessionSnapshot): SessionPlace | null {
  const run = taskRunState(state);
  if (run !== null) return { state: run.status, flow: run.taskFlow.id, node: null };
  const talk = readableState(state);
  return talk === null ? null : { state: talk.status, flow: talk.position.flow.id, node: talk.position.node };
}

/** Returns the time before which the last step must be, in epoch milliseconds. Throws `option-invalid`. */
export function olderThan({ older }: SessionFilter, now: number): number {
  if (older === undefined) return Infinity;
  if (durationSchema.safeParse(older).success) return now - durationMs(older);
  throw new FlowError('option-invalid', '--older must be a length of time, such as 30m, 2h or 7d.');
}

/** Checks whether a session meets all conditions. */
export async function meets(
  store: Store,
  filter: SessionFilter,
  { sessionId, updatedAt }: SessionSummary,
  kept: SessionSnapshot,
  now: number,
): Promise<boolean> {
  if (updatedAt >= olderThan(filter, now)) return false;
  const place = placeOf(kept);
  if (filter.state !== undefined && place?.state !== filter.state) return false;
  if (filter.flow !== undefined && place?.flow !== filter.flow) return false;
  if (filter.node !== undefined && place?.node !== filter.node) return false;
  return filter.stuck !== true || (await isStuck(store, sessionId, place, now));
}

async function isStuck(store: Store, sessionId: string, place: SessionPlace | null, now: number): Promise<boolean> {
  if (place?.state === 'parked') return true;
  if ((await store.inbox.list({ state: 'dead', sessionId, limit: 1 })).length > 0) return true;
  const effects = await store.effects.list(sessionId);
  return effects.some(
    ({ kind, state, deadline }) => kind === 'wait' && state === 'intended' && (deadline ?? now) < now,
  );
}

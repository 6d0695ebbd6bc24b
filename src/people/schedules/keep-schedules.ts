import { FlowError } from '../../model/errors.ts';
import { isJsonObject, type Json, type JsonObject } from '../../model/json.ts';
import { schedulesId } from '../../model/own-sessions.ts';
import type { CivilTime } from '../../model/ports/time.ts';
import { changeKept, type Folded, type KeepParts, type KeptKind } from '../keep-state.ts';
import { foldSchedule, type ScheduleChange, scheduleSession, type ScheduleState } from './fold-schedule.ts';
import type { Schedule } from './schedule.ts';

/** Dependencies of schedules. */
export interface ScheduleParts extends KeepParts {
  readonly civil: CivilTime;
}

const prefix = scheduleSession('');
const hash = 'schedule/1';

/** Checks by its id whether a session is a schedule. */
export function isScheduleSession(sessionId: string): boolean {
  return sessionId.startsWith(prefix);
}

/** Returns the stored state of a schedule; null for any other state. */
export function scheduleStateOf(state: Json): ScheduleState | null {
  const isOne = typeof state === 'object' && state !== null && 'kind' in state && state['kind'] === 'schedule';
  return isOne ? (state as unknown as ScheduleState) : null; // Only this file writes states of this kind.
}

/**
 * Adds or replaces (`put`), pauses, resumes, removes or runs a schedule. Throws `schedule-unknown` if it does not exist
 * or was removed, and `session-taken` if another process holds it for too long.
 */
export async function changeSchedule(parts: ScheduleParts, id: string, change: ScheduleChange): Promise<ScheduleState> {
  let isThere = true;
  const state = await changeKept(parts, kindOf(id), change.type, (before) => {
    const isGone = before?.status === 'removed' && change.type !== 'remove';
    isThere = change.type === 'put' || (before !== null && !isGone);
    return isThere ? foldSchedule(before, change, parts.clock.now(), parts.civil) : null;
  });
  if (state !== null && isThere) return state;
  throw new FlowError('schedule-unknown', `the store has no schedule "${id}". "roomflow schedule ls" lists them.`);
}

/** Processes the entry of a tick: posts the run and the next tick in the transaction that consumes it. */
export async function takeTick(parts: ScheduleParts, sessionId: string, key: string): Promise<void> {
  const { clock, civil } = parts;
  await changeKept(
    parts,
    kindOf(sessionId.slice(prefix.length)),
    'due',
    (before) => foldSchedule(before, { type: 'due', key }, clock.now(), civil),
    key,
  );
}

/** Returns the schedules of a store, sorted by id, without removed ones. */
export async function listSchedules({ store }: Pick<ScheduleParts, 'store'>): Promise<readonly ScheduleState[]> {
  const sessions = await store.sessions.list({ limit: Number.MAX_SAFE_INTEGER, prefix });
  const ids = sessions.map(({ sessionId }) => sessionId);
  const states: ScheduleState[] = [];
  for (const sessionId of ids.toSorted()) {
    const kept = await store.sessions.get(sessionId);
    const state = kept === null ? null : scheduleStateOf(kept.state);
    if (state !== null && state.status !== 'removed') states.push(state);
  }
  return states;
}

/**
 * Adds, changes and removes stored schedules to match the configuration. Schedules of people and tools are not changed.
 * Several processes may run it at once.
 */
export async function syncSchedules(parts: ScheduleParts, schedules: readonly Schedule[]): Promise<void> {
  for (const schedule of schedules)
    await changeSchedule(parts, schedule.id, { type: 'put', schedule, origin: 'config' });
  const ids = schedules.map(({ id }) => id);
  const gone: string[] = [];
  await changeKept(parts, configured, 'configure', (before): Folded<ConfiguredSchedules> | null => {
    gone.push(...(before?.ids ?? []).filter((id) => !ids.includes(id)));
    const isSame = before !== null && gone.length === 0 && before.ids.length === ids.length;
    return isSame || (before === null && ids.length === 0)
      ? null
      : { state: { kind: 'schedules', ids }, posts: [], withdraws: [] };
  });
  for (const id of gone) await changeSchedule(parts, id, { type: 'remove' });
}

function kindOf(id: string): KeptKind<ScheduleState> {
  return { sessionId: scheduleSession(id), hash, read: scheduleStateOf };
}

/** The schedule ids of the configuration at the last sync. */
interface ConfiguredSchedules {
  readonly kind: 'schedules';
  readonly ids: readonly string[];
}

const configured: KeptKind<ConfiguredSchedules> = {
  sessionId: schedulesId,
  hash,
  // An older release could store a conversation under this id; it is replaced.
  read: (state) =>
    isJsonObject(state) && state['kind'] === 'schedules' ? (state as JsonObject & ConfiguredSchedules) : null,
};

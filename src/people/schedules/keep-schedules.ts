import { FlowError } from '../../errors.ts';
import { isJsonObject, type Json, type JsonObject } from '../../events/json.ts';
import { schedulesId } from '../../events/own-sessions.ts';
import type { CivilTime } from '../../ports/time.ts';
import { changeKept, type Folded, type KeepParts, type KeptKind } from '../keep-state.ts';
import { foldSchedule, type ScheduleChange, scheduleSession, type ScheduleState } from './fold-schedule.ts';
import type { Schedule } from './schedule.ts';

/** What schedules need of the world. */
export interface ScheduleParts extends KeepParts {
  readonly civil: CivilTime;
}

const prefix = scheduleSession('');
const hash = 'schedule/1';

/** Whether a session is a schedule, by its id. */
export function isScheduleSession(sessionId: string): boolean {
  return sessionId.startsWith(prefix);
}

/** The state of a schedule, as a store has kept it; null for any other state. */
export function scheduleStateOf(state: Json): ScheduleState | null {
  const isOne = typeof state === 'object' && state !== null && 'kind' in state && state['kind'] === 'schedule';
  return isOne ? (state as unknown as ScheduleState) : null; // Nobody else writes states of this kind.
}

/**
 * Changes a schedule: adds it or gives it another time (`put`), pauses it, lets it go on, removes it, or runs it now.
 * Throws `schedule-unknown` where there is none, or it was removed, and `session-taken` where another process has it for long.
 */
export async function changeSchedule(parts: ScheduleParts, id: string, change: ScheduleChange): Promise<ScheduleState> {
  let isThere = true;
  const state = await changeKept(parts, kindOf(id), change.type, (before) => {
    const isGone = before?.status === 'removed' && change.type !== 'remove';
    isThere = change.type === 'put' || (before !== null && !isGone);
    return isThere ? foldSchedule(before, change, parts.clock.now(), parts.civil) : null;
  });
  if (state !== null && isThere) return state;
  throw new FlowError('schedule-unknown', `the store keeps no schedule "${id}". List them by "roomflow schedule ls".`);
}

/** Takes the entry of a tick: posts the run and the next tick, in the transaction that consumes it. */
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

/** The schedules of a store, by their ids; removed ones are left out. */
export async function listSchedules({ store }: Pick<ScheduleParts, 'store'>): Promise<readonly ScheduleState[]> {
  const sessions = await store.listSessions(Number.MAX_SAFE_INTEGER, { prefix });
  const ids = sessions.map(({ sessionId }) => sessionId);
  const states: ScheduleState[] = [];
  for (const sessionId of ids.toSorted()) {
    const kept = await store.loadSnapshot(sessionId);
    const state = kept === null ? null : scheduleStateOf(kept.state);
    if (state !== null && state.status !== 'removed') states.push(state);
  }
  return states;
}

/**
 * Makes the kept schedules those of the configuration: adds, changes and removes. What people and tools have added stays
 * as it is. Several processes may do it at once.
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

/** Which schedules the configuration has named the last time. */
interface ConfiguredSchedules {
  readonly kind: 'schedules';
  readonly ids: readonly string[];
}

const configured: KeptKind<ConfiguredSchedules> = {
  sessionId: schedulesId,
  hash,
  // An older release took this id for a conversation as well, which is replaced.
  read: (state) =>
    isJsonObject(state) && state['kind'] === 'schedules' ? (state as JsonObject & ConfiguredSchedules) : null,
};

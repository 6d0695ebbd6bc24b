import type { Event } from '../../model/events/event.ts';
import { builtInLinesOf } from './built-in-lines.ts';
import { maskPersonal } from '../../store/mask-personal.ts';
import { errorKind, FlowError } from '../../model/errors.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import type { Effect } from '../../model/effect.ts';
import type { Signal } from '../../model/signals/signal.ts';
import { isWaiting } from '../../kernel/state/draft.ts';
import { type Hitl, hitlOf, hitlOfEffects } from '../../kernel/wait/hitl.ts';
import { readState } from '../../kernel/state/upgrade.ts';
import { namedSession } from '../../livekit/guards/content-free-line.ts';
import { telephoneNames } from '../../livekit/guards/telephone-names.ts';
import { planStand } from '../../people/schedules/plan-stand.ts';
import type { SessionSnapshot, Store } from '../../model/ports/store.ts';
import { taskRunState } from '../tasks/task-run-state.ts';

/** Returns a stored session by its id, or by the pseudonym that logs show for a telephone number. Throws `session-unknown`. */
export async function keptSession(store: Store, given: string): Promise<SessionSnapshot> {
  return (await findSession(store, given)) ?? sessionUnknown(given);
}

/** Like `keptSession`; null if the store has no such session. */
export async function findSession(store: Store, given: string): Promise<SessionSnapshot | null> {
  return (await store.sessions.get(given)) ?? (await keptUnder(store, given));
}

/** Throws `session-unknown`. */
export function sessionUnknown(sessionId: string): never {
  throw new FlowError(
    'session-unknown',
    `the store keeps no session "${sessionId}". List them by "roomflow sessions".`,
  );
}

/** Pseudonyms in logs derive from the key of the LiveKit server, so the same key finds them. */
async function keptUnder(store: Store, shown: string): Promise<SessionSnapshot | null> {
  if (!/^tel-[0-9a-f]{12}/.test(shown)) return null;
  const nameOf = telephoneNames(process.env);
  const all = await store.sessions.list({ limit: Number.MAX_SAFE_INTEGER });
  const found = all.find(({ sessionId }) => namedSession(sessionId, nameOf) === shown);
  return found === undefined ? null : await store.sessions.get(found.sessionId);
}

/** Reads everything stored of a session. Personal data is masked unless `reveal` is set. */
export async function readKept(store: Store, snapshot: SessionSnapshot, reveal: boolean) {
  const { sessionId } = snapshot;
  const [signals, effects, events] = await Promise.all([
    store.steps.list(sessionId),
    store.effects.list(sessionId),
    store.steps.listEvents(sessionId),
  ]);
  const flow = await store.graphs.get(snapshot.graphHash);
  const kept = { snapshot, signals, effects, events };
  if (reveal) return { ...kept, flow };
  const caller = await callerOf(store, snapshot);
  const hashes = new Set([...signals, ...(caller?.signals ?? [])].flatMap(({ signal }) => hashIn(signal)));
  if (caller !== null) hashes.add(caller.snapshot.graphHash);
  hashes.delete(snapshot.graphHash);
  const others = await Promise.all([...hashes].map((hash) => store.graphs.get(hash)));
  const flows = [flow, ...others].flatMap((document) =>
    document === null ? [] : [document, builtInLinesOf(document)],
  );
  // Masking keeps the shape, and all of it came from a store as JSON.
  const masked = maskPersonal({ ...kept, caller } as unknown as Json, flows) as unknown as typeof kept & {
    caller: unknown;
  };
  const { caller: _caller, ...own } = masked;
  return { ...own, events: own.events.map((event, index) => withOwnTrace(event, events[index])), flow };
}

/** Restores a turn's trace, which contains only names of the flow and numbers: a duration may equal a masked value. */
function withOwnTrace(masked: Event, event: Event | undefined): Event {
  return masked.type === 'turn:completed' && event?.type === masked.type ? { ...masked, data: event.data } : masked;
}

/** Returns the conversation that called a run, because its personal data is personal in the run too. Null for any other session. */
async function callerOf(store: Store, { state }: SessionSnapshot) {
  const { calledBy } = taskRunState(state) ?? {};
  const snapshot = calledBy === undefined ? null : await store.sessions.get(calledBy.sessionId);
  return snapshot === null ? null : { snapshot, signals: await store.steps.list(snapshot.sessionId) };
}

function hashIn(signal: Signal): readonly string[] {
  return 'flow' in signal ? [signal.flow.hash] : [];
}

/** Returns the ids of the task runs that a conversation's functions have called. */
export async function runsCalledBy(store: Store, sessionId: string): Promise<readonly string[]> {
  const below = await store.sessions.list({ limit: Number.MAX_SAFE_INTEGER, prefix: `${sessionId}/` });
  const called = await Promise.all(
    below.map(async ({ sessionId: id }) => {
      const kept = await store.sessions.get(id);
      return kept !== null && taskRunState(kept.state)?.calledBy?.sessionId === sessionId ? [id] : [];
    }),
  );
  return called.flat();
}

/** Returns the progress of a session; for a run also whether it waits, which only its effects show. */
export async function standIn(store: Pick<Store, 'effects'>, { sessionId, state }: SessionSnapshot): Promise<string> {
  const run = taskRunState(state);
  return run?.status === 'running' ? standOf(state, await store.effects.list(sessionId)) : standOf(state);
}

/** Returns the progress of a conversation, task run, schedule or campaign. */
export function standOf(state: Json, effects: readonly Effect[] = []): string {
  const run = taskRunState(state);
  if (run !== null)
    return `${run.status === 'running' && onlyWaits(effects) ? 'waiting' : run.status}  ${run.taskFlow.id}`;
  const plan = planStand(state);
  if (plan !== null) return plan;
  return standOfConversation(state);
}

/** A session that this release cannot read must not break a list. */
function standOfConversation(state: Json): string {
  try {
    const {
      status,
      position: { flow, node },
    } = readState(state);
    return `${status}  ${flow.id} @ ${node}`;
  } catch (error) {
    return `unreadable  ${errorKind(error)}`;
  }
}

/** Checks whether a run only waits, without other work. */
function onlyWaits(effects: readonly Effect[]): boolean {
  const open = effects.filter(({ state }) => state === 'intended' || state === 'started');
  const waits = open.filter(isWaiting);
  // A task is also open while something inside it waits.
  const isAround = ({ key }: Effect): boolean =>
    waits.some((wait) => wait.key.startsWith(`${key}.`) || wait.key.startsWith(`${key}/`));
  return waits.length > 0 && open.every((one) => one.kind !== 'task' || isAround(one));
}

/** Returns what a conversation or run waits for, or how the wait ended; none for other sessions. */
export function hitlIn(state: Json, effects: readonly Effect[]): Hitl {
  if (taskRunState(state) !== null) return hitlOfEffects(effects);
  return planStand(state) === null ? hitlOf(readState(state)) : { hitlState: 'none' };
}

/** Returns the values of a conversation, or the result of a task run. */
export function valuesOf(state: Json): readonly string[] {
  const run = taskRunState(state);
  if (run !== null) {
    const failures = run.end?.failures.map(({ taskId, code, message }) => `${taskId}: ${code}: ${message}`) ?? [];
    return [...lines(run.end?.outputs ?? {}), ...failures];
  }
  // A plan's state is a JSON object.
  if (planStand(state) !== null) return lines(state as JsonObject);
  const { slots, variables } = readState(state).knowledge;
  const known = Object.entries(slots).map(
    ([name, { value, confirmed }]) => `${name} = ${JSON.stringify(value)}${confirmed ? '' : '  (not confirmed)'}`,
  );
  return [...known, ...lines(variables)];
}

function lines(values: JsonObject): readonly string[] {
  return Object.entries(values).map(([name, value]) => `${name} = ${JSON.stringify(value)}`);
}

import { errorKind, FlowError } from '../../model/errors.ts';
import { type EffectKey, isShared, kindsThat } from '../../model/effect.ts';
import { isWaiting } from '../../kernel/state/draft.ts';
import { readState } from '../../kernel/state/upgrade.ts';
import type { OpenEffect, SessionSnapshot, Store } from '../../model/ports/store.ts';
import type { Clock } from '../../model/ports/time.ts';
import { guardOf } from '../guarded.ts';
import { type TaskRunState, taskRunState } from '../tasks/task-run-state.ts';

/** Work that could not be continued and is not retried automatically. */
export interface AbandonedWorkFailure {
  readonly key: EffectKey;
  readonly sessionId: string;
  readonly error: unknown;
  readonly attempt: number;
}

export interface AbandonedWorkParts {
  readonly store: Store;
  readonly clock: Clock;
  /** Whether runs of this kind can be continued here. */
  readonly knows: (run: TaskRunState) => boolean;
  readonly goOn: (sessionId: string, run: TaskRunState) => Promise<void>;
  readonly onFailed: (failure: AbandonedWorkFailure) => void;
}

/** Effects that a session performs itself. Others answer waits and send messages; speech waits for a listener. */
const kinds = kindsThat(({ runs }) => runs).filter(isShared);
/** How long a clerk has an effect before it owns the session, in milliseconds. */
const claimMs = 60_000;
/** A supervisor that ends the call of a dead process comes first, in milliseconds. */
const supervisedMs = 60_000;
/** How many effects are looked at. */
const looked = 100;
/** After this many attempts, a session that kills each process is left alone. */
const mostTries = 3;

/**
 * Looks for open effects of sessions without an owner, whose process has died or released them too early. A
 * run continues at once. A conversation gets a guard, which a clerk takes unless its caller returns first.
 */
export async function findAbandonedWork(parts: AbandonedWorkParts): Promise<void> {
  for (const kind of kinds) {
    const open = await parts.store.effects.claim({ kind, ttlMs: claimMs, limit: looked });
    for (const sessionId of new Set(open.map((one) => one.sessionId)))
      await takeUp(
        parts,
        sessionId,
        open.filter((one) => one.sessionId === sessionId),
      ).catch((error: unknown) => {
        // One unreadable session must not block others.
        if (errorKind(error) === 'store-closed') throw error;
        parts.onFailed({ key: open[0]?.effect.key ?? sessionId, sessionId, error, attempt: 1 });
      });
  }
}

async function takeUp(parts: AbandonedWorkParts, sessionId: string, open: readonly OpenEffect[]): Promise<void> {
  const { store, clock, onFailed } = parts;
  const goOn = await wayOn(parts, sessionId, open);
  const effects = open.map(({ effect: { key } }) => ({ sessionId, key }));
  if (goOn === 'over') return await store.effects.update(effects, { until: null });
  if (goOn === null) return;
  const tries = Math.max(...open.map(triesOf));
  const key = open[0]?.effect.key ?? sessionId;
  if (tries >= mostTries) {
    await store.effects.update(effects, { until: null, reason: 'session-abandoned' });
    const error = new FlowError(
      'session-abandoned',
      `session "${sessionId}" has ended each process that went on with it.`,
    );
    onFailed({ key, sessionId, error, attempt: tries });
    return;
  }
  // Stored before the attempt, so that an attempt that kills the process is counted.
  await store.effects.update(effects, { until: clock.now() + claimMs, reason: `${takenUp}${tries + 1}` });
  goOn().catch((error: unknown) => {
    if (errorKind(error) !== 'session-taken') onFailed({ key, sessionId, error, attempt: tries + 1 });
  });
}

/** Returns how to continue a session; `over` if its work is obsolete, null if it is not for this clerk. */
async function wayOn(
  { store, clock, knows, goOn }: AbandonedWorkParts,
  sessionId: string,
  open: readonly OpenEffect[],
): Promise<(() => Promise<void>) | 'over' | null> {
  const kept = await store.sessions.get(sessionId);
  if (kept === null) return null;
  const run = taskRunState(kept.state);
  if (run !== null) return run.status === 'running' && knows(run) ? () => goOn(sessionId, run) : null;
  const { status } = readState(kept.state);
  if (status === 'parked') return null;
  if (status !== 'active' && status !== 'ending') return 'over';
  const reach = await reachOf(store, kept);
  const guards = open
    .slice(0, 1)
    .map(({ effect: { key } }) => guardOf({ key, sessionId, reach }, clock.now() + supervisedMs));
  return async () => void (await store.inbox.post(guards));
}

/** A text conversation continues as text. */
async function reachOf(store: Store, { sessionId }: SessionSnapshot): Promise<'message' | 'wait'> {
  const effects = await store.effects.list(sessionId);
  const isWritten = effects.some((one) => one.kind === 'message' && 'speech' in one.payload.data);
  return isWritten || effects.findLast(isWaiting)?.payload.reach === 'message' ? 'message' : 'wait';
}

const takenUp = 'taken-up ';

/** Returns how many processes have attempted an effect without finishing it. */
function triesOf({ failed }: OpenEffect): number {
  const reason = failed?.reason ?? '';
  return reason.startsWith(takenUp) ? Number(reason.slice(takenUp.length)) : 0;
}

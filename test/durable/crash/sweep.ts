import type { Json } from '../../../src/model/json.ts';
import { sameValue } from '../../../src/flow/expression/same-value.ts';
import type { Store } from '../../../src/model/ports/store.ts';
import type { Clock } from '../../../src/model/ports/time.ts';
import { systemClock } from '../../../src/system.ts';
import { allPoints, type CrashPoint, mortal, nameOfPoint, type Steps } from './mortal.ts';
import { type Caller, foldsToItsState, newCaller, outcome, play, sessionId } from './play.ts';
import { ledgerInMemory, noon, type Scene, type World } from './scenes.ts';

/** A place for sessions that outlives the processes that open it. */
export interface Place {
  /** Opens it like another process. */
  open(clock: Clock): Promise<Store>;
  /** Whether its commits are answered late. */
  readonly answersLate?: true;
}

/** Longer than a lease, so that the resuming process need not wait in real time. */
export const gapMs = 61_000;

/** Returns the crash points of a scene. A test's realtime model answers at once, so it cannot wait for pending writes. */
export function pointsOf({ realtime }: Scene, steps: Steps): readonly CrashPoint[] {
  return allPoints(steps).filter(({ at, when }) => realtime === undefined || at === 'write' || when === 'before');
}

/** Plays a scene without a crash. Returns its end and its number of steps. */
export async function uncrashed(
  scene: Scene,
  place: Place,
): Promise<{ readonly expected: Json; readonly steps: Steps }> {
  const store = await place.open(clockAt(noon));
  const world = scene.openWorld(ledgerInMemory());
  const { store: counting, steps, infer } = mortal(store, null, () => undefined);
  await play(scene, { store: counting, world, caller: newCaller(), now: noon, infer });
  const expected = await outcome(store, world);
  await store.close();
  return { expected, steps: steps() };
}

/** Crashes a scene at a point and resumes it in the reopened store. Returns null if the end is equal, else the difference. */
export async function crash(scene: Scene, place: Place, point: CrashPoint, expected: Json): Promise<string | null> {
  const caller = newCaller();
  const world = scene.openWorld(ledgerInMemory(() => caller.turns));
  const died = new AbortController();
  const first = await place.open(clockAt(noon));
  const { store: dying, infer } = mortal(first, point, () => died.abort());
  const at = `${scene.name}, ${nameOfPoint(point)}`;
  let second: Store | undefined;
  try {
    await play(scene, { store: dying, world, caller, now: noon, died: died.signal, infer });
    if (!died.signal.aborted) return `${at}: it did not come to that`;
    second = await place.open(clockAt(noon + gapMs));
    const divergence = await goOn(scene, second, world, caller, expected);
    return divergence === null ? null : `${at}: ${divergence}`;
  } catch (error) {
    return `${at}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
  } finally {
    await second?.close();
    await first.close();
  }
}

/** Resumes a scene in the store of a dead process. Returns null if the end is the expected one, else the difference. */
export async function goOn(
  scene: Scene,
  store: Store,
  world: World,
  caller: Caller,
  expected: Json,
): Promise<string | null> {
  const kept = await store.sessions.get(sessionId);
  const isOver = kept !== null && (kept.state as { status?: string }).status === 'ended'; // Written by the engine.
  // A scene that had ended before the crash is not resumed.
  if (!isOver) await play(scene, { store, world, caller, now: noon + gapMs });
  const twice = world.doneTwice();
  if (twice.length > 0) return `done under two keys for the same words: ${twice.join(', ')}`;
  const found = await outcome(store, world);
  if (!sameValue(found, expected)) return `ended as ${JSON.stringify(found)}, not as ${JSON.stringify(expected)}`;
  return (await foldsToItsState(store, scene)) ? null : 'the log does not fold to the state';
}

export function clockAt(now: number): Clock {
  return { now: () => now, schedule: (delayMs, task) => systemClock.schedule(delayMs, task) };
}

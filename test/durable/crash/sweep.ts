import type { Json } from '../../../src/model/json.ts';
import { sameValue } from '../../../src/flow/expression/same-value.ts';
import type { Store } from '../../../src/model/ports/store.ts';
import type { Clock } from '../../../src/model/ports/time.ts';
import { systemClock } from '../../../src/system.ts';
import { allPoints, type CrashPoint, mortal, nameOfPoint, type Steps } from './mortal.ts';
import { type Caller, foldsToItsState, newCaller, outcome, play, sessionId } from './play.ts';
import { ledgerInMemory, noon, type Scene, type World } from './scenes.ts';

/** A place to keep sessions in, which outlives whoever opens it. */
export interface Place {
  /** Opens it as another process would. */
  open(clock: Clock): Promise<Store>;
  /** Whether its commits are answered late. */
  readonly answersLate?: true;
}

/** Longer than a lease, so that whoever goes on need not wait for it in real time. */
export const gapMs = 61_000;

/** Where a scene may die. A realtime model of a test answers at once: it cannot be silent until what it follows is kept. */
export function pointsOf({ realtime }: Scene, steps: Steps): readonly CrashPoint[] {
  return allPoints(steps).filter(({ at, when }) => realtime === undefined || at === 'write' || when === 'before');
}

/** How a scene goes without a crash, and how many steps it takes. */
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

/** Lets a scene die at a point and go on in the reopened store. Null where the end is the same; else what differs. */
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

/** Goes on in a store that a dead process has left. Null where the end is the expected one; else what differs. */
export async function goOn(
  scene: Scene,
  store: Store,
  world: World,
  caller: Caller,
  expected: Json,
): Promise<string | null> {
  const kept = await store.loadSnapshot(sessionId);
  const isOver = kept !== null && (kept.state as { status?: string }).status === 'ended'; // Written by the engine.
  // What had ended before the process died needs nobody any more.
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

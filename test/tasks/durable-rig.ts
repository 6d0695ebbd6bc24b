import { wrappedStore } from '../durable/wrapped-store.ts';
import { setImmediate as nextRound } from 'node:timers/promises';
import { z } from 'zod';
import { createRun } from '../../src/runner/create-flow-run.ts';
import { createMemoryStore } from '../../src/store/memory/store.ts';
import type { Json } from '../../src/model/json.ts';
import type { FlowRun, RunOptions, FlowRunResult } from '../../src/runner/flow-run.ts';
import { createCatalog } from '../../src/flow/graph/nodes/catalog.ts';
import { defineNodeType, type NodeType } from '../../src/flow/graph/nodes/node-type.ts';
import type { Store } from '../../src/model/ports/store.ts';
import type { Clock } from '../../src/model/ports/time.ts';
import type { TaskFlowSource } from '../../src/runner/tasks/task-world.ts';
import { createCountingIds } from '../../src/testing/counting-ids.ts';
import { createVirtualClock, type VirtualClock } from '../../src/testing/virtual-clock.ts';
import { catalog } from './task-rig.ts';

export const sessionId = 'run';
/** Longer than a lease. */
const gapMs = 61_000;

/** A place in which processes run one after the other and share only their stored state. */
export interface Place {
  readonly store: Store;
  /** The writes to the outside world, by idempotency key. */
  readonly written: ReadonlyMap<string, Json>;
  /** The keys of the nodes that have run, once for each run. */
  readonly ran: string[];
  readonly clock: VirtualClock;
  /** Stops the time for the current process. For the next one it continues once the lease is over. */
  die(): void;
  make(flow: TaskFlowSource, options?: Partial<RunOptions>): FlowRun;
  /** Runs to the end, or until `until` holds: then undefined. */
  run(
    flow: TaskFlowSource,
    options?: Partial<RunOptions>,
    until?: (instance: FlowRun) => boolean,
  ): Promise<FlowRunResult | undefined>;
}

/** A place in memory, with its own node types. */
export function newPlace(...types: readonly NodeType[]): Place {
  const time = newTime();
  return placeOf(createMemoryStore({ clock: time }), time, types);
}

/** A place in a database. The virtual time waits for its answers. */
export async function newPlaceIn(open: (clock: Clock) => Promise<Store>): Promise<Place> {
  const underWay = new Set<unknown>();
  const time = newTime(async () => {
    for (let rounds = 4; rounds > 0; rounds -= 1) {
      for (; underWay.size > 0; rounds = 4) await Promise.allSettled(underWay);
      await nextRound();
    }
  });
  const store = await open(time);
  const watched = wrappedStore(store, (_name, method) => (...given) => {
    const answer = method(...given);
    underWay.add(answer);
    void Promise.allSettled([answer]).then(() => underWay.delete(answer));
    return answer;
  });
  return placeOf(watched, time, []);
}

interface Time extends Clock {
  readonly clock: VirtualClock;
  die(): void;
}

function newTime(...settle: readonly [] | readonly [() => Promise<void>]): Time {
  let clock = createVirtualClock(undefined, ...settle);
  return {
    now: () => clock.now(),
    schedule: (delayMs, task) => clock.schedule(delayMs, task),
    get clock() {
      return clock;
    },
    die() {
      clock = createVirtualClock(clock.now() + gapMs, ...settle);
    },
  };
}

function placeOf(store: Store, time: Time, types: readonly NodeType[]): Place {
  const written = new Map<string, Json>();
  const ran: string[] = [];
  const ids = createCountingIds();
  const registry = createCatalog([...catalog.values(), book(store, written, ran), look(ran), ...types]);
  const place: Place = {
    store,
    written,
    ran,
    get clock() {
      return time.clock;
    },
    die: () => time.die(),
    make: (flow, options) =>
      createRun(flow, {
        catalog: registry,
        sessionId,
        store,
        clock: time.clock,
        ids,
        random: { next: () => 0 },
        ...options,
      }),
    async run(flow, options, until = () => false) {
      const instance = place.make(flow, options);
      let end: { readonly result: FlowRunResult } | { readonly error: unknown } | undefined;
      instance.run().then(
        (result) => (end = { result }),
        (error: unknown) => (end = { error }),
      );
      await time.clock.runUntil(() => end !== undefined || until(instance), 2_000_000);
      if (end !== undefined && 'error' in end) throw end.error;
      return end?.result;
    },
  };
  return place;
}

/** A write that the world accepts once for each key, and only if its intent is stored. */
function book(store: Store, written: Map<string, Json>, ran: string[]) {
  return defineNodeType({
    name: 'test.book',
    description: 'Writes something.',
    input: z.strictObject({ what: z.unknown(), ms: z.number().default(5) }),
    output: z.strictObject({ booked: z.unknown() }),
    capabilities: { writes: true },
    async run({ what, ms }, { key, clock }) {
      ran.push(key);
      const sessions = await store.sessions.list({ limit: 100 });
      const effects = await Promise.all(sessions.map((session) => store.effects.list(session.sessionId)));
      const isIntended = effects.flat().some((effect) => effect.key === key && effect.state === 'intended');
      if (!isIntended) throw new Error('a write that is not kept as intended');
      const told = what as Json; // Bindings return JSON.
      if (written.has(key) && written.get(key) !== told) throw new Error('another write under the same key');
      written.set(key, told);
      await new Promise<void>((resolve) => clock.schedule(ms, resolve));
      return { booked: told };
    },
  });
}

/** A read. */
function look(ran: string[]) {
  return defineNodeType({
    name: 'test.look',
    description: 'Reads something.',
    input: z.strictObject({ value: z.unknown(), ms: z.number().default(5) }),
    output: z.strictObject({ value: z.unknown() }),
    async run({ value, ms }, { key, clock }) {
      ran.push(key);
      await new Promise<void>((resolve) => clock.schedule(ms, resolve));
      return { value };
    },
  });
}

import { open } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { openStore } from '../../dist/store/open-store.js';
import type { Lease, StepCommit, Store } from '../../dist/model/ports/store.js';
import { systemClock as clock } from '../../dist/system.js';
import { event, heard, say } from '../../src/testing/store/steps.ts';
import { rounds } from './rounds.ts';

const thinkMs = 50;
const commitsAProcess = rounds(200, 5);

/** Returns a function that makes one commit of a session, like a turn: 2 KB of state, a signal, an effect, an input. */
export function committer(store: Store, lease: Lease): () => Promise<void> {
  let seq = 0;
  const state = {
    slots: Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`slot${index}`, 'x'.repeat(80)])),
  };
  return async () => {
    const commit: StepCommit = {
      lease,
      baseSeq: seq,
      inputKeys: [`${lease.sessionId}/turn_${seq}`],
      signals: [heard(seq + 1), heard(seq + 2)],
      state,
      stateVersion: 1,
      graphHash: 'g',
      effects: [say(`${lease.sessionId}/${seq}/0`, 'What time would you like?')],
      events: () => [event(seq)],
    };
    seq += 2;
    await store.steps.create(commit);
  };
}

export async function owned(store: Store, sessionId: string): Promise<Lease> {
  const lease = await store.leases.acquire({ sessionId, owner: sessionId, ttlMs: 3_600_000 });
  if (lease === null) throw new Error(`${sessionId} is another's`);
  return lease;
}

/** Times of each commit of a process that pauses between commits, and of each write to a separate file. */
export interface SharedTimes {
  readonly commits: readonly number[];
  readonly references: readonly number[];
}

export async function shareStore(address: string, sessionId: string, file: string): Promise<SharedTimes> {
  const store = await openStore(address, { clock });
  const commit = committer(store, await owned(store, sessionId));
  const reference = await open(file, 'w');
  const block = Buffer.alloc(8_192, 1);
  const sync = async (): Promise<void> => {
    await reference.write(block, 0, block.length, 0);
    await reference.datasync();
  };
  const [commits, references]: [number[], number[]] = [[], []];
  // Excludes the first commits, which load and compile code.
  for (let warm = 0; warm < 5; warm += 1) await commit();
  for (let count = 0; count < commitsAProcess; count += 1)
    for (const [work, times] of [
      [commit, commits],
      [sync, references],
    ] as const) {
      await pause((thinkMs / 2) * (0.5 + Math.random()));
      const started = performance.now();
      await work();
      times.push(performance.now() - started);
    }
  await reference.close();
  await store.close();
  return { commits, references };
}

import { setTimeout as pause } from 'node:timers/promises';
import { openStore } from '../../src/durable/open-store.ts';
import type { Lease, StepCommit, Store } from '../../src/ports/store.ts';
import { systemClock as clock } from '../../src/session/system.ts';
import { event, heard, say } from '../durable/steps.ts';

const thinkMs = 50;
const commitsAProcess = 60;

/** The commits of one session, one after the other, as a turn makes them: 2 KB of state, a signal, an effect, an input. */
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
    await store.commit(commit);
  };
}

export async function owned(store: Store, sessionId: string): Promise<Lease> {
  const lease = await store.acquireLease(sessionId, sessionId, 3_600_000);
  if (lease === null) throw new Error(`${sessionId} is another's`);
  return lease;
}

/** How long each commit took of a process that thinks between two of them. */
export async function shareStore(address: string, sessionId: string): Promise<readonly number[]> {
  const store = await openStore(address, { clock });
  const commit = committer(store, await owned(store, sessionId));
  const times: number[] = [];
  for (let count = 0; count < commitsAProcess; count += 1) {
    await pause(thinkMs * (0.5 + Math.random()));
    const started = performance.now();
    await commit();
    times.push(performance.now() - started);
  }
  await store.close();
  return times;
}

// A process that competes for a session: STORE-ADDRESS OWNER. Prints the result of its commit.
import process from 'node:process';
import { FlowError, openStore, systemClock } from 'roomflow';
import { heard, step } from '../../dist/testing/store/steps.js';

const [address = '', owner = ''] = process.argv.slice(2);
const store = await openStore(address, { clock: systemClock });
const lease = await store.leases.acquire({ sessionId: 's', owner, ttlMs: 60_000 });
if (lease === null) console.log('taken by another');
else {
  const steps = [1, 2, 3, 4, 5].map((seq) =>
    step(lease, { baseSeq: seq - 1, signals: [heard(seq)], state: { owner } }),
  );
  try {
    for (const one of steps) await store.steps.create(one);
    console.log('committed');
  } catch (error) {
    console.log(error instanceof FlowError ? error.code : String(error));
  }
}
await store.close();

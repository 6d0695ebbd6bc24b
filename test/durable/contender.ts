// A process that wants a session: STORE-ADDRESS OWNER. Prints what became of its commit.
import process from 'node:process';
import { openStore } from '../../src/durable/open-store.ts';
import { FlowError } from '../../src/errors.ts';
import { systemClock } from '../../src/system.ts';
import { heard, step } from '../../src/testing/store/steps.ts';

const [address = '', owner = ''] = process.argv.slice(2);
const store = await openStore(address, { clock: systemClock });
const lease = await store.acquireLease('s', owner, 60_000);
if (lease === null) console.log('taken by another');
else {
  const steps = [1, 2, 3, 4, 5].map((seq) =>
    step(lease, { baseSeq: seq - 1, signals: [heard(seq)], state: { owner } }),
  );
  try {
    for (const one of steps) await store.commit(one);
    console.log('committed');
  } catch (error) {
    console.log(error instanceof FlowError ? error.code : String(error));
  }
}
await store.close();

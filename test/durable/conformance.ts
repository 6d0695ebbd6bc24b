import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json } from '../../src/model/json.ts';
import type { Store } from '../../src/model/ports/store.ts';
import type { Clock } from '../../src/model/ports/time.ts';
import { describeStore as describeAnyStore } from '../../src/testing/store/describe-store.ts';
import { step } from '../../src/testing/store/steps.ts';
import { createVirtualClock } from '../../src/testing/virtual-clock.ts';

/** The contract of every store, also for arbitrary JSON values. `open` returns an empty store each time. */
export function describeStore(name: string, open: (clock: Clock) => Promise<Store>): void {
  describeAnyStore(name, open, { describe, expect, test });

  test(`${name} store: what was kept is the same byte for byte, for any JSON value`, async () => {
    const store = await open(createVirtualClock());
    let count = 0;
    await fc.assert(
      fc.asyncProperty(fc.jsonValue({ maxDepth: 4, stringUnit: 'binary' }), async (value) => {
        const sessionId = `any-${(count += 1)}`;
        const lease = await store.leases.acquire({ sessionId, owner: 'me', ttlMs: 1_000 });
        if (lease === null) throw new Error('the lease was not to be had');
        // fast-check's type of a JSON value is the same but not readonly.
        await store.steps.create(step(lease, { state: value as Json }));
        expect(JSON.stringify((await store.sessions.get(sessionId))?.state)).toBe(JSON.stringify(value));
      }),
      { numRuns: 40 },
    );
    await store.close();
  });
}

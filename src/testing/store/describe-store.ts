import type { Store } from '../../model/ports/store.ts';
import type { Clock } from '../../model/ports/time.ts';
import { type FlatStore, storeOf } from '../../store/flat-store.ts';
import { createVirtualClock } from '../virtual-clock.ts';
import { describeCalls } from './describe-calls.ts';
import { describeCommits } from './describe-commits.ts';
import { describeEnds } from './describe-ends.ts';
import { describeAudit } from './describe-audit.ts';
import { describeInbox } from './describe-inbox.ts';
import { describeIntake } from './describe-intake.ts';
import { describeJson } from './describe-json.ts';
import { describeKept } from './describe-kept.ts';
import { describeLeases } from './describe-leases.ts';
import { describeOpenEffects } from './describe-effects.ts';
import type { Expect, OpenedStore, StoreRunner, TestRunner } from './store-runner.ts';

/**
 * Declares the tests that every store must pass, in the given test runner. `open` returns an empty store for each test.
 * The store must use the given clock and no other. It is closed after the test. Throws nothing. A store that breaks a
 * rule fails the test for that rule.
 * @example
 * import { describe, expect, test } from 'vitest'; describeStore('my store', (clock) => openStore('memory', { clock }),
 * { describe, expect, test });
 */
export function describeStore(
  name: string,
  open: (clock: Clock) => Promise<Store | FlatStore>,
  runner: TestRunner,
): void {
  const { describe, expect } = runner;
  const each: StoreRunner = {
    describe,
    expect,
    test: (title, body) =>
      runner.test(title, async () => {
        const opened = await openWith(open, expect);
        try {
          await body(opened);
        } finally {
          await opened.store.close();
        }
      }),
  };
  describe(`${name} store`, () => {
    describeLeases(each);
    describeCommits(each);
    describeKept(each);
    describeJson(each);
    describeOpenEffects(each);
    describeCalls(each);
    describeInbox(each);
    describeIntake(each);
    describeAudit(each);
    describeEnds(each);
  });
}

async function openWith(open: (clock: Clock) => Promise<Store | FlatStore>, expect: Expect): Promise<OpenedStore> {
  const clock = createVirtualClock();
  let aheadMs = 0;
  const store = storeOf(await open({ ...clock, now: () => clock.now() + aheadMs }));
  return {
    store,
    clock,
    runAhead: (ms) => (aheadMs = ms),
    async own(sessionId = 's', owner = 'me') {
      const lease = await store.leases.acquire({ sessionId, owner, ttlMs: 1_000 });
      if (lease === null) throw new Error('the lease was not to be had');
      return lease;
    },
    kept: async (sessionId = 's') => ({
      snapshot: await store.sessions.get(sessionId),
      log: await store.steps.list(sessionId),
      effects: await store.effects.list(sessionId),
    }),
    async expectRefusal(code, refused) {
      const error: unknown = await refused.then(
        () => 'not refused',
        (thrown: unknown) => thrown,
      );
      expect(error).toMatchObject({ code });
      return error instanceof Error ? error.message : '';
    },
  };
}

import { expect, test } from 'vitest';
import { createMemoryStore } from '../../src/store/memory/store.ts';
import type { Store } from '../../src/model/ports/store.ts';
import type { FlatStore } from '../../src/store/flat-store.ts';
import type { Clock } from '../../src/model/ports/time.ts';
import { describeStore } from '../../src/testing/store/describe-store.ts';

test('a store that breaks one promise fails the tests of that promise', async () => {
  const failed = await failuresOf((clock) => {
    const store = createMemoryStore({ clock });
    return { ...store, leases: { ...store.leases, release: async () => {} } };
  });
  expect(failed).toContain('that was released is free at once, and no longer commits');
  expect(failed).not.toContain('is taken by one owner at a time');
});

test('a store that keeps its promises fails none', async () => {
  expect(await failuresOf((clock) => createMemoryStore({ clock }))).toEqual([]);
});

test('a store in the flat form of earlier releases passes as well', async () => {
  expect(await failuresOf((clock) => flatStore(createMemoryStore({ clock })))).toEqual([]);
});

/** A store as custom stores were before the contract had nouns. */
function flatStore({ sessions, steps, graphs, effects, inbox, audit, leases, calls, watch, close }: Store): FlatStore {
  return {
    acquireLease: (sessionId, owner, ttlMs, from) => leases.acquire({ sessionId, owner, ttlMs, from }),
    renewLease: leases.renew,
    releaseLease: leases.release,
    loadSnapshot: sessions.get,
    listSessions: (limit, of) => sessions.list({ limit, ...of }),
    deleteSession: sessions.delete,
    commit: steps.create,
    readLog: steps.list,
    readEvents: steps.listEvents,
    saveGraph: graphs.save,
    loadGraph: graphs.get,
    loadEffects: effects.list,
    openEffects: effects.listOpen,
    claimEffects: effects.claim,
    holdEffects: (held, until, reason) => effects.update(held, { until, reason }),
    keepCall: (call, unlessKept = false) => calls.save(call, { unlessKept }),
    claimLostCalls: calls.claimLost,
    heldCalls: calls.list,
    dropCall: calls.delete,
    post: inbox.post,
    dueEntries: inbox.listDue,
    nextDue: inbox.nextDue,
    claimEntries: inbox.claim,
    endClaims: inbox.release,
    deferEntry: (key, until, reason, isTry) => inbox.defer(key, { until, reason, isTry }),
    listEntries: inbox.list,
    repost: inbox.repost,
    withdraw: inbox.withdraw,
    wasConsumed: inbox.isConsumed,
    forgetInputs: inbox.forgetConsumed,
    watchInbox: inbox.watch,
    readAudit: audit.list,
    watch,
    close,
  };
}

/** The names of the tests that a store fails, run by a test runner of four lines. */
async function failuresOf(open: (clock: Clock) => Store | FlatStore): Promise<readonly string[]> {
  const tests: (readonly [string, () => Promise<void>])[] = [];
  describeStore('some', async (clock) => open(clock), {
    describe: (_name, body) => body(),
    test: (name, body) => tests.push([name, body]),
    expect,
  });
  const failed: string[] = [];
  for (const [name, body] of tests) await body().catch(() => failed.push(name));
  return failed;
}

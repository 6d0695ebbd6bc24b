import { step } from './steps.ts';
import type { StoreRunner } from './store-runner.ts';

/** Tests of leases. */
export function describeLeases({ describe, test, expect }: StoreRunner): void {
  describe('a lease', () => {
    test('is taken by one owner at a time', async ({ store, clock, own }) => {
      expect(await own('s', 'first')).toEqual({
        sessionId: 's',
        owner: 'first',
        token: expect.any(Number),
        expiresAt: clock.now() + 1_000,
      });
      expect(await store.leases.acquire({ sessionId: 's', owner: 'second', ttlMs: 1_000 })).toBeNull();
      expect(await store.leases.acquire({ sessionId: 'other', owner: 'second', ttlMs: 1_000 })).not.toBeNull();
    });

    test('is renewed by its owner, who keeps the token and may use the older lease', async ({
      store,
      clock,
      own,
      kept,
    }) => {
      const lease = await own();
      await clock.advance(600);
      const renewed = await store.leases.renew(lease, 1_000);
      expect(renewed).toEqual({ ...lease, expiresAt: lease.expiresAt + 600 });

      await clock.advance(600);
      expect(await store.leases.acquire({ sessionId: 's', owner: 'second', ttlMs: 1_000 })).toBeNull();
      await store.steps.create(step(lease));
      expect((await kept()).log).toHaveLength(1);

      expect(await store.leases.renew({ ...lease, owner: 'renamed' }, 1_000)).toMatchObject({ owner: 'renamed' });
      expect(await store.sessions.list({ limit: 1 })).toMatchObject([
        { lease: { owner: 'renamed', token: lease.token } },
      ]);
    });

    test('is known by the id of its session before anything was committed, and until it is released', async ({
      store,
      own,
    }) => {
      const lease = await own('s', 'first');
      const [session, ...more] = await store.sessions.list({ limit: 9, id: 's' });
      expect(session).toMatchObject({ sessionId: 's', seq: 0, graphHash: '' });
      expect(session?.lease).toEqual({ owner: 'first', token: lease.token, expiresAt: lease.expiresAt });
      expect(more).toEqual([]);
      expect([await store.sessions.list({ limit: 9 }), await store.sessions.list({ limit: 9, prefix: 's' })]).toEqual([
        [],
        [],
      ]);
      await store.leases.release(lease);
      expect(await store.sessions.list({ limit: 9, id: 's' })).toEqual([]);
    });

    test('is free for another owner at the moment in which it runs out, and not before', async ({
      store,
      clock,
      own,
    }) => {
      const lease = await own('s', 'first');
      await clock.advance(999);
      expect(await store.leases.acquire({ sessionId: 's', owner: 'second', ttlMs: 1_000 })).toBeNull();
      await clock.advance(1);
      expect((await own('s', 'second')).token).toBeGreaterThan(lease.token);
    });

    test('that has run out still commits and is renewed until another owner takes it', async ({
      store,
      clock,
      own,
    }) => {
      const lease = await own();
      await clock.advance(5_000);
      await store.steps.create(step(lease));
      expect(await store.leases.renew(lease, 1_000)).toMatchObject({ token: lease.token });
      expect(await store.leases.acquire({ sessionId: 's', owner: 'second', ttlMs: 1_000 })).toBeNull();
    });

    test('that is taken again under the same name has a new token, and shuts the older one out', async ({
      store,
      own,
      expectRefusal,
    }) => {
      const older = await own('s', 'host-1');
      const lease = await own('s', 'host-1');
      expect(lease.token).toBeGreaterThan(older.token);
      expect(await store.leases.renew(older, 1_000)).toBeNull();
      await expectRefusal('lease-lost', store.steps.create(step(older)));
      await store.steps.create(step(lease));
    });

    test('is taken over from the owner that is named, and from no other', async ({ store, own, expectRefusal }) => {
      const first = await own('s', 'first');
      expect(await store.leases.acquire({ sessionId: 's', owner: 'second', ttlMs: 1_000, from: 'third' })).toBeNull();
      const lease = await store.leases.acquire({ sessionId: 's', owner: 'second', ttlMs: 1_000, from: 'first' });
      expect(lease).toMatchObject({ owner: 'second' });
      expect(lease?.token).toBeGreaterThan(first.token);
      expect(await store.leases.renew(first, 1_000)).toBeNull();
      await expectRefusal('lease-lost', store.steps.create(step(first)));
      expect(await store.leases.acquire({ sessionId: 's', owner: 'third', ttlMs: 1_000, from: 'first' })).toBeNull();
    });

    test('that was released or taken is not renewed', async ({ store, clock, own }) => {
      const released = await own('s', 'first');
      await store.leases.release(released);
      expect(await store.leases.renew(released, 1_000)).toBeNull();
      const late = await own('s', 'first');
      await clock.advance(1_000);
      await own('s', 'second');
      expect(await store.leases.renew(late, 1_000)).toBeNull();
    });

    test('that a wrong clock made to end later than its length from now is over', async ({
      store,
      own,
      expectRefusal,
      runAhead,
    }) => {
      runAhead(30 * 86_400_000);
      const lease = await own('s', 'first');
      await store.calls.save({ sessionId: 's', place: {} });
      runAhead(0);
      expect(await store.calls.claimLost({ ttlMs: 1_000, limit: 9 })).toMatchObject([{ sessionId: 's' }]);
      expect((await own('s', 'second')).token).toBeGreaterThan(lease.token);
      await expectRefusal('lease-lost', store.steps.create(step(lease)));
    });

    test('that a renewal under a wrong clock made to end too late is over as well', async ({
      store,
      own,
      runAhead,
    }) => {
      const lease = await own('s', 'first');
      runAhead(3_600_000);
      await store.leases.renew(lease, 1_000);
      runAhead(0);
      expect(await store.leases.acquire({ sessionId: 's', owner: 'second', ttlMs: 1_000 })).not.toBeNull();
    });

    test('that is renewed while another asks holds, though that one took its time before', async ({
      store,
      own,
      runAhead,
    }) => {
      const lease = await own('s', 'first');
      runAhead(1_000);
      await store.leases.renew(lease, 1_000);
      runAhead(0);
      expect(await store.leases.acquire({ sessionId: 's', owner: 'second', ttlMs: 1_000 })).toBeNull();
    });

    test('that another owner took commits nothing, and takes nothing by being released', async ({
      store,
      clock,
      own,
      kept,
      expectRefusal,
    }) => {
      const late = await own('s', 'first');
      await clock.advance(1_000);
      const lease = await own('s', 'second');

      await expectRefusal('lease-lost', store.steps.create(step(late)));
      await store.leases.release(late);

      expect(await kept()).toEqual({ snapshot: null, log: [], effects: [] });
      expect(await store.leases.acquire({ sessionId: 's', owner: 'first', ttlMs: 1_000 })).toBeNull();
      await store.steps.create(step(lease));
    });

    test('that was released is free at once, and no longer commits', async ({ store, own, expectRefusal }) => {
      const lease = await own('s', 'first');
      await store.leases.release(lease);
      await expectRefusal('lease-lost', store.steps.create(step(lease)));
      expect((await own('s', 'second')).token).toBeGreaterThan(lease.token);
    });

    test('has a greater token after its release, also for the owner who had it', async ({
      store,
      own,
      expectRefusal,
    }) => {
      const lease = await own();
      await store.leases.release(lease);
      expect((await own()).token).toBeGreaterThan(lease.token);
      await expectRefusal('lease-lost', store.steps.create(step(lease)));
    });

    test('goes to one of two owners who ask at the same time', async ({ store }) => {
      const asked = await Promise.all(
        ['first', 'second'].map((owner) => store.leases.acquire({ sessionId: 's', owner, ttlMs: 1_000 })),
      );
      expect(asked.filter((lease) => lease !== null)).toHaveLength(1);
    });

    test('of a session that was never owned cannot be made up', async ({ store, clock, expectRefusal }) => {
      const lease = { sessionId: 's', owner: 'me', token: 0, expiresAt: clock.now() + 1_000 };
      await expectRefusal('lease-lost', store.steps.create(step(lease)));
    });
  });
}

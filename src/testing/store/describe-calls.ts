import type { Store } from '../../model/ports/store.ts';
import type { StoreRunner } from './store-runner.ts';

/** Tests of how a store handles the calls of workers. */
export function describeCalls({ describe, test, expect }: StoreRunner): void {
  describe('a call', () => {
    const claim = (store: Store, limit = 9) => store.calls.claimLost({ ttlMs: 100, limit });
    const keep = (store: Store, sessionId: string, room = 'r') => store.calls.save({ sessionId, place: { room } });

    test('is lost once its session has no owner, and is given away once for a time', async ({ store, clock, own }) => {
      await own('s');
      await keep(store, 's');
      expect(await claim(store)).toEqual([]);
      await clock.advance(999);
      expect(await claim(store)).toEqual([]);

      await clock.advance(1);
      const lostAt = clock.now();
      expect(await claim(store)).toEqual([{ sessionId: 's', place: { room: 'r' }, lostAt }]);
      expect(await claim(store)).toEqual([]);
      await clock.advance(100);
      expect(await claim(store)).toEqual([{ sessionId: 's', place: { room: 'r' }, lostAt }]);
    });

    test('is lost when the lease is released, and where the session was never owned', async ({ store, own }) => {
      const lease = await own('s');
      await keep(store, 's');
      await keep(store, 'never');
      await store.leases.release(lease);
      expect((await claim(store)).map(({ sessionId }) => sessionId).toSorted()).toEqual(['never', 's']);
    });

    test('goes to one of two who ask at once', async ({ store }) => {
      await keep(store, 's');
      expect((await Promise.all([claim(store), claim(store)])).flat()).toHaveLength(1);
    });

    test('that was taken longest ago comes first', async ({ store, clock }) => {
      await keep(store, 'first');
      await claim(store);
      await clock.advance(1);
      await keep(store, 'second');
      await claim(store);
      await clock.advance(100);
      expect((await claim(store, 1)).map(({ sessionId }) => sessionId)).toEqual(['first']);
      expect((await claim(store, 1)).map(({ sessionId }) => sessionId)).toEqual(['second']);
    });

    test('that is kept anew is no longer lost, but is not given away sooner for that', async ({ store, clock }) => {
      await keep(store, 's');
      await claim(store);
      await clock.advance(50);
      await keep(store, 's', 'other');
      expect(await claim(store)).toEqual([]);
      await clock.advance(50);
      expect(await claim(store)).toEqual([{ sessionId: 's', place: { room: 'other' }, lostAt: clock.now() }]);
    });

    test('is left as it is where something is kept of it already, if that is asked for', async ({ store }) => {
      await keep(store, 's');
      await store.calls.save({ sessionId: 's', place: { room: 'other' } }, { unlessKept: true });
      await store.calls.save({ sessionId: 't', place: { room: 'new' } }, { unlessKept: true });
      const rooms = new Map((await claim(store)).map(({ sessionId, place }) => [sessionId, place['room']]));
      expect(rooms).toEqual(
        new Map([
          ['s', 'r'],
          ['t', 'new'],
        ]),
      );
    });

    test('that is dropped, or whose session is deleted, is forgotten', async ({ store, own }) => {
      const lease = await own('s');
      await keep(store, 's');
      await keep(store, 't');
      await store.sessions.delete(lease);
      await store.calls.delete('t');
      await store.calls.delete('never kept');
      expect(await claim(store)).toEqual([]);
    });

    test('is held while its session is owned, by owners of whatever name it is asked for', async ({ store, clock }) => {
      const owners = { s: 'here:1', t: 'here:2', u: 'there:1', '\ud800': 'here\u0000' };
      for (const [sessionId, owner] of Object.entries(owners)) {
        await store.leases.acquire({ sessionId, owner, ttlMs: 1_000 });
        await keep(store, sessionId);
      }
      await store.leases.acquire({ sessionId: 'no call', owner: 'here:1', ttlMs: 1_000 });
      await keep(store, 'without an owner');
      const held = async (ownedBy: string, limit = 9) =>
        Object.fromEntries(
          (await store.calls.list({ ownedBy, limit })).map(({ sessionId, owner }) => [sessionId, owner]),
        );
      expect(await held('here:')).toEqual({ s: 'here:1', t: 'here:2' });
      expect(await held('here\u0000')).toEqual({ '\ud800': 'here\u0000' });
      expect(Object.keys(await held('', 2))).toHaveLength(2);
      expect(await held('%')).toEqual({});
      await store.calls.delete('t');
      expect(await held('here:')).toEqual({ s: 'here:1' });
      await clock.advance(1_000);
      expect(await held('here')).toEqual({});
    });

    test('keeps names and places of any text', async ({ store, clock }) => {
      const sessionId = '__proto__\u0000\ud800';
      await store.calls.save({ sessionId, place: { '"\u0000': ['\ud800'] } });
      expect(await claim(store)).toEqual([{ sessionId, place: { '"\u0000': ['\ud800'] }, lostAt: clock.now() }]);
    });
  });
}

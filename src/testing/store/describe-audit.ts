import { brokenLink } from '../../store/audit-chain.ts';
import type { AuditRecord } from '../../model/inbox.ts';
import type { NewAuditRecord } from '../../model/ports/inbox.ts';
import type { Store } from '../../model/ports/store.ts';
import { entry, step } from './steps.ts';
import type { StoreRunner } from './store-runner.ts';

/** Tests of the audit records of a store, and of keys that may be used once. */
export function describeAudit({ describe, test, expect }: StoreRunner): void {
  const act = (action: string, sessionId: string | null = 's'): NewAuditRecord => ({
    ...{ actor: { id: 'ann' }, action, outcome: 'denied', sessionId },
    details: { wait: 's/1/1', why: '"\u0000\ud800', z: 1, a: [null] },
  });
  const read = (store: Store): Promise<readonly AuditRecord[]> => store.audit.list({ limit: 99 });

  describe('an audit record', () => {
    test('is kept with what was posted, in one chain for all sessions', async ({ store, clock }) => {
      await store.inbox.post([entry('a', 1)], [act('one'), act('two', null)]);
      await clock.advance(5);
      await store.inbox.post([], [act('three', 't')]);
      const found = await read(store);
      const hash = found[2]?.hash ?? '';
      expect(found[2]).toEqual({ seq: 3, at: clock.now(), ...act('three', 't'), hash });
      expect(found.map(({ seq, action }) => [seq, action])).toEqual([
        [1, 'one'],
        [2, 'two'],
        [3, 'three'],
      ]);
      expect(brokenLink(found)).toBeNull();
      expect(await store.audit.list({ fromSeq: 2, limit: 1 })).toEqual(found.slice(1, 2));
      expect(await store.audit.list({ sessionId: 's', limit: 9 })).toEqual(found.slice(0, 1));
    });

    test('that is changed or deleted shows in the chain', async ({ store }) => {
      await store.inbox.post([], [act('one'), act('two'), act('three')]);
      const [one, two, three] = await read(store);
      if (one === undefined || two === undefined || three === undefined) throw new Error('there are three');
      expect(brokenLink([one, { ...two, outcome: 'allowed' }, three])?.seq).toBe(2);
      expect(brokenLink([one, three])?.seq).toBe(3);
      expect(brokenLink([two, three])?.seq).toBe(2);
      expect(brokenLink([two, three], one)).toBeNull();
    });

    test('of several who write at once has its own place', async ({ store }) => {
      const many = Array.from({ length: 12 }, (_, index) =>
        store.inbox.post([], [act(`${index}`), act(`${index} again`)]),
      );
      await Promise.all(many);
      const found = await read(store);
      expect(found).toHaveLength(24);
      expect(brokenLink(found)).toBeNull();
    });
  });

  describe('a key that may be used once', () => {
    test('is consumed with what was posted, and refuses a whole post that comes later', async ({ store, own }) => {
      expect(await store.inbox.post([entry('a', 1)], [act('one')], ['link', 'link'])).toEqual(['posted']);
      expect(await store.inbox.isConsumed('link')).toBe(true);
      const again = await store.inbox.post([entry('b', 1), entry('c', 1)], [act('two')], ['other', 'link']);
      expect(again).toEqual(['duplicate', 'duplicate']);
      expect((await store.inbox.list({ limit: 9 })).map(({ entry: { key } }) => key)).toEqual(['a']);
      expect(await read(store)).toHaveLength(1);
      expect(await store.inbox.isConsumed('other')).toBe(false);

      await store.steps.create(step(await own(), { inputKeys: ['turn'] }));
      expect(await store.inbox.post([entry('d', 1)], [], ['turn'])).toEqual(['duplicate']);
      const both = await Promise.all(['e', 'f'].map((key) => store.inbox.post([entry(key, 1)], [], ['race'])));
      expect(both.flat().toSorted()).toEqual(['duplicate', 'posted']);
    });
  });
}

import { type ChildProcessByStdio, spawn, spawnSync } from 'node:child_process';
import { appendFileSync, copyFileSync, mkdtempSync, readFileSync, rmSync, rmdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execPath, platform } from 'node:process';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { brokenLink } from '../../src/store/audit-chain.ts';
import { createMemoryStore } from '../../src/store/memory/store.ts';
import { chosenStore, openStore } from '../../src/store/open-store.ts';
import { openSqliteFile } from '../../src/store/sqlite/file.ts';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import type { Store } from '../../src/model/ports/store.ts';
import { systemClock as clock } from '../../src/system.ts';
import { live } from '../livekit/live.ts';
import { openDroppingProxy } from './dropping-proxy.ts';
import { postgresForTests } from './postgres-for-tests.ts';
import { ask, whyNoPostgres } from './postgres-server.ts';
import { expectRefusal } from './refusal.ts';
import { whyNoSqlite } from './sqlite-here.ts';
import { action, event, heard, say, step } from '../../src/testing/store/steps.ts';

const folder = mkdtempSync(join(tmpdir(), 'roomflow-trouble-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const talking: ConversationFlow = {
  initialNode: 'talk',
  nodes: {
    talk: {
      say: 'Good day.',
      taskMessages: [{ role: 'system', content: 'Talk.' }],
      functions: [{ name: 'book', transitionTo: 'booked' }],
    },
    booked: {
      taskMessages: [{ role: 'system', content: 'Say that it is booked.' }],
      functions: [{ name: 'leave', transitionTo: 'talk' }],
    },
  },
};

let files = 0;
const newFile = (): string => join(folder, `${(files += 1)}.db`);

/** A kind of database, with a way to change it by hand. */
interface Kind {
  newAddress(): Promise<string>;
  change(address: string, statement: string): Promise<unknown>;
}

const sqlite: Kind = {
  newAddress: () => Promise.resolve(`sqlite:${newFile()}`),
  async change(address, sql) {
    const file = await openSqliteFile(address.slice('sqlite:'.length));
    await file.run({ sql, parameters: [[]] });
    await file.close();
  },
};

async function withStore<Result>(address: string, use: (store: Store) => Promise<Result>): Promise<Result> {
  const store = await openStore(address, { clock });
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

async function keepOne(address: string): Promise<void> {
  await withStore(address, async (store) => {
    const lease = await store.leases.acquire({ sessionId: 's', owner: 'me', ttlMs: 60_000 });
    if (lease === null) throw new Error('the lease was not to be had');
    const effects = [say('s/1/0', 'Hello.'), action('s/1/1')];
    await store.steps.create(
      step(lease, { signals: [heard(1), heard(2), heard(3)], effects, events: () => [event(1)] }),
    );
    await store.graphs.save('g', {});
    await store.leases.release(lease);
  });
}

/** Three processes that receive turns, for both kinds of stores: each has loaded LiveKit. */
const [first, second, third] = [twin(), twin(), twin()];

function describeTrouble(name: string, kind: Kind): void {
  describe(name, () => {
    test('stored data is present when the store is reopened', async () => {
      const address = await kind.newAddress();
      await keepOne(address);
      await withStore(address, async (store) => {
        expect(await store.sessions.get('s')).toMatchObject({ seq: 3, graphHash: 'g' });
        expect(await store.effects.list('s')).toEqual([say('s/1/0', 'Hello.'), action('s/1/1')]);
      });
    });

    test('a store of a newer release is refused and stays unchanged', async () => {
      const address = await kind.newAddress();
      await keepOne(address);
      await kind.change(address, `insert into roomflow_migrations (name, timestamp) values ('2999-01-01-later', 'x')`);
      const message = await expectRefusal('store-newer', openStore(address, { clock }));
      expect(message).toMatch(/newer Roomflow.*Update this one/);
      await kind.change(address, `delete from roomflow_migrations where name like '2999%'`);
      await withStore(address, async (store) => expect(await store.steps.list('s')).toHaveLength(3));
    });

    test.each<[string, string, (store: Store) => Promise<unknown>]>([
      ['a state', `update roomflow_sessions set state = '{"node":'`, (store) => store.sessions.get('s')],
      ['a signal', `update roomflow_steps set signals = ''`, (store) => store.steps.list('s')],
      [
        'a lost signal',
        `update roomflow_steps set signals = '[{"seq":1},{"seq":3}]'`,
        (store) => store.steps.list('s'),
      ],
      ['an effect', `update roomflow_steps set own_effects = 'x'`, (store) => store.effects.list('s')],
      ['an action', `update roomflow_effects set effect = 'x'`, (store) => store.effects.list('s')],
      ['an event', `update roomflow_steps set events = 'x'`, (store) => store.steps.listEvents('s')],
      ['a flow', `update roomflow_graphs set document = 'x'`, (store) => store.graphs.get('g')],
    ])('%s that was damaged is told by a code, and its content is not', async (_what, statement, read) => {
      const address = await kind.newAddress();
      await keepOne(address);
      await kind.change(address, statement);
      await withStore(address, async (store) => {
        expect(await expectRefusal('store-corrupted', read(store))).toMatch(/Restore it from a backup/);
      });
    });

    test('D2 S5: if two processes compete for a session, one gets it and the other writes nothing', async () => {
      const address = await kind.newAddress();
      await withStore(address, async (store) => {
        const said = await Promise.all(['first', 'second'].map((owner) => child('contender.mjs', address, owner)));
        expect(said.toSorted()).toEqual(['committed', 'taken by another']);
        const winner = said[0] === 'committed' ? 'first' : 'second';
        expect(await store.sessions.get('s')).toMatchObject({ seq: 5, state: { owner: winner } });
      });
    });

    test(
      'a turn that is delivered to two processes at once, and hours later to a third, takes effect once',
      { timeout: 240_000 },
      async () => {
        const address = await kind.newAddress();
        const ledger = newFile();
        const outcomes = await Promise.all([first(address, ledger, 0), second(address, ledger, 0)]);
        expect(outcomes.toSorted()).toEqual(['duplicate', 'taken']);
        expect(await third(address, ledger, 5)).toBe('duplicate');
        expect(readFileSync(ledger, 'utf8').trim().split('\n')).toHaveLength(1);
        await withStore(address, async (store) => {
          const turns = (await store.steps.list('s')).filter(({ signal }) => signal.type === 'user:turn');
          expect(turns).toHaveLength(1);
        });
      },
    );
  });
}

const noSqlite = whyNoSqlite();
describe.skipIf(noSqlite !== null)(noSqlite ?? 'SQLite', () => {
  describeTrouble('a SQLite store', sqlite);
});

describe.skipIf(noSqlite !== null)('a SQLite file', () => {
  test('in a missing or invalid folder, or at the path of a folder, is refused with the remedy', async () => {
    const file = newFile();
    writeFileSync(file, 'x');
    for (const path of [join(file, 'x.db'), folder, ...(platform === 'linux' ? ['/proc/nowhere/x.db'] : [])]) {
      const message = await expectRefusal('store-unreachable', openStore(`sqlite:${path}`, { clock }));
      expect(message).toContain(path);
      expect(message).toContain('set store in agent.config.ts');
    }
  });

  test.skipIf(!mountsTiny())('on a full disk is refused as such', async () => {
    const disk = mkdtempSync(join(tmpdir(), 'roomflow-tiny-'));
    expect(mountTiny(disk)).toBe(true);
    try {
      const message = await expectRefusal('store-full', openStore(`sqlite:${join(disk, 'a.db')}`, { clock }));
      expect(message).toContain('Make room');
    } finally {
      unmount(disk);
    }
  });

  test.skipIf(!mountsTiny())(
    'S4: on a full disk has no partial commits, and continues once there is room',
    async () => {
      const disk = mkdtempSync(join(tmpdir(), 'roomflow-tiny-'));
      expect(mountTiny(disk, '600k')).toBe(true);
      try {
        await withStore(`sqlite:${join(disk, 'a.db')}`, async (store) => {
          const lease = await store.leases.acquire({ sessionId: 's', owner: 'me', ttlMs: 60_000 });
          if (lease === null) throw new Error('the lease was not to be had');
          await store.steps.create(step(lease));
          const kept = await store.sessions.get('s');
          const ballast = join(disk, 'ballast');
          expect(() => {
            for (;;) appendFileSync(ballast, Buffer.alloc(4_096));
          }).toThrow('ENOSPC');
          const long = step(lease, { baseSeq: 1, signals: [heard(2)], state: { text: 'x'.repeat(100_000) } });
          await expectRefusal('store-full', store.steps.create(long));
          expect(await store.sessions.get('s')).toEqual(kept);
          expect(await store.steps.list('s')).toHaveLength(1);
          rmSync(ballast);
          await store.steps.create(long);
          expect((await store.sessions.get('s'))?.seq).toBe(2);
        });
      } finally {
        unmount(disk);
      }
    },
  );

  test('that is no database is refused', async () => {
    const file = newFile();
    writeFileSync(file, 'This is no database, but a text of some length. '.repeat(100));
    await expectRefusal('store-corrupted', openStore(`sqlite:${file}`, { clock }));
  });

  test('that is damaged in the middle reports it when the damaged part is read', async () => {
    const file = newFile();
    await keepOne(`sqlite:${file}`);
    const torn = newFile();
    copyFileSync(file, torn);
    const bytes = readFileSync(torn);
    writeFileSync(torn, bytes.fill(0xff, 4096));
    await expectRefusal(
      'store-corrupted',
      withStore(`sqlite:${torn}`, (store) => store.sessions.get('s')),
    );
  });
});

test('S2: the first word of an answer waits for a slow store, and the request to the model does not', async () => {
  const memory = createMemoryStore({ clock });
  let underWay = 0;
  let asked = (): void => undefined;
  const slow: Store = {
    ...memory,
    steps: {
      ...memory.steps,
      async create(commit) {
        underWay += 1;
        // A turn holds the store until after the request to the model.
        if (commit.signals.some(({ signal }) => signal.type === 'user:turn'))
          await new Promise<void>((resolve) => (asked = resolve));
        await pause(50);
        await memory.steps.create(commit);
        underWay -= 1;
      },
    },
  };
  const early: string[] = [];
  const sink = { write: async (text: string) => void (underWay > 0 && early.push(text)), end: () => undefined };
  const script = ({ userText }: { readonly userText: string }) => {
    asked();
    return userText === 'book it' ? { calls: [{ name: 'book' }] } : { text: 'Gladly.' };
  };
  const { runner, heard } = await live(talking, script, { store: slow, sink });
  for (const words of ['Hello', 'book it', 'Thanks']) await runner.send(words);
  expect(heard).toEqual(['Good day.', 'Gladly.', 'Gladly.', 'Gladly.']);
  expect(early).toEqual([]);
});

test.each([
  ['', 'its address does not begin with a kind of store'],
  ['./calls.db', 'its address does not begin with a kind of store'],
  ['sqlite:', 'its address is incomplete'],
  ['postgres:x', 'its address is incomplete'],
  ['postgress://ann:secret@x', '"postgress:" is not a kind of store'],
  ['memory:', '"memory:" is not a kind of store'],
])('the address "%s" is no store: %s', async (address, fact) => {
  expect(await expectRefusal('store-invalid', openStore(address, { clock }))).toBe(
    `store-invalid: the store is not valid: ${fact}. Use memory, sqlite:PATH or postgres://USER@HOST/DATABASE.`,
  );
});

test('an address from ROOMFLOW_STORE is reported under that name', async () => {
  const chosen = chosenStore(undefined, { ROOMFLOW_STORE: 'sqlit:x' }, clock);
  expect(await expectRefusal('store-invalid', chosen)).toContain(
    'the store that ROOMFLOW_STORE names is not valid: "sqlit:"',
  );
});

test('the address "memory" keeps sessions as long as its object', async () => {
  await keepOne('memory');
  await withStore('memory', async (store) => expect(await store.sessions.get('s')).toBeNull());
});

test('a missing Postgres server is reported without its password', async () => {
  const address = 'postgres://me:secret@127.0.0.1:9/flows';
  const message = await expectRefusal('store-unreachable', openStore(address, { clock }));
  expect(message).toContain('postgres://127.0.0.1:9/flows does not answer (ECONNREFUSED)');
  expect(message).not.toContain('secret');
});

const missing = whyNoPostgres();
describe.skipIf(missing !== null)('Postgres', () => {
  const server = postgresForTests();

  describeTrouble('a Postgres store', { newAddress: () => server.createDatabase(), change: ask });

  test('a missing database is reported', async () => {
    const url = new URL(await server.createDatabase());
    url.pathname = '/nowhere';
    expect(await expectRefusal('store-refused', openStore(url.href, { clock }))).toMatch(/Check user, password/);
  });

  test.each(['before', 'after'] as const)(
    'S3: a connection that breaks %s the server has committed neither loses nor doubles the commit',
    async (when) => {
      const url = new URL(await server.createDatabase());
      const proxy = await openDroppingProxy({ host: url.hostname, port: Number(url.port) });
      url.port = String(proxy.port);
      await withStore(url.href, async (store) => {
        const lease = await store.leases.acquire({ sessionId: 's', owner: 'me', ttlMs: 60_000 });
        if (lease === null) throw new Error('the lease was not to be had');
        proxy.dropNext(when);
        await store.steps.create(step(lease, { inputKeys: ['k'], events: () => [event(1)] }));
        expect(proxy.drops).toBe(1);
        expect(await store.steps.list('s')).toHaveLength(1);
        expect(await store.steps.listEvents('s')).toHaveLength(1);
        proxy.dropNext(when);
        await store.steps.create(step(lease, { baseSeq: 1, signals: [], events: () => [event(2)] }));
        expect(proxy.drops).toBe(2);
        expect(await store.steps.listEvents('s')).toHaveLength(2);
        await expectRefusal('store-conflict', store.steps.create(step(lease, { inputKeys: ['k'], baseSeq: 1 })));
      });
      await proxy.close();
    },
  );

  test.each(['53300', '57014', '55P03', '25006', '40003'])(
    'a commit that the server refuses once with %s is made again, and is kept once',
    async (code) => {
      const address = await server.createDatabase();
      await withStore(address, async (store) => {
        // A sequence counts its calls even if they are rolled back.
        await ask(address, 'create sequence tries');
        await ask(
          address,
          `create function refuse_once() returns trigger language plpgsql as $$ begin
            if nextval('tries') = 1 then raise exception using errcode = '${code}'; end if;
            return new;
          end $$`,
        );
        await ask(
          address,
          'create trigger refuses before insert on roomflow_steps for each row execute function refuse_once()',
        );
        const lease = await store.leases.acquire({ sessionId: 's', owner: 'me', ttlMs: 60_000 });
        if (lease === null) throw new Error('the lease was not to be had');
        await store.steps.create(step(lease, { inputKeys: ['k'], events: () => [event(1)] }));
        expect(await ask(address, 'select last_value::int as asked from tries')).toEqual([{ asked: 2 }]);
        expect(await store.steps.list('s')).toHaveLength(1);
      });
    },
  );

  test('a connection that breaks during a read does not end the process, and the next connection answers', async () => {
    const url = new URL(await server.createDatabase());
    const proxy = await openDroppingProxy({ host: url.hostname, port: Number(url.port) });
    url.port = String(proxy.port);
    await withStore(url.href, async (store) => {
      proxy.dropNext('before');
      // Without a listener it would be an uncaught error and fail the run.
      expect(await store.steps.list('s')).toEqual([]);
      expect(proxy.drops).toBe(1);
    });
    await proxy.close();
  });

  test('a caller whose turn loses the connection of its commit hears one answer, and it is kept once', async () => {
    const url = new URL(await server.createDatabase());
    const proxy = await openDroppingProxy({ host: url.hostname, port: Number(url.port) });
    url.port = String(proxy.port);
    await withStore(url.href, async (store) => {
      let next: 'before' | 'after' | null = null;
      const losing: Store = {
        ...store,
        steps: {
          ...store.steps,
          async create(commit) {
            if (next !== null) proxy.dropNext(next);
            next = null;
            await store.steps.create(commit);
          },
        },
      };
      const { runner, heard } = await live(talking, () => ({ text: 'Gladly.' }), { store: losing, sessionId: 's' });
      for (const [count, when] of (['before', 'after'] as const).entries()) {
        next = when;
        expect(await runner.send(`turn ${count}`, { eventId: `e${count}` })).toBe('taken');
        expect(proxy.drops).toBe(count + 1);
        expect(await runner.send(`turn ${count}`, { eventId: `e${count}` })).toBe('duplicate');
      }
      expect(heard).toEqual(['Good day.', 'Gladly.', 'Gladly.']);
      await runner.leave();
      const turns = (await store.steps.list('s')).filter(({ signal }) => signal.type === 'user:turn');
      expect(turns).toHaveLength(2);
    });
    await proxy.close();
  });

  test(
    'S1: a server that dies and comes back has every commit that it answered, and commits continue',
    { timeout: 240_000 },
    async (context) => {
      context.skip(!server.isOwn, 'a given server is not killed');
      await withStore(await server.createDatabase(), async (store) => {
        const lease = await store.leases.acquire({ sessionId: 's', owner: 'me', ttlMs: 600_000 });
        if (lease === null) throw new Error('the lease was not to be had');
        for (let seq = 1; seq <= 20; seq += 1)
          await store.steps.create(step(lease, { baseSeq: seq - 1, signals: [heard(seq)] }));
        await server.restart();
        await store.steps.create(step(lease, { baseSeq: 20, signals: [heard(21)] }));
        expect(await store.steps.list('s')).toHaveLength(21);
      });
    },
  );

  test('S4: a database with serializable transactions takes concurrent commits exactly once', async () => {
    const address = await server.createDatabase();
    await withStore(address, () => Promise.resolve());
    const name = new URL(address).pathname.slice(1);
    await ask(address, `alter database ${name} set default_transaction_isolation to serializable`);
    await withStore(address, async (store) => {
      const sessions = Array.from({ length: 8 }, (_, place) => `s-${place}`);
      await Promise.all(
        sessions.map(async (session) => {
          const lease = await store.leases.acquire({ sessionId: session, owner: 'me', ttlMs: 60_000 });
          if (lease === null) throw new Error('the lease was not to be had');
          for (let seq = 1; seq <= 5; seq += 1) {
            const signals = [{ ...heard(seq), seq }];
            await store.steps.create(step(lease, { baseSeq: seq - 1, signals, inputKeys: [`${session}/${seq}`] }));
            const record = {
              actor: null,
              action: 'a',
              outcome: 'allowed',
              sessionId: session,
              details: { seq },
            } as const;
            await store.inbox.post([], [record], [`once/${session}/${seq}`]);
          }
        }),
      );
      for (const session of sessions) expect(await store.steps.list(session)).toHaveLength(5);
      const records = await store.audit.list({ limit: 99 });
      expect(records).toHaveLength(40);
      expect(brokenLink(records)).toBeNull();
    });
  });

  test('S1: a server that stays away is reported within seconds, and commits continue once it is back', async () => {
    const url = new URL(await server.createDatabase());
    const proxy = await openDroppingProxy({ host: url.hostname, port: Number(url.port) });
    const real = url.port;
    url.port = String(proxy.port);
    await withStore(url.href, async (store) => {
      const lease = await store.leases.acquire({ sessionId: 's', owner: 'me', ttlMs: 60_000 });
      if (lease === null) throw new Error('the lease was not to be had');
      await proxy.close();
      await expectRefusal('store-unreachable', store.steps.create(step(lease)));
      const again = await openDroppingProxy({ host: url.hostname, port: Number(real), at: proxy.port });
      await store.steps.create(step(lease));
      expect(await store.steps.list('s')).toHaveLength(1);
      await again.close();
    });
  });
});

/** Runs a script of this folder in a separate process and returns its output. */
function child(script: string, ...args: readonly string[]): Promise<string> {
  const one = spawn(execPath, [join(import.meta.dirname, script), ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  one.stdout.on('data', (text: Buffer) => (said += text.toString()));
  return new Promise((resolve) => one.once('close', () => resolve(said.trim())));
}

/** Returns a function that has a process take a turn, and returns its result. The process starts with the first turn. */
function twin() {
  let lines: AsyncIterator<string> | undefined;
  let process: ChildProcessByStdio<Writable, Readable, null> | undefined;
  afterAll(() => void process?.kill('SIGKILL'));
  return async (...turn: readonly [address: string, ledger: string, hours: number]): Promise<string> => {
    process ??= spawn(execPath, [join(import.meta.dirname, 'twin.mjs')], { stdio: ['pipe', 'pipe', 'inherit'] });
    lines ??= createInterface({ input: process.stdout })[Symbol.asyncIterator]();
    process.stdin.write(`${JSON.stringify(turn)}\n`);
    const { value, done } = await lines.next();
    return done === true ? 'The process has ended.' : value;
  };
}

/** Mounts a disk that is too small for a database. */
function mountTiny(path: string, size = '24k'): boolean {
  return platform === 'linux' && spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', path]).status === 0;
}

/** Whether this machine allows mounting one. */
function mountsTiny(): boolean {
  const disk = mkdtempSync(join(tmpdir(), 'roomflow-tiny-'));
  const isMounted = mountTiny(disk);
  unmount(disk, isMounted);
  return isMounted;
}

function unmount(disk: string, isMounted = true): void {
  if (isMounted) spawnSync('umount', [disk]);
  rmdirSync(disk);
}

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CompiledQuery, Kysely, PostgresDialect, SqliteDialect } from 'kysely';
import { Pool } from 'pg';
import { afterAll, describe, expect, test } from 'vitest';
import { migrate } from '../../src/store/migrations/migrate.ts';
import { migrationsFor } from '../../src/store/migrations/migrations.ts';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import type { GeneratorFlow } from '../../src/flow/document/generator.ts';
import { openStore } from '../../src/store/open-store.ts';
import { replaySession } from '../../src/runner/replay-session.ts';
import { systemClock } from '../../src/system.ts';
import { createRunner } from '../../src/runner/flow-runner.ts';
import { createTextSession } from '../../src/livekit/agent/text-session.ts';
import { ScriptedModel } from '../../src/testing/scripted-model.ts';
import { desk, lesson, script, toolsOf } from './older-sessions/flows.ts';
import { postgresForTests } from './postgres-for-tests.ts';
import { whyNoPostgres } from './postgres-server.ts';
import { expectRefusal } from './refusal.ts';
import { whyNoSqlite } from './sqlite-here.ts';

/** Sessions in the stores of the last release with a state version (see older-sessions/keep.ts). */
const keptWith = (version: 1 | 2): Kept =>
  JSON.parse(readFileSync(join(import.meta.dirname, `../fixtures/sessions-state-${version}.json`), 'utf8')) as Kept;
type Kept = Record<
  'sqlite' | 'postgres',
  { readonly migrations: readonly string[]; readonly rows: Readonly<Record<string, readonly Row[]>> }
>;
type Row = Readonly<Record<string, string | number | null>>;

const folder = mkdtempSync(join(tmpdir(), 'roomflow-older-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Inserts the sessions into an empty database with the tables of that release. */
async function fill(db: Kysely<never>, database: 'sqlite' | 'postgres', version: 1 | 2): Promise<void> {
  const { migrations, rows } = keptWith(version)[database];
  const known = migrationsFor(database);
  await migrate(
    db,
    Object.fromEntries(migrations.map((name) => [name, known[name] ?? { up: () => Promise.resolve() }])),
    database,
  );
  for (const [table, all] of Object.entries(rows))
    for (const row of all) {
      const names = Object.keys(row);
      const places = names.map((_, index) => (database === 'sqlite' ? '?' : `$${index + 1}`));
      const statement = `insert into ${table} (${names.join(', ')}) values (${places.join(', ')})`;
      await db.executeQuery(CompiledQuery.raw(statement, Object.values(row)));
    }
  await db.destroy();
}

async function sqlitePlace(name: string, version: 1 | 2): Promise<string> {
  const file = join(folder, `${name}-${version}.db`);
  const Database = createRequire(import.meta.url)('better-sqlite3') as new (path: string) => never;
  await fill(new Kysely({ dialect: new SqliteDialect({ database: new Database(file) }) }), 'sqlite', version);
  return `sqlite:${file}`;
}

/** Resumes a stored session in this release. */
async function goOn(address: string, sessionId: string, flow: ConversationFlow | GeneratorFlow) {
  const keys: string[] = [];
  const model = new ScriptedModel(script);
  const tools = toolsOf(async (name, key) => {
    keys.push(`${name} ${key}`);
    return { id: 7 };
  });
  const session = createTextSession(model);
  const runner = createRunner({
    session,
    flow,
    flows: { lesson },
    tools,
    store: address,
    sessionId,
    timeZone: 'UTC',
  });
  const heard: string[] = [];
  runner.onSpeech((text) => heard.push(text));
  await runner.start();
  await runner.idle();
  return { runner, heard, keys, model };
}

function describeSessions(place: (name: string) => Promise<string>): void {
  test('a node that asks continues to ask', async () => {
    const { runner, heard } = await goOn(await place('midway'), 'midway', desk);
    expect(heard.join(' ')).toMatch(/gone for a moment.*For how many\?/);
    await runner.send('2');
    expect(runner.state).toMatchObject({
      position: { node: 'offer' },
      knowledge: { slots: { name: { value: 'Ana' }, party: { value: 2 } } },
    });
    await runner.stop();
  });

  test('an open confirmation is asked again, and its yes counts', async () => {
    const { runner, heard, keys } = await goOn(await place('confirming'), 'confirming', desk);
    expect(heard.join(' ')).toMatch(/Shall I book for Ana\?/);
    await runner.send('yes');
    expect(keys).toHaveLength(1);
    expect(runner.state).toMatchObject({
      position: { node: 'more' },
      knowledge: { variables: { booking: { id: 7 } } },
    });
    await runner.stop();
  });

  test('a generator resumes from its journal', async () => {
    const { runner, heard, keys } = await goOn(await place('lesson'), 'lesson', lesson);
    expect(heard.join(' ')).toMatch(/A word, Ana\?/);
    await runner.send('hola');
    expect(await runner.ended).toBe('learned');
    expect(keys).toHaveLength(1);
  });

  test('an ended session is over', async () => {
    const address = await place('over');
    await expectRefusal('session-over', goOn(address, 'over', desk));
  });

  test('a write that was cut off is run again under its key', async () => {
    const { runner, keys } = await goOn(await place('writing'), 'writing', desk);
    expect(keys[0]).toBe('note writing/6/0.1');
    expect(runner.state).toMatchObject({ status: 'active', position: { node: 'more' } });
    await runner.stop();
  });

  test('a session that stopped in an inference continues', async () => {
    const { runner } = await goOn(await place('thinking'), 'thinking', desk);
    expect(runner.state).toMatchObject({ status: 'active', knowledge: { slots: { name: { value: 'Ana' } } } });
    await runner.send('bye');
    await runner.stop();
  });
}

describe.each([1, 2] as const)('sessions of a release with state version %i', (version) => {
  const noSqlite = whyNoSqlite();
  describe.skipIf(noSqlite !== null)(noSqlite ?? 'on SQLite', () => {
    describeSessions((name) => sqlitePlace(name, version));

    if (version === 2)
      test('the fold of each log is the stored state', async () => {
        const store = await openStore(await sqlitePlace('all', version), { clock: systemClock });
        const sessions = await store.sessions.list({ limit: 10 });
        expect(sessions).toHaveLength(6);
        for (const { sessionId } of sessions)
          expect(await replaySession(store, sessionId, { flows: { lesson } })).toMatchObject({ isKept: true });
        await store.close();
      });
  });

  const noPostgres = whyNoPostgres();
  describe.skipIf(noPostgres !== null)(noPostgres ?? 'on Postgres', () => {
    const server = postgresForTests();
    describeSessions(async () => {
      const address = await server.createDatabase();
      const pool = new Pool({ connectionString: address });
      await fill(new Kysely({ dialect: new PostgresDialect({ pool }) }), 'postgres', version);
      return address;
    });
  });
});

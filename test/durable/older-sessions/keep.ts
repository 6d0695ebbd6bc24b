// Stores the sessions of a release for the tests of later ones: tsx test/durable/older-sessions/keep.ts FILE, in a
// checkout of that release.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { createRequire } from 'node:module';
import { Client } from 'pg';
import { openStore } from '../../../src/store/open-store.ts';
import { createRunner } from '../../../src/runner/flow-runner.ts';
import { systemClock as clock } from '../../../src/system.ts';
import { createTextSession } from '../../../src/livekit/agent/text-session.ts';
import { ScriptedModel } from '../../../src/testing/scripted-model.ts';
import { startPostgres } from '../postgres-server.ts';
import { desk, lesson, script, toolsOf } from './flows.ts';

const never = new Promise<never>(() => undefined);

/** The callers' words, how each session is left, and where it stops. */
const sessions = [
  { sessionId: 'midway', flow: desk, words: ['I am Ana'] },
  { sessionId: 'confirming', flow: desk, words: ['I am Ana', '4', 'tomorrow'] },
  { sessionId: 'lesson', flow: lesson, words: ['Ana'] },
  { sessionId: 'over', flow: desk, words: ['I am Ana', '4', 'tomorrow', 'yes', 'bye'] },
  // The process was killed during a write, and during an inference.
  { sessionId: 'writing', flow: desk, words: ['I am Ana', '4', 'tomorrow', 'yes', 'note window'], stops: 'tool' },
  { sessionId: 'thinking', flow: desk, words: ['I am Ana', '4'], stops: 'model' },
] as const;

async function keepIn(address: string): Promise<void> {
  for (const one of sessions) {
    const stops = 'stops' in one ? one.stops : null;
    let stopped = (): void => undefined;
    const isStopped = new Promise<void>((resolve) => (stopped = resolve));
    const store = await openStore(address, { clock });
    const last = one.words.at(-1);
    const model = new ScriptedModel((request) => {
      if (stops !== 'model' || request.userText !== last) return script(request);
      stopped();
      return { delayMs: 3_600_000 };
    });
    const tools = toolsOf(async (name) => {
      if (stops !== 'tool' || name !== 'note') return { id: 7 };
      stopped();
      return await never;
    });
    const session = createTextSession(model);
    const { sessionId, flow, words } = one;
    const runner = createRunner({ session, flow, flows: { lesson }, tools, store, sessionId, timeZone: 'UTC' });
    await runner.start();
    await runner.idle();
    for (const said of words) {
      const sent = runner.send(said, { eventId: `${sessionId}-${said}` });
      await (said === last && stops !== null ? isStopped : sent);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    if (stops === null) await runner.leave();
    await store.close();
  }
}

const tables = ['sessions', 'steps', 'effects', 'inputs', 'graphs', 'calls'].map((name) => `roomflow_${name}`);

async function ofSqlite(): Promise<unknown> {
  const file = join(mkdtempSync(join(tmpdir(), 'roomflow-keep-')), 'kept.db');
  await keepIn(`sqlite:${file}`);
  const Database = createRequire(import.meta.url)('better-sqlite3') as new (path: string) => {
    prepare(sql: string): { all(): unknown[] };
  };
  const db = new Database(file);
  const migrations = db.prepare('select name from roomflow_migrations order by name').all() as { name: string }[];
  return {
    migrations: migrations.map(({ name }) => name),
    rows: Object.fromEntries(tables.map((table) => [table, db.prepare(`select * from ${table}`).all()])),
  };
}

async function ofPostgres(): Promise<unknown> {
  const server = await startPostgres();
  try {
    const address = await server.createDatabase();
    await keepIn(address);
    const client = new Client({ connectionString: address });
    await client.connect();
    const all = async (sql: string): Promise<Record<string, unknown>[]> => (await client.query(sql)).rows as never;
    const migrations = await all('select name from roomflow_migrations order by name');
    const rows: Record<string, unknown> = {};
    for (const table of tables) rows[table] = await all(`select * from ${table}`);
    await client.end();
    return { migrations: migrations.map(({ name }) => name), rows };
  } finally {
    await server.stop();
  }
}

const kept = { sqlite: await ofSqlite(), postgres: await ofPostgres() };
writeFileSync(process.argv[2] ?? '', `${JSON.stringify(kept, null, 1)}\n`);
process.exit(0);

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe } from 'vitest';
import { openSqliteStore } from '../../src/durable/sqlite-store.ts';
import { createVirtualClock } from '../../src/testing/virtual-clock.ts';
import { describeStore } from './conformance.ts';
import { whyNoSqlite } from './sqlite-here.ts';

const folder = mkdtempSync(join(tmpdir(), 'roomflow-sqlite-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;

const missing = whyNoSqlite();
describe.skipIf(missing !== null)(missing ?? 'on SQLite', () => {
  describeStore('sqlite', async () => {
    const clock = createVirtualClock();
    return { clock, store: await openSqliteStore(join(folder, `${(files += 1)}.db`), { clock }) };
  });
});

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { openSqliteStore } from '../../src/durable/sqlite-store.ts';
import { createVirtualClock } from '../../src/testing/virtual-clock.ts';
import { describeStore } from './conformance.ts';

const folder = mkdtempSync(join(tmpdir(), 'roomflow-sqlite-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;

describeStore('sqlite', async () => {
  const clock = createVirtualClock();
  return { clock, store: await openSqliteStore(join(folder, `${(files += 1)}.db`), { clock }) };
});

import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { whyNoSqlite } from '../durable/sqlite-here.ts';
import { folderOf, roomflow } from './run-cli.ts';

const noSqlite = whyNoSqlite();
describe.skipIf(noSqlite !== null)(noSqlite ?? 'what a caller has named', () => {
  it('leads no terminal astray, and JSON says the same', async () => {
    const folder = folderOf({ 'flow.yaml': 'initial_node: a\nnodes: { a: { say: Hi., end: true } }\n' });
    // Processes of their own: nothing of another test's terminal or folder is in the way.
    const store = { ROOMFLOW_STORE: `sqlite:${join(folder, 'a.db')}` };
    const id = 'a\u001B[2J\u009B31mb\u0007';
    const shown = String.raw`a\u001b[2J\u009b31mb\u0007`;
    const talk = await roomflow(['chat', 'flow.yaml', '--session', id], '', folder, store);
    expect(talk).toMatchObject({ code: 0, errors: '' });
    const list = await roomflow(['sessions'], '', folder, store);
    expect(list).toMatchObject({ code: 0, errors: '', out: expect.stringContaining(`${shown}  `) });
    const missing = await roomflow(['show', `${id}c`], '', folder, store);
    expect(missing.errors).toContain(`"${shown}c"`);
    expect(list.out + missing.errors).not.toMatch(/[^\P{Cc}\n]/u);
    const exported = await roomflow(['export', id], '', folder, store);
    expect((JSON.parse(exported.out) as { snapshot: { sessionId: string } }).snapshot.sessionId).toBe(id);
  });
});

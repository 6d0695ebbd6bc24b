import { describe, expect, it } from 'vitest';
import { whyNoSqlite } from '../durable/sqlite-here.ts';
import { folderOf, roomflow, roomflowHere } from './run-cli.ts';

const noSqlite = whyNoSqlite();
describe.skipIf(noSqlite !== null)(noSqlite ?? 'what a caller has named', () => {
  it('leads no terminal astray, and JSON says the same', async () => {
    const folder = folderOf({ 'flow.yaml': 'initial_node: a\nnodes: { a: { say: Hi., end: true } }\n' });
    const store = { ROOMFLOW_STORE: 'sqlite:a.db' };
    const id = 'a\u001B[2J\u009B31mb\u0007';
    const shown = String.raw`a\u001b[2J\u009b31mb\u0007`;
    await roomflow(['chat', 'flow.yaml', '--session', id], '', folder, store);
    const list = await roomflowHere(['sessions'], '', folder, store);
    expect(list.out).toContain(`${shown}  `);
    const missing = await roomflowHere(['show', `${id}c`], '', folder, store);
    expect(missing.errors).toContain(`"${shown}c"`);
    expect(list.out + missing.errors).not.toMatch(/[^\P{Cc}\n]/u);
    const exported = await roomflowHere(['export', id], '', folder, store);
    expect((JSON.parse(exported.out) as { snapshot: { sessionId: string } }).snapshot.sessionId).toBe(id);
  });
});

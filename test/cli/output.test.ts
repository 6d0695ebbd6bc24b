import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { whyNoSqlite } from '../durable/sqlite-here.ts';
import { handleOutputErrors } from '../../src/cli/output-errors.ts';
import { folderOf, projectFolder, roomflowHere } from './run-cli.ts';

const noSqlite = whyNoSqlite();
describe.skipIf(noSqlite !== null)(noSqlite ?? 'what a caller has named', () => {
  it('leads no terminal astray, and JSON says the same', async () => {
    const folder = folderOf({ 'flow.yaml': 'initial_node: a\nnodes: { a: { say: Hi., end: true } }\n' });
    const store = { ROOMFLOW_STORE: `sqlite:${join(folder, 'a.db')}` };
    const id = 'a\u001B[2J\u009B31mb\u0007';
    const shown = String.raw`a\u001b[2J\u009b31mb\u0007`;
    const talk = await roomflowHere(['chat', 'flow.yaml', '--session', id], '', folder, store);
    expect(talk).toMatchObject({ code: 0, errors: '' });
    const list = await roomflowHere(['sessions'], '', folder, store);
    expect(list).toMatchObject({ code: 0, errors: '', out: expect.stringContaining(`${shown}  `) });
    const missing = await roomflowHere(['show', `${id}c`], '', folder, store);
    expect(missing.errors).toContain(`"${shown}c"`);
    expect(list.out + missing.errors).not.toMatch(/[^\P{Cc}\n]/u);
    const exported = await roomflowHere(['export', id], '', folder, store);
    expect((JSON.parse(exported.out) as { snapshot: { sessionId: string } }).snapshot.sessionId).toBe(id);
  });
});

describe('output that is lost', () => {
  const failing = (code: string): Writable =>
    new Writable({ write: (_chunk, _encoding, done) => done(Object.assign(new Error(code), { code })) });

  /** Returns the exit code and the output of the process if its output stream fails like this. */
  const ended = async (written: 'stdout' | 'stderr', code: string) => {
    let said = '';
    const codes: number[] = [];
    const open = (): Writable =>
      new Writable({
        write(chunk: Buffer, _encoding, done) {
          said += chunk.toString();
          done();
        },
      });
    const streams = { stdout: open(), stderr: open(), [written]: failing(code) };
    handleOutputErrors({ ...streams, exit: (one) => void codes.push(one) });
    streams[written].write('x');
    await new Promise<void>((resolve) => setImmediate(resolve));
    return { codes, said };
  };

  it('ends the process at once, without a fault where only nobody reads on', async () => {
    expect(await ended('stdout', 'EPIPE')).toEqual({ codes: [0], said: '' });
    expect(await ended('stdout', 'ENOSPC')).toEqual({
      codes: [1],
      said: 'Standard output cannot be written (ENOSPC). Write it to a disk with free space.\n',
    });
  });

  it('ends nothing where only what is told beside it is not read', async () => {
    expect(await ended('stderr', 'EPIPE')).toEqual({ codes: [], said: '' });
  });
});

it('an input that is a file, such as /dev/null, ends the language server like the end of a pipe', () => {
  const main = join(projectFolder, 'dist/cli/main.js');
  const { status, stderr } = spawnSync(process.execPath, [main, 'lsp'], { stdio: ['ignore', 'pipe', 'pipe'] });
  expect([status, stderr.toString()]).toEqual([0, '']);
});

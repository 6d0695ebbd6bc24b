import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runningStudio } from '../../src/cli/run/running-studio.ts';
import { proofOf } from '../../src/studio/token.ts';
import { folderOf } from '../cli/run-cli.ts';
import { openEditor } from './editor.ts';

const flow = 'initial_node: a\nnodes:\n  a: { say: Hello., end: done }\n';

test('above a flow there is a way to the studio, which says how to start one where none runs', async () => {
  const editor = await openEditor(folderOf({ 'flow.yaml': flow }));
  await editor.open('flow.yaml');
  const told = new Promise<string>((resolve) =>
    editor.connection.onNotification('window/showMessage', ({ message }: { message: string }) => resolve(message)),
  );
  const textDocument = { uri: editor.uriOf('flow.yaml') };
  interface Lens {
    readonly command: { readonly title: string; readonly command: string; readonly arguments: readonly string[] };
  }
  const [lens] = await editor.ask<readonly Lens[]>('textDocument/codeLens', { textDocument });
  expect(lens?.command.title).toBe('Open in studio');
  await editor.ask('workspace/executeCommand', { command: lens?.command.command, arguments: lens?.command.arguments });
  expect(await told).toMatch(/npx roomflow dev flow\.yaml|The studio is at http/);
});

test('the studio that runs is found by its port, and its token is given to nothing else', async () => {
  const state = folderOf({});
  const seen: string[] = [];
  const serve = async (answer: (challenge: string) => string | null): Promise<number> => {
    const server = createServer(({ url = '' }, response) => {
      seen.push(url);
      const proof = answer(new URL(url, 'http://here').searchParams.get('challenge') ?? '');
      response.writeHead(200, { 'content-length': String(proof?.length ?? 0) }).end(proof);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    return (server.address() as AddressInfo).port;
  };
  const token = 'a'.repeat(43);
  const old = 'b'.repeat(43);
  mkdirSync(join(state, 'roomflow'));
  const keep = (port: number): void => writeFileSync(join(state, 'roomflow', `studio-${port}`), token);
  // Another program, a program that repeats its input, and a studio with a new token.
  keep(await serve(() => 'Open the address that roomflow printed.'));
  keep(await serve((challenge) => challenge));
  keep(await serve((challenge) => proofOf(old, challenge)));
  expect(await runningStudio({ XDG_STATE_HOME: state })).toBeNull();
  const studio = await serve((challenge) => proofOf(token, challenge));
  keep(studio);
  expect(await runningStudio({ XDG_STATE_HOME: state })).toBe(`http://127.0.0.1:${studio}/?token=${token}`);
  expect(seen.join()).not.toContain(token);
  // Each gets a different challenge, so that an overheard answer is useless.
  expect(new Set(seen).size).toBe(seen.length);
});

import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runningStudio } from '../../src/cli/running-studio.ts';
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
  const serve = async (status: number, text: string): Promise<number> => {
    const server = createServer((_request, response) => response.writeHead(status).end(text));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    return (server.address() as AddressInfo).port;
  };
  const [other, studio] = [
    await serve(401, 'Who are you?'),
    await serve(401, 'Open the address that roomflow has printed.'),
  ];
  mkdirSync(join(state, 'roomflow'));
  const token = 'a'.repeat(43);
  writeFileSync(join(state, 'roomflow', `studio-${other}`), token);
  expect(await runningStudio({ XDG_STATE_HOME: state })).toBeNull();
  writeFileSync(join(state, 'roomflow', `studio-${studio}`), token);
  expect(await runningStudio({ XDG_STATE_HOME: state })).toBe(`http://127.0.0.1:${studio}/?token=${token}`);
});

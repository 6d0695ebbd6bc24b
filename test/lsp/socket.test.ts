import type { AddressInfo } from 'node:net';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { serveLanguage } from '../../src/lsp/serve-language.ts';
import { socketMessages } from '../../src/lsp/socket-messages.ts';
import { folderOf } from '../cli/run-cli.ts';

interface Told {
  readonly id?: number;
  readonly method?: string;
  readonly result?: unknown;
  readonly params?: { readonly diagnostics: readonly { readonly code: string }[] };
}

test('a page has the same server over a WebSocket, within the process that serves the page', async () => {
  const folder = folderOf({ 'flow.yaml': '' });
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  const gone: Promise<void>[] = [];
  server.on(
    'connection',
    (socket) => void gone.push(serveLanguage({ ...socketMessages(socket), root: folder }).closed),
  );
  onTestFinished(() => server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  const page = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const told: Told[] = [];
  let wake: () => void = () => undefined;
  page.on('message', (data: Buffer) => {
    told.push(JSON.parse(data.toString()) as Told);
    wake();
  });
  const until = async (isIt: (one: Told) => boolean): Promise<Told> => {
    for (;;) {
      const found = told.find(isIt);
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => (wake = resolve));
    }
  };
  const send = (message: object): void => page.send(JSON.stringify({ jsonrpc: '2.0', ...message }));
  await new Promise((resolve) => page.once('open', resolve));

  send({ id: 1, method: 'initialize', params: { processId: null, rootUri: null, capabilities: {} } });
  await until(({ id }) => id === 1);
  send({ method: 'initialized', params: {} });
  const uri = pathToFileURL(`${folder}/flow.yaml`).href;
  const text = 'initial_node: b\nnodes:\n  a: { say: Hi., end: done }\n';
  send({ method: 'textDocument/didOpen', params: { textDocument: { uri, languageId: 'yaml', version: 1, text } } });
  const { params } = await until(({ method }) => method === 'textDocument/publishDiagnostics');
  expect(params?.diagnostics.map(({ code }) => code)).toEqual(['unknown-initial-node']);
  send({
    id: 2,
    method: 'textDocument/completion',
    params: { textDocument: { uri }, position: { line: 0, character: 14 } },
  });
  expect(JSON.stringify((await until(({ id }) => id === 2)).result)).toContain('"label":"a"');

  // The page disconnects without a message, and the process stays.
  page.terminate();
  await Promise.all(gone);
});

test('what is no message closes the socket', async () => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  server.on('connection', (socket) => void serveLanguage(socketMessages(socket)));
  onTestFinished(() => server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  const page = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  await new Promise((resolve) => page.once('open', resolve));
  page.send('Content-Length: 2');
  await new Promise((resolve) => page.once('close', resolve));
});

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { pathToFileURL } from 'node:url';
import {
  createMessageConnection,
  type MessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-jsonrpc/node';
import { checkFlow } from '../../dist/flow/load/check-flow.js';
import { serveLanguage } from '../../dist/lsp/serve-language.js';
import { builtinCatalog } from '../../dist/flow/nodes/builtin.js';
import { largeFlow } from './large-flow.ts';
import { type Measure, median, type Reading } from './measure.ts';

const nodes = 300;
const keystrokes = 40;
const text = largeFlow(nodes);

/** Runs an editor and its server in this process, so that its CPU time is that of both. */
async function withEditor(work: (editor: MessageConnection, uri: string) => Promise<Reading>): Promise<Reading> {
  const folder = mkdtempSync(join(tmpdir(), 'roomflow-bench-'));
  const [there, back] = [new PassThrough(), new PassThrough()];
  const server = serveLanguage({
    reader: new StreamMessageReader(there),
    writer: new StreamMessageWriter(back),
    root: folder,
  });
  const editor = createMessageConnection(new StreamMessageReader(back), new StreamMessageWriter(there));
  editor.listen();
  try {
    const rootUri = pathToFileURL(folder).href;
    await editor.sendRequest('initialize', { processId: null, rootUri, capabilities: {} });
    await editor.sendNotification('initialized', {});
    const uri = `${rootUri}/flow.yaml`;
    const shown = published(editor);
    await editor.sendNotification('textDocument/didOpen', {
      textDocument: { uri, languageId: 'yaml', version: 1, text },
    });
    await shown;
    return await work(editor, uri);
  } finally {
    server.stop();
    editor.dispose();
    rmSync(folder, { recursive: true });
  }
}

function published(editor: MessageConnection): Promise<void> {
  return new Promise((resolve) => editor.onNotification('textDocument/publishDiagnostics', () => resolve()));
}

/** Returns the CPU time of a piece of work, in milliseconds. */
async function cpuMs(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

async function checkAlone(): Promise<string> {
  const times: number[] = [];
  for (let round = 0; round < keystrokes; round += 1)
    times.push(await cpuMs(() => Promise.resolve(checkFlow(text, { catalog: builtinCatalog }))));
  return `check alone, ${median(times).toPrecision(3)} ms`;
}

async function typing(editor: MessageConnection, uri: string): Promise<Reading> {
  const row = text.split('\n').findIndex((line) => line.includes('Step 0'));
  const character = (text.split('\n')[row] ?? '').indexOf('Step 0');
  const times: number[] = [];
  for (let version = 2; version < keystrokes + 2; version += 1)
    times.push(
      await cpuMs(async () => {
        const shown = published(editor);
        // Inside the prompt of the first node, where the flow stays valid.
        const at = { line: row, character: character + 2 };
        await editor.sendNotification('textDocument/didChange', {
          textDocument: { uri, version },
          contentChanges: [{ range: { start: at, end: at }, text: 'x' }],
        });
        await shown;
      }),
    );
  return { value: median(times), baseline: await checkAlone(), runs: times.length };
}

async function completing(editor: MessageConnection, uri: string): Promise<Reading> {
  const row = text.split('\n').findIndex((line) => line.includes('transition_to: n150'));
  const character = (text.split('\n')[row] ?? '').indexOf('n150') + 1;
  const times: number[] = [];
  for (let round = 0; round < keystrokes; round += 1)
    times.push(
      await cpuMs(() =>
        editor.sendRequest('textDocument/completion', { textDocument: { uri }, position: { line: row, character } }),
      ),
    );
  return { value: median(times), baseline: await checkAlone(), runs: times.length };
}

const rehearsedBy = 'test/lsp/problems.test.ts, test/lsp/completion.test.ts';

export const measures: Measure[] = [
  {
    name: `lsp.${nodes}.keystroke_cpu_ms`,
    unit: 'ms',
    better: 'lower',
    limit: 200,
    rehearsedBy,
    run: () => withEditor(typing),
  },
  {
    name: `lsp.${nodes}.completion_cpu_ms`,
    unit: 'ms',
    better: 'lower',
    limit: 200,
    rehearsedBy,
    run: () => withEditor(completing),
  },
];

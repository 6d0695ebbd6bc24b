import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import {
  createMessageConnection,
  type MessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-jsonrpc/node';
import { projectFolder, putFiles } from '../cli/run-cli.ts';

const main = join(projectFolder, 'dist/cli/main.js');

interface Place {
  readonly line: number;
  readonly character: number;
}

export interface Shown {
  readonly range: { readonly start: Place; readonly end: Place };
  readonly severity: number;
  readonly code: string;
  readonly message: string;
  readonly source: string;
}

interface Published {
  readonly uri: string;
  readonly version?: number;
  readonly diagnostics: readonly Shown[];
}

interface Edit {
  readonly range: { readonly start: Place; readonly end: Place };
  readonly newText: string;
}

/** An editor from the server's view: it opens, types and asks over the standard streams of `roomflow lsp`. */
export interface Editor {
  readonly connection: MessageConnection;
  readonly uriOf: (name: string) => string;
  /** Opens a file of the folder, by default with its content, and returns its problems. */
  open(name: string, text?: string): Promise<readonly Shown[]>;
  /** Replaces the text of an open file in one change, and returns its problems. */
  type(name: string, text: string): Promise<readonly Shown[]>;
  close(name: string): void;
  /** Returns the next published problems of a file. */
  next(name: string, version?: number): Promise<readonly Shown[]>;
  /** Returns the last published problems of a file. */
  shown(name: string): readonly Shown[];
  ask<Answer = unknown>(method: string, params: object): Promise<Answer>;
  /** Asks about the place of `|` in a text. The file then contains the text without it. */
  askAt<Answer = unknown>(method: string, name: string, marked: string, more?: object): Promise<Answer>;
  /** The same server, on files of another folder. */
  inside(folder: string): Editor;
  stop(): Promise<number | null>;
}

/** Shares one server among the tests of a file, each with its own folder. Returns it for a folder of these files. */
export function shareEditor(): (files: Readonly<Record<string, string>>) => Editor {
  let editor: Editor;
  let root: string;
  let end: () => void;
  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), 'roomflow-lsp-'));
    // For the configurations of these folders.
    mkdirSync(join(root, 'node_modules'));
    symlinkSync(projectFolder, join(root, 'node_modules/roomflow'), 'dir');
    editor = await openEditor(root, (over) => (end = over));
  });
  afterAll(() => {
    end();
    rmSync(root, { recursive: true });
  });
  return (files) => {
    const folder = mkdtempSync(join(root, 'files-'));
    putFiles(folder, files);
    const there = editor.inside(folder);
    // An editor reports the changes in the folder that it watches like this.
    const changes = Object.keys(files).map((name) => ({ uri: there.uriOf(name), type: 1 }));
    void editor.connection.sendNotification('workspace/didChangeWatchedFiles', { changes });
    return there;
  };
}

/** Starts the built server in a folder. It ends with the test, or with `whenOver`. */
export async function openEditor(
  folder: string,
  whenOver: (end: () => void) => void = onTestFinished,
  args: readonly string[] = [],
): Promise<Editor> {
  const child = spawn(execPath, [main, 'lsp', ...args], { cwd: folder, stdio: ['pipe', 'pipe', 'pipe'] });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString();
  });
  const connection = createMessageConnection(
    new StreamMessageReader(child.stdout),
    new StreamMessageWriter(child.stdin),
  );
  const published = new Map<string, Published>();
  const waiting: { uri: string; version: number | undefined; take: (found: readonly Shown[]) => void }[] = [];
  connection.onNotification('textDocument/publishDiagnostics', (given: Published) => {
    published.set(given.uri, given);
    for (const one of waiting.filter(
      ({ uri, version }) => uri === given.uri && (version ?? given.version) === given.version,
    )) {
      waiting.splice(waiting.indexOf(one), 1);
      one.take(given.diagnostics);
    }
  });
  connection.onRequest('client/registerCapability', () => null);
  connection.listen();
  await connection.sendRequest('initialize', {
    processId: process.pid,
    rootUri: pathToFileURL(folder).href,
    capabilities: { workspace: { didChangeWatchedFiles: { dynamicRegistration: true } } },
  });
  await connection.sendNotification('initialized', {});

  const editorIn = (folder: string): Editor => {
    const texts = new Map<string, { text: string; version: number }>();
    const uriOf = (name: string): string => pathToFileURL(join(folder, name)).href;
    const next = (name: string, version?: number): Promise<readonly Shown[]> =>
      new Promise((take) => waiting.push({ uri: uriOf(name), version, take }));
    const editor: Editor = {
      connection,
      uriOf,
      async open(name, text = readFileSync(join(folder, name), 'utf8')) {
        texts.set(name, { text, version: 1 });
        const found = next(name, 1);
        const item = { uri: uriOf(name), languageId: name.endsWith('.md') ? 'markdown' : 'yaml', version: 1, text };
        await connection.sendNotification('textDocument/didOpen', { textDocument: item });
        return await found;
      },
      async type(name, text) {
        const version = (texts.get(name)?.version ?? 1) + 1;
        texts.set(name, { text, version });
        const found = next(name, version);
        await connection.sendNotification('textDocument/didChange', {
          textDocument: { uri: uriOf(name), version },
          contentChanges: [{ text }],
        });
        return await found;
      },
      close(name) {
        texts.delete(name);
        void connection.sendNotification('textDocument/didClose', { textDocument: { uri: uriOf(name) } });
      },
      next,
      shown: (name) => published.get(uriOf(name))?.diagnostics ?? [],
      ask: (method, params) => connection.sendRequest(method, params),
      async askAt(method, name, marked, more = {}) {
        const offset = marked.indexOf('|');
        const text = marked.slice(0, offset) + marked.slice(offset + 1);
        if (texts.has(name)) await editor.type(name, text);
        else await editor.open(name, text);
        const position = placeIn(text, offset);
        return await connection.sendRequest(method, { textDocument: { uri: uriOf(name) }, position, ...more });
      },
      inside: editorIn,
      async stop() {
        await connection.sendRequest('shutdown');
        await connection.sendNotification('exit');
        return await ended;
      },
    };
    return editor;
  };
  whenOver(() => {
    connection.dispose();
    child.kill('SIGKILL');
    if (errors !== '') console.error(errors);
  });
  return editorIn(folder);
}

/** Line and character of an offset, both from 0, in UTF-16 units. */
function placeIn(text: string, offset: number): Place {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length - 1, character: before.at(-1)?.length ?? 0 };
}

/** Returns the text between two places. */
export function textIn(text: string, { start, end }: { readonly start: Place; readonly end: Place }): string {
  return text.slice(offsetIn(text, start), offsetIn(text, end));
}

/** Applies edits to a text. */
export function edited(text: string, edits: readonly Edit[]): string {
  return edits
    .toSorted((one, other) => offsetIn(text, other.range.start) - offsetIn(text, one.range.start))
    .reduce(
      (done, { range, newText }) =>
        done.slice(0, offsetIn(text, range.start)) + newText + done.slice(offsetIn(text, range.end)),
      text,
    );
}

function offsetIn(text: string, { line, character }: Place): number {
  const lines = text.split('\n');
  return lines.slice(0, line).reduce((sum, one) => sum + one.length + 1, 0) + character;
}

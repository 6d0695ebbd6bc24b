import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { onTestFinished } from 'vitest';
import { runRoomflow } from '../../src/cli/roomflow.ts';
import { keepLog } from '../livekit-log.ts';

export const projectFolder = join(import.meta.dirname, '../..');
const main = join(projectFolder, 'dist/cli/main.js');

export interface CliRun {
  readonly code: number;
  readonly out: string;
  readonly errors: string;
}

/** Runs the built command line in a separate process, without keys and without a terminal. `typed` is its input. */
export function roomflow(
  args: readonly string[],
  typed = '',
  folder = projectFolder,
  keys: Readonly<Record<string, string>> = {},
): Promise<CliRun> {
  return roomflowAs(undefined, args, typed, folder, keys);
}

/** The same as another user of this machine. */
export function roomflowAs(
  uid: number | undefined,
  args: readonly string[],
  typed: string,
  folder: string,
  keys: Readonly<Record<string, string>>,
): Promise<CliRun> {
  const { OPENAI_API_KEY: _key, ...env } = process.env;
  const options = { cwd: folder, env: { ...env, ...keys }, ...(uid === undefined ? {} : { uid }) };
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [main, ...args], options, (error, out, errors) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 1;
      resolve({ code, out, errors });
    });
    child.stdin?.end(typed);
  });
}

/**
 * The same within this process: milliseconds instead of the seconds of CPU that a separate process takes. Run one at a
 * time, because the command takes over the folder, keys, input and outputs of this process.
 */
export async function roomflowHere(
  args: readonly string[],
  typed: string | Readable = '',
  folder = projectFolder,
  keys: Readonly<Record<string, string>> = {},
  onErrors: (shown: string) => void = () => undefined,
): Promise<CliRun> {
  const { cwd, env, exitCode, stdin } = {
    cwd: process.cwd(),
    env: process.env,
    exitCode: process.exitCode,
    stdin: Object.getOwnPropertyDescriptor(process, 'stdin'),
  };
  const restoreLog = keepLog();
  const { OPENAI_API_KEY: _key, ...others } = env;
  const [out, errors] = [captured(process.stdout), captured(process.stderr, onErrors)];
  process.chdir(folder);
  process.env = { ...others, ...keys };
  process.exitCode = undefined;
  const input = typeof typed === 'string' ? Readable.from(typed === '' ? [] : [typed]) : typed;
  Object.defineProperty(process, 'stdin', { configurable: true, value: input });
  try {
    await runRoomflow(args);
    return { code: exitCodeNow(), out: out.text(), errors: errors.text() };
  } finally {
    if (stdin !== undefined) Object.defineProperty(process, 'stdin', stdin);
    process.exitCode = exitCode;
    process.env = env;
    process.chdir(cwd);
    restoreLog();
    out.release();
    errors.release();
  }
}

/** Creates a temporary folder with these files. It is removed when the test is over. */
export function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'roomflow-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  putFiles(folder, files);
  return folder;
}

/** Writes files into a folder and creates the folders they need. */
export function putFiles(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

/** The same, and this package can be imported by its name there. */
export function linkedFolderOf(files: Readonly<Record<string, string>>): string {
  const folder = folderOf(files);
  linkProject(folder);
  return folder;
}

/** Makes this package importable by its name in a folder. */
export function linkProject(folder: string): void {
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(projectFolder, join(folder, 'node_modules/roomflow'), 'dir');
}

function exitCodeNow(): number {
  return Number(process.exitCode ?? 0);
}

/** Captures writes to a stream instead of showing them. */
function captured(
  stream: NodeJS.WriteStream,
  onText: (text: string) => void = () => undefined,
): { readonly text: () => string; readonly release: () => void } {
  let text = '';
  const { write } = stream;
  stream.write = (chunk: string | Uint8Array): boolean => {
    text += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
    onText(text);
    return true;
  };
  return { text: () => text, release: () => void (stream.write = write) };
}

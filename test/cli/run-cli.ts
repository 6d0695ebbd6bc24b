import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

export const projectFolder = join(import.meta.dirname, '../..');
const main = join(projectFolder, 'dist/cli/main.js');

export interface CliRun {
  readonly code: number;
  readonly out: string;
  readonly errors: string;
}

/** The built command line in a process of its own, without keys and without a terminal; `typed` is its input. */
export function roomflow(
  args: readonly string[],
  typed = '',
  folder = projectFolder,
  keys: Readonly<Record<string, string>> = {},
): Promise<CliRun> {
  const { OPENAI_API_KEY: _key, ...env } = process.env;
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [main, ...args],
      { cwd: folder, env: { ...env, ...keys } },
      (error, out, errors) => {
        const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 1;
        resolve({ code, out, errors });
      },
    );
    child.stdin?.end(typed);
  });
}

/** Files in a folder of their own, gone when the test is over. */
export function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'roomflow-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

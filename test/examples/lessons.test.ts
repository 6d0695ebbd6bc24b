import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type CliRun, projectFolder, roomflowHere } from '../cli/run-cli.ts';
import { commandsOf } from './shown-commands.ts';

const lessons = join(projectFolder, 'examples/lessons');
const names = readdirSync(lessons).filter((name) => /^\d/.test(name));
const folders = [...names.map((name) => join(lessons, name)), join(projectFolder, 'examples/triage-pipeline')];

/** The words of a command; quotes hold words together. */
function wordsOf(command: string): readonly string[] {
  return [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
}

/** Runs a command as a shell would: what is echoed before a bar is typed. */
async function run(command: string): Promise<CliRun> {
  const [before, after] = command.includes(' | ') ? command.split(' | ') : [undefined, command];
  const typed = before === undefined ? '' : `${wordsOf(before).slice(1).join(' ')}\n`;
  const [npx, program, ...args] = wordsOf(after ?? '');
  expect(npx).toBe('npx');
  if (program === 'roomflow') return roomflowHere(args, typed);
  expect(program).toBe('tsx');
  const tsx = join(projectFolder, 'node_modules/tsx/dist/cli.mjs');
  return new Promise((resolve) => {
    execFile(process.execPath, [tsx, ...args], { cwd: projectFolder }, (error, out, errors) =>
      resolve({ code: error === null ? 0 : 1, out, errors }),
    );
  });
}

const progressMarks = /^[✓↻✗-] /;

/** An output as it is at any speed: without how long tasks took, and which of those that run at once ended first. */
function shown(output: string): { readonly progress: readonly string[]; readonly printed: string } {
  const lines = output
    .replaceAll(/  \d+(?:\.\d+)? m?s\b/g, '')
    .trimEnd()
    .split('\n');
  return {
    progress: lines.filter((line) => progressMarks.test(line)).toSorted(),
    printed: lines.filter((line) => !progressMarks.test(line)).join('\n'),
  };
}

test('the lessons are listed in their order', () => {
  const listed = [...readFileSync(join(lessons, 'README.md'), 'utf8').matchAll(/\]\(([^)]+)\)/g)].map(
    ([, name]) => name,
  );
  expect(listed).toEqual(names);
});

describe.each(folders.map((folder) => [folder.slice(projectFolder.length + 1), folder]))('%s', (_name, folder) => {
  const readme = readFileSync(join(folder, 'README.md'), 'utf8');
  const commands = commandsOf(readme);

  test('has a goal and a command', () => {
    expect(readme).toMatch(/^# .+\n\n\S/);
    expect(commands.length).toBeGreaterThan(0);
  });

  test.each(commands)('prints what it says: $command', async ({ command, output }) => {
    const { code, out, errors } = await run(command);
    expect({ code, ...shown(`${errors}${out}`) }).toEqual({ code: 0, ...shown(output) });
  });
});

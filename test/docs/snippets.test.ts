import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { checkFlow } from '../../src/flow/load/check-flow.ts';
import { builtinCatalog } from '../../src/flow/nodes/builtin.ts';
import { isTestFile } from '../../src/flowtest/document/is-test-file.ts';
import { openTest } from '../../src/flowtest/open-test.ts';
import { whyNoSqlite } from '../durable/sqlite-here.ts';
import type { CliRun } from '../cli/run-cli.ts';
import { isBroad } from '../tries.ts';
import { commandsOf, isProgram, runProgram, runShown } from './commands.ts';
import { exampleOf, publicNames } from './docstrings.ts';
import { namesDate, onDay, otherDays, shownDay, withoutDates } from './other-days.ts';
import { type Block, handwrittenPages, type Page, projectFolder } from './pages.ts';

// Inside the project, so that its pages can import roomflow and its dependencies like an installed package.
mkdirSync(join(projectFolder, '.cache'), { recursive: true });
const root = mkdtempSync(join(projectFolder, '.cache/docs-'));
afterAll(() => rmSync(root, { recursive: true }));

const pages = handwrittenPages().filter(({ blocks }) => blocks.some(({ language }) => language !== 'text'));
const folderOf = (page: Page): string => join(root, page.path.replace(/\.md$/, ''));

for (const page of pages) {
  const folder = folderOf(page);
  mkdirSync(folder, { recursive: true });
  for (const block of page.blocks) saveBlock(block, folder);
}

/** Each dialogue of the pages on other days: on all of them if it names a date, else on one. */
const dialogues = pages.flatMap((page) => {
  const commands = commandsOf(page.blocks).filter(({ output }) => output !== null && /^you {4}/m.test(output));
  if (commands.length === 0) return [];
  // A copy from before the commands have run.
  const original = join(root, 'other-days', page.path.replace(/\.md$/, ''));
  cpSync(folderOf(page), original, { recursive: true });
  return otherDays.flatMap((day, index) => {
    const played = index === 0 ? commands : commands.filter(({ output }) => namesDate(output ?? ''));
    return played.length === 0 ? [] : [[page.path, day.name, { original, day, played }] as const];
  });
});

/** The programs run one after the other, beside the tests. */
const programs = new Map<string, Promise<CliRun>>();
let last: Promise<unknown> = Promise.resolve();
for (const page of pages)
  for (const shown of commandsOf(page.blocks).filter(isProgram)) {
    const run = last.then(() => runProgram(shown, folderOf(page)));
    programs.set(`${page.path} ${shown.command}`, run);
    last = run;
  }

const { now: today } = shownDay;
const realNow = Date.now;

const zone = process.env['TZ'];

beforeAll(() => {
  const offset = today - realNow();
  process.env['TZ'] = 'UTC';
  Date.now = () => realNow() + offset;
});

afterAll(() => {
  Date.now = realNow;
  if (zone === undefined) delete process.env['TZ'];
  else process.env['TZ'] = zone;
});

/** Only in `npm run laws`: the compiler takes a fifth of the processor time of this file. */
const compiles = 'every TypeScript snippet, and every example of a docstring, compiles against the built package';
if (isBroad)
  test(compiles, async () => {
    mkdirSync(join(root, 'docstrings'));
    for (const one of publicNames()) {
      const example = exampleOf(one);
      if (example !== null) writeFileSync(join(root, 'docstrings', `${one.name}.ts`), example);
    }
    const options = { extends: join(projectFolder, 'test/tsconfig.json'), include: ['**/*.ts'] };
    const compilerOptions = { rootDir: projectFolder, incremental: false, tsBuildInfoFile: null };
    writeFileSync(join(root, 'tsconfig.json'), JSON.stringify({ ...options, compilerOptions }));
    const compiler = join(projectFolder, 'node_modules/typescript/bin/tsc');
    const told = await new Promise<string>((resolve) => {
      execFile(process.execPath, [compiler, '-p', join(root, 'tsconfig.json')], { cwd: root }, (_error, out) =>
        resolve(out),
      );
    });
    expect(told).toBe('');
  });

// What is TypeScript alone was compiled above.
const shown = pages.filter(({ blocks }) => blocks.some(({ language }) => language !== 'ts'));

describe.each(shown.map((page) => [page.path, page] as const))('%s', (_path, page) => {
  const folder = folderOf(page);
  const originals = page.blocks.flatMap((block) => {
    const original = originalOf(block);
    return original === null ? [] : [[block.file ?? '', original, block.text] as const];
  });
  const documents = page.blocks.filter(
    (block) => ['yaml', 'json'].includes(block.language) && originalOf(block) === null,
  );
  const commands = commandsOf(page.blocks);

  test.each(originals)('shows %s as it is', (_file, original, text) => {
    expect(readFileSync(original, 'utf8')).toContain(text.trimEnd());
  });

  test.each(documents.map((block) => [block.line, block] as const))(
    'shows a right document in line %i',
    async (_line, block) => {
      expect(await faultsIn(block, folder)).toEqual([]);
    },
  );

  test.for(commands.map((shown) => [shown.command, shown] as const))('%s', async ([, shown], { skip }) => {
    if (shown.command.includes('sqlite:')) skip(whyNoSqlite() !== null);
    const run = await (programs.get(`${page.path} ${shown.command}`) ?? runShown(shown, folder));
    if (run === null || typeof run === 'string') return expect(run).toBeNull();
    if (shown.output === null) return expect({ ...run, out: '' }).toMatchObject({ code: shown.code });
    expect({ code: run.code, printed: comparable(`${run.errors}${run.out}`, shown.output) }).toEqual({
      code: shown.code,
      printed: comparable(shown.output, shown.output),
    });
  });
});

test.each(dialogues)('the dialogues of %s go as shown on %s', async (_path, name, { original, day, played }) => {
  const folder = `${original}, ${name}`;
  cpSync(original, folder, { recursive: true });
  for (const shown of played) {
    if (shown.command.includes('sqlite:') && whyNoSqlite() !== null) continue;
    const run = await onDay(day, () => runShown(shown, folder));
    if (run === null || typeof run === 'string') throw new Error(`${shown.command} does not run here`);
    const output = withoutDates(shown.output ?? '', shownDay);
    expect(comparable(withoutDates(`${run.errors}${run.out}`, day), output)).toEqual(comparable(output, output));
  }
});

/** A file of the project that a page shows, whole or in part. */
function originalOf({ file }: Block): string | null {
  const path = file?.includes('/') === true ? join(projectFolder, file) : null;
  return path !== null && existsSync(path) ? path : null;
}

function saveBlock(block: Block, folder: string): void {
  const { language, file, text, line } = block;
  if (originalOf(block) !== null) return;
  const name = file ?? (language === 'ts' ? `snippet-${line}.ts` : null);
  if (name === null) return;
  const path = join(folder, name);
  if (existsSync(path) && language !== 'ts') throw new Error(`${path} is shown twice: a page shows a file once.`);
  mkdirSync(dirname(path), { recursive: true });
  // A second block of TypeScript continues the file.
  writeFileSync(path, text, { flag: 'a' });
}

/** Returns the faults of a document that a page shows. */
async function faultsIn({ language, file, text }: Block, folder: string): Promise<readonly string[]> {
  if (language === 'json') return [JSON.parse(text)].flatMap(() => []);
  const name = file?.split('/').at(-1) ?? '';
  // Invalid on purpose, as input of a command, or not a flow at all.
  if (name.startsWith('broken') || name.startsWith('script')) return [];
  if (isTestFile(name)) {
    const { diagnostics } = await openTest(join(folder, name));
    return diagnostics.map(({ code, message }) => `${code}: ${message}`);
  }
  const document = parse(text) as Readonly<Record<string, unknown>>; // A document of a page of this project.
  const isWhole = 'nodes' in document;
  const isTasks = 'flow' in document;
  const completed = { initial_node: 'shown', nodes: { shown: { end: 'shown' } }, ...document };
  const source = isWhole ? (file === null ? text : join(folder, file)) : isTasks ? document : completed;
  const { diagnostics } = checkFlow(source, { catalog: builtinCatalog });
  return diagnostics
    .filter(({ severity }) => severity === 'error' || (severity === 'warning' && isWhole))
    .map(({ code, message }) => `${code}: ${message}`);
}

/** Returns an output without its variable parts. If the page leaves out lines with `…`, the result leaves them out too. */
function comparable(printed: string, shown: string): readonly string[] {
  const lines = printed
    .replaceAll(/ {2}\d+(?:\.\d+)? m?s\b/g, '')
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '');
  const kept = new Set(shown.split('\n').map((line) => line.trimEnd()));
  return kept.has('…') ? lines.filter((line) => kept.has(line) && line !== '…') : lines;
}

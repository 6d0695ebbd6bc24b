import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, expectTypeOf, test } from 'vitest';
import { errorCodes, type FlowErrorCode } from '../../src/model/error-codes.ts';
import { FlowError } from '../../src/model/errors.ts';
import { apiPage, apiPages } from './api-page.ts';
import { diagnosticsPage, errorsPage, importsPage } from './code-pages.ts';
import { commandsPage } from './commands-page.ts';
import { dialoguePage } from './dialogue-page.ts';
import { eventsPage } from './events-page.ts';
import { formatPage } from './format-page.ts';
import { httpPage } from './http-page.ts';
import { limitsPage } from './limits-page.ts';
import { optionsPage } from './options-page.ts';
import { projectFolder } from './pages.ts';

const stale = 'docs/reference differs from what it is written from. Run npm run docs, and commit what it writes';

const pages: readonly (readonly [name: string, page: () => string | Promise<string>])[] = [
  ['format.md', formatPage],
  ['diagnostics.md', diagnosticsPage],
  ['errors.md', errorsPage],
  ['commands.md', commandsPage],
  ['imports.md', importsPage],
  ['dialogue.md', dialoguePage],
  ['limits.md', limitsPage],
  ['events.md', eventsPage],
  ['options.md', optionsPage],
  ['http.md', httpPage],
  ...Object.entries(apiPages).map(([name, page]) => [`api/${name}.md`, () => apiPage(page)] as const),
];

test.each(pages)('docs/reference/%s is fresh', async (name, page) => {
  await expect(await page(), stale).toMatchFileSnapshot(join(projectFolder, 'docs/reference', name));
});

test('every code of an error has its row in src/model/error-codes.ts, and every row its error', () => {
  const rows = Object.values(errorCodes).flatMap((codes) => Object.keys(codes));
  const { thrown, text } = codesInSources();
  expect([...thrown].filter((code) => !rows.includes(code))).toEqual([]);
  expect(rows.filter((code) => !text.includes(`'${code}'`))).toEqual([]);
  expect(new Set(rows).size).toBe(rows.length);
  expectTypeOf<'tool-name-taken'>().toExtend<FlowErrorCode>();
  expectTypeOf<'tool-name-takn'>().not.toExtend<FlowErrorCode>();
});

/** Returns the codes that errors are created with, and the codes of failed tasks. */
function codesInSources(): { readonly thrown: ReadonlySet<string>; readonly text: string } {
  const packages = readdirSync(join(projectFolder, 'packages')).map((name) => `packages/${name}/src`);
  const texts = ['src', ...packages].flatMap((folder) =>
    readdirSync(join(projectFolder, folder), { recursive: true, encoding: 'utf8' })
      .map((file) => file.replaceAll('\\', '/'))
      .filter((file) => file.endsWith('.ts') && file !== 'error-codes.ts')
      .map((file) => ({ file, text: readFileSync(join(projectFolder, folder, file), 'utf8') })),
  );
  const thrown = texts.flatMap(({ file, text }) => [
    ...[...text.matchAll(/new FlowError\(\s*([^`,]*)[`,]/g)].flatMap(([, given = '']) => quoted(given)),
    ...[...text.matchAll(/\bfailed\(('[^']*')/g)].flatMap(([, given = '']) => quoted(given)),
    ...(/^(nodes|tasks)\//.test(file) ? [...text.matchAll(/ok: false, code: ('[^']*')/g)] : []).flatMap(
      ([, given = '']) => quoted(given),
    ),
  ]);
  return { thrown: new Set(thrown), text: texts.map(({ text }) => text).join('\n') };
}

/** Returns the codes that an expression may yield, without those that it compares with. */
function quoted(text: string): readonly string[] {
  return [...text.trim().matchAll(/(?:^|[?:]\s*)'([a-z]+(?:-[a-z]+)*)'/g)].map(([, code = '']) => code);
}

test('an error has the kind and the page of its code', () => {
  const { kind, page } = new FlowError('store-busy', 'the store is busy.');
  expect([kind, page]).toEqual(['store', 'reference/errors.md#store-busy']);
  expect(readFileSync(join(projectFolder, 'docs/reference/errors.md'), 'utf8')).toContain('<a id="store-busy"></a>');
  expect(new FlowError('store-of-mine-full', 'full.').kind).toBe('store');
  expect(new FlowError('quota-reached', 'no more.').kind).toBe('flow');
});

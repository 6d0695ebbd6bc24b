import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { describe, expect, test } from 'vitest';
import { allPages, handwrittenPages, type Page, projectFolder } from './pages.ts';

const languages = new Set([
  'js',
  'yaml',
  'json',
  'ts',
  'bash',
  'console',
  'text',
  'mermaid',
  'dockerfile',
  'md',
  'lua',
  'toml',
]);

describe.each(handwrittenPages().map((page) => [page.path, page] as const))('%s', (_path, page) => {
  test('names only what there is', () => {
    expect(unknownNames(page)).toEqual([]);
  });

  test('says of each block what it is', () => {
    const opened = [...page.text.matchAll(/^```(\w*).*\n[\s\S]*?^```$/gm)].map(([, language = '']) => language);
    expect(opened.filter((language) => !languages.has(language))).toEqual([]);
  });
});

test.each(allPages().map((page) => [page.path, page] as const))('the links of %s lead somewhere', (_path, page) => {
  expect(brokenLinks(page)).toEqual([]);
});

// Users read these pages in node_modules.
test('the pages of the package lead to nothing that it leaves behind', () => {
  const { files } = JSON.parse(readFileSync(join(projectFolder, 'package.json'), 'utf8')) as { files: string[] };
  const isShipped = (path: string): boolean => files.some((one) => path === one || path.startsWith(`${one}/`));
  const pages = allPages().filter(({ path }) => isShipped(path));
  const left = pages.flatMap(({ path, text }) =>
    linksOf(text).flatMap(({ file }) => {
      const target = posix.normalize(posix.join(posix.dirname(path), file));
      return file === '' || isShipped(target) ? [] : [`${path}: ${target}`];
    }),
  );
  expect(pages.length).toBeGreaterThan(20);
  expect(left).toEqual([]);
});

test('the index links every page of docs, and only pages', () => {
  const linked = new Set(linksOf(readFileSync(join(projectFolder, 'docs/README.md'), 'utf8')).map(({ file }) => file));
  const pages = filesBelow('docs', /\.md$/)
    .map((path) => posix.relative('docs', path))
    .filter((path) => path !== 'README.md' && !path.startsWith('decisions/'));
  expect([...linked].toSorted()).toEqual([...pages, 'decisions'].toSorted());
});

test('the page of examples links every example', () => {
  const page = linksOf(readFileSync(join(projectFolder, 'docs/examples.md'), 'utf8')).map(({ file }) => file);
  const folders = ['examples', 'examples/lessons', 'flows'];
  const examples = folders.flatMap((folder) =>
    readdirSync(join(projectFolder, folder))
      .map((name) => `../${folder}/${name}`)
      .filter((path) => !/\/(lessons|[^/]+\.(md|db(-\w+)?)|\..*)$/.test(path)),
  );
  expect(examples.length).toBeGreaterThan(25);
  expect(examples.filter((path) => !page.some((link) => link === path || link.startsWith(`${path}/`)))).toEqual([]);
});

test('the page of the architecture names every part of src', () => {
  const page = readFileSync(join(projectFolder, 'docs/architecture.md'), 'utf8');
  const parts = readdirSync(join(projectFolder, 'src')).filter((name) => !/^tsconfig|^error/.test(name));
  const entries = new Set(['index.ts', 'livekit.ts', 'offline.ts']);
  expect(parts.length).toBeGreaterThan(15);
  expect(parts.filter((name) => !entries.has(name) && !page.includes(`\`src/${name}\``))).toEqual([]);
});

test('no file cites a document that is not in the repository', () => {
  const cited = /\b(?:specs?|specifications?) \d|§ ?\d/i;
  const files = ['src', 'test', 'examples', 'flows', 'docs', 'packages'].flatMap((folder) =>
    filesBelow(folder, /\.(ts|mjs|ya?ml|md)$/).filter((path) => !path.includes('node_modules')),
  );
  const own = join('test', 'docs', 'prose.test.ts');
  const citing = files.flatMap((path) =>
    path === own
      ? []
      : readFileSync(join(projectFolder, path), 'utf8')
          .split('\n')
          .flatMap((line, index) => (cited.test(line) && !/JSON Schema/.test(line) ? [`${path}:${index + 1}`] : [])),
  );
  expect(files.length).toBeGreaterThan(500);
  expect(citing).toEqual([]);
});

/** Names of other products, which need not occur in a source. */
const foreign = new Set([
  ...['MaxListenersExceededWarning', 'terminationGracePeriodSeconds', 'yaml-language-server'],
  ...['FlowRouterConfig', 'activeFlowId', 'flowFrame', 'TaskGroup'],
  // Editors and their settings.
  ...['vscode-glspc', 'commandArguments', 'language-server', 'language-servers', 'workspace-trust'],
  // Names that importers read by pattern or without regard to case.
  ...['transition_to_NAME', 'transferCall', 'apiRequest', 'utter_ask_SLOT', 'action_ask_SLOT'],
]);

/** Returns code names in the prose of a page that do not occur in the sources, the package or the page's own blocks. */
function unknownNames({ text, blocks }: Page): readonly string[] {
  const prose = text.replaceAll(/^```[\s\S]*?^```$/gm, '');
  const spans = [...prose.matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span);
  const own = wordsOf(blocks.map((block) => block.text).join('\n'));
  const names = spans.flatMap((span) => [...wordsOf(span.replaceAll(/https?:\S+|<[^>]*>/g, ''))]).filter(isName);
  // alerts.test.ts compares the metrics with those that are measured.
  const others = [...new Set(names)].filter((name) => !name.startsWith('roomflow_'));
  return others.filter((name) => ![own, known, foreign].some((names) => names.has(name) || names.has(camelCase(name))));
}

/** Converts a document key to camelCase, the form in the sources. */
function camelCase(name: string): string {
  return name.replaceAll(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());
}

/** Checks whether a word is a code name: camelCase, snake_case, kebab-case or CAPITALS with an underscore. */
function isName(word: string): boolean {
  return /^[a-z]+[A-Z]|^[A-Z][a-z]+[A-Z]|[a-z]_[a-z]|^[A-Z]+_[A-Z]|^[a-z]+-[a-z]/.test(word);
}

const known = wordsOf(
  [
    ...filesBelow('src', /\.(ts|mjs)$/),
    ...filesBelow('.ci', /\.mjs$/),
    ...filesBelow('packages', /^[^/\\]+[/\\](package\.json|src[/\\].*)$/),
    ...filesBelow('examples', /\.(ts|yaml)$/),
    ...filesBelow('flows', /\.(ts|yaml)$/),
    // The options of the commands, as their help names them.
    'docs/reference/commands.md',
    ...['package.json', '.ci/setup.mjs', '.github/workflows/ci.yml', 'test/public-names.txt'].filter((path) =>
      existsSync(join(projectFolder, path)),
    ),
  ]
    .flatMap((path) => [path, readFileSync(join(projectFolder, path), 'utf8')])
    .join('\n'),
);

function filesBelow(folder: string, form: RegExp): readonly string[] {
  return readdirSync(join(projectFolder, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => form.test(name))
    .map((name) => join(folder, name));
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.match(/[A-Za-z$][\w$]*(?:-[a-z]\w*)*/g));
}

/** Returns links to missing files, or to a heading that their page does not have. */
function brokenLinks({ path, text }: Page): readonly string[] {
  return linksOf(text).flatMap(({ link, file, heading }) => {
    const target = file === '' ? join(projectFolder, path) : join(projectFolder, dirname(path), file);
    if (!existsSync(target)) return [`${link}: there is no such file`];
    if (heading === undefined) return [];
    return anchorsOf(readFileSync(target, 'utf8')).has(heading) ? [] : [`${link}: there is no such heading`];
  });
}

/** Returns the links of a page that lead to files. */
function linksOf(text: string) {
  const prose = text.replaceAll(/^```[\s\S]*?^```$/gm, '').replaceAll(/`[^`\n]*`/g, '');
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, link = '']) => {
    if (/^(https?|mailto):/.test(link)) return [];
    const [file = '', heading] = link.split('#');
    return [{ link, file, heading }];
  });
}

/** Returns the anchors of a page: those that GitHub derives from its headings, and its own. */
function anchorsOf(text: string): ReadonlySet<string> {
  const headings = [...text.replaceAll(/^```[\s\S]*?^```$/gm, '').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(/\s/g, '-'),
  );
  const own = [...text.matchAll(/<a id="([^"]+)"/g)].map(([, id = '']) => id);
  return new Set([...headings, ...own]);
}

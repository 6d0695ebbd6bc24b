import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { projectFolder } from './pages.ts';

/** Turns of phrase that readers of technical English stumble over. Well-read projects have less than one in 1,000 words. */
const marks: readonly (readonly [string, RegExp])[] = [
  ['indefinite person', /\b(?:nobody|somebody|anybody|everybody|whoever|whom|whomever)\b/gi],
  ['is told, tells', /\b(?:is|are|was|were|be|been|being) told\b|\btells?\b(?! us\b)/gi],
  ['is no, are none', /(?<!\bthere )\b(?:is|are|was|were) (?:no|none)\b(?! (?:longer|more than|need))/gi],
  [
    'begins with a relative clause',
    /(?:^|[.:;]\s+|\*\s+|\/\/\s+|\|\s+)(?:What|Who|Whoever|Whatever|Where|Which|Whose|That which)\s+[a-z]/gm,
  ],
  ['one that, of its own', /\bone (?:that|which)\b|\bof (?:its|their|one's) own\b/gi],
  [
    'inverted or archaic',
    /\b(?:for want of|lest|heed|hush|astray|mends?|mended|in (?:the )?place of|in (?:his|her|its|their) stead|as it stands|makes of|parts? ways|by then|any more|such as is|it is to be|are to be|is to be)\b/gi,
  ],
];

/** Most marks per 1,000 words of a group. */
const most = 1;

const groups: readonly (readonly [string, () => readonly Text[]])[] = [
  ['comments', () => sources().map(({ file, text }) => ({ file, text: commentsIn(text) }))],
  [
    'messages',
    () =>
      sources()
        .filter(isWritten)
        .map((source) => ({ ...source, text: messagesIn(source.text) })),
  ],
  ['comments of tests', () => read('test', /\.(ts|mjs)$/).map(({ file, text }) => ({ file, text: commentsIn(text) }))],
  ['documents', () => documents().map(({ file, text }) => ({ file, text: proseIn(text) }))],
];

describe('plain words', () => {
  test.each(groups)('of the %s', (_group, textsOf) => {
    const texts = textsOf();
    const words = texts.reduce((sum, { text }) => sum + wordsIn(text), 0);
    const found = texts.flatMap(marksIn);
    expect(words).toBeGreaterThan(10_000);
    expect(found.length <= (words / 1000) * most ? [] : found).toEqual([]);
  });

  test.each([
    ['// Whoever calls is told.', 3],
    ['/** What nobody said is no value. */', 3],
    ['/** Returns the value that the caller said. */', 0],
  ])('counts the marks of %s', (comment, count) => {
    expect(marksIn({ file: 'a.ts', text: comment })).toHaveLength(count);
  });
});

interface Text {
  readonly file: string;
  readonly text: string;
}

/** The marks of a text, each as `file: mark: words around it`. */
function marksIn({ file, text }: Text): readonly string[] {
  return marks.flatMap(([name, pattern]) =>
    [...text.matchAll(pattern)].map(({ 0: hit, index }) => {
      const around = text.slice(Math.max(0, index - 30), index + hit.length + 50);
      return `${file}: ${name}: ${around.replaceAll(/\s+/g, ' ')}`;
    }),
  );
}

/** Word lists of a language are data and not prose. */
function sources(): readonly Text[] {
  const ofLanguage = /[\\/](?:english|german|french|spanish|portuguese|tables)[\\/]/;
  return [...read('src', /\.(ts|tsx|mjs)$/), ...read('packages', /[\\/]src[\\/].*\.ts$/)].filter(
    ({ file }) => !ofLanguage.test(file),
  );
}

/** The brain's strings are word lists and lines for callers. */
function isWritten({ file }: Text): boolean {
  return !file.includes(join('offline', 'brain'));
}

function documents(): readonly Text[] {
  const root = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md'];
  const top = root.map((file) => ({ file, text: readFileSync(join(projectFolder, file), 'utf8') }));
  return [...top, ...read('docs', /\.md$/), ...read('examples', /\.md$/)];
}

function read(folder: string, form: RegExp): readonly Text[] {
  return readdirSync(join(projectFolder, folder), { recursive: true, encoding: 'utf8' })
    .filter(
      (name) =>
        form.test(name) && !/node_modules|[\\/]dist[\\/]/.test(name) && name !== join('docs', 'plain-words.test.ts'),
    )
    .map((name) => ({ file: join(folder, name), text: readFileSync(join(projectFolder, folder, name), 'utf8') }));
}

function commentsIn(text: string): string {
  return [...text.matchAll(/\/\*[\s\S]*?\*\/|(?<![:'"`\\])\/\/[^\n]*/g)].map(([comment]) => comment).join('\n');
}

/** String literals and templates of a sentence's length. Comments and short literals are matched too, so that quotes pair up. */
function messagesIn(text: string): string {
  const parts = /\/\*[\s\S]*?\*\/|(?<![:'"`\\])\/\/[^\n]*|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g;
  return (text.match(parts) ?? [])
    .filter((part) => /^['"`]/.test(part) && part.length > 25 && /[a-z] [a-z]+ [a-z]/.test(part))
    .map((literal) => literal.slice(1, -1))
    .join('\n');
}

/** Markdown without its code. */
function proseIn(text: string): string {
  return text.replaceAll(/```[\s\S]*?```/g, '').replaceAll(/`[^`\n]*`/g, 'X');
}

function wordsIn(text: string): number {
  return text.split(/\s+/).filter((word) => /[A-Za-z]/.test(word)).length;
}

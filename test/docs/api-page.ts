import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAst } from 'rolldown/parseAst';
import { namesOf, type PublicName, sourceOf } from './docstrings.ts';
import { projectFolder } from './pages.ts';

/** A page of the exports of some entries of the package. */
interface ApiPage {
  readonly title: string;
  readonly intro: string;
  readonly doors: readonly string[];
}

export const apiPages: Readonly<Record<string, ApiPage>> = {
  roomflow: {
    title: 'API of `roomflow`',
    intro: 'Everything that needs no LiveKit: write flows, check them, store and fold sessions.',
    doors: ['src/index.ts'],
  },
  livekit: {
    title: 'API of `roomflow/livekit`',
    intro: 'Runs a flow on LiveKit Agents.',
    doors: ['src/livekit.ts'],
  },
  offline: {
    title: 'API of `roomflow/offline`',
    intro: 'A model, speech recognition and a voice that need no network.',
    doors: ['src/offline.ts'],
  },
  testing: {
    title: 'API of `roomflow/testing`',
    intro:
      'Tests of conversations. The conformance suites of stores and timekeepers are separate entries: ' +
      '`roomflow/testing/store` and `roomflow/testing/timekeeper`.',
    doors: ['src/testing/index.ts', 'src/testing/store.ts', 'src/testing/timekeeper.ts'],
  },
};

/** `docs/reference/api/NAME.md`: each export with its sentence, signature, example and the guides that use it. */
export function apiPage({ title, intro, doors }: ApiPage): string {
  const groups = doors.flatMap(groupsOf);
  const contents = groups.map(
    ({ text, names }) => `- ${text}: ${names.map((one) => `[${one.name}](#${anchorOf(one)})`).join(', ')}`,
  );
  const sections = groups.map(({ text, names }) => [`## ${text}`, ...names.map(entry)].join('\n\n'));
  return [`# ${title}`, note, intro, contents.join('\n'), ...sections].join('\n\n').concat('\n');
}

const note = '<!-- Written by `npm run docs` from the docstrings of the sources. -->';

/** The names of a door under the comments that head them: `// Write: a flow, its functions.` */
function groupsOf(door: string): readonly { readonly text: string; readonly names: readonly PublicName[] }[] {
  const source = readFileSync(join(projectFolder, door), 'utf8');
  const names = namesOf(door);
  return source
    .split(/^\/\/ /m)
    .slice(1)
    .flatMap((part) => {
      const [text = '', ...lines] = part.split('\n');
      const own = names.filter(({ name }) => new RegExp(String.raw`\b${name}\b`).test(lines.join('\n')));
      const [, module] = /^`([^`]+)`/.exec(text) ?? [];
      const heading = module === undefined ? text.replace(/\.$/, '') : `Exports of ${module}`;
      return own.length === 0 ? [] : [{ text: heading, names: own }];
    });
}

/** `Step` the type and `step` the function would have the same anchor. */
function headingOf({ name, file, isFunction }: PublicName): string {
  const isDouble =
    !isFunction && new RegExp(String.raw`^export (?:async )?function ${lowerFirst(name)}\b`, 'm').test(sourceOf(file));
  return isDouble ? `${name} (type)` : name;
}

function anchorOf(one: PublicName): string {
  return headingOf(one)
    .toLowerCase()
    .replaceAll(/[^\w -]/g, '')
    .replaceAll(' ', '-');
}

function lowerFirst(name: string): string {
  return `${name.charAt(0).toLowerCase()}${name.slice(1)}`;
}

function entry(one: PublicName): string {
  const [says = '', ...tags] = textOf(one.docstring).split(/^@/m);
  const examples = tags.filter((tag) => tag.startsWith('example')).map((tag) => tag.slice('example'.length).trim());
  const used = guidesWith(one.name);
  return [
    `### ${headingOf(one)}`,
    escaped(says.trim()),
    `\`\`\`ts\n${signatureOf(one)}\n\`\`\``,
    ...examples.map((code) => `Example:\n\n\`\`\`ts\n${code}\n\`\`\``),
    ...(used.length === 0 ? [] : [`Used in ${used.join(', ')}.`]),
  ].join('\n\n');
}

/** Markdown reads `<Name>` outside of code as HTML. */
function escaped(text: string): string {
  return text
    .split(/(`[^`]*`)/)
    .map((part, index) => (index % 2 === 1 ? part : part.replaceAll('<', '&lt;')))
    .join('');
}

/** A docstring without its stars. */
function textOf(docstring: string): string {
  return docstring
    .replace(/^\/\*\*\s?/, '')
    .replace(/\s*\*\/$/, '')
    .replaceAll(/^ *\* ?/gm, '')
    .trim();
}

const guides = readdirSync(join(projectFolder, 'docs'))
  .filter((name) => name.endsWith('.md') && name !== 'README.md')
  .map((name) => ({ name, text: readFileSync(join(projectFolder, 'docs', name), 'utf8') }));

/** Links to the guides that name an export in code. */
function guidesWith(name: string): readonly string[] {
  const form = new RegExp(String.raw`import [^;]*\b${name}\b[^;]* from 'roomflow|\x60${name}\b`);
  return guides
    .filter(({ text }) => form.test(text))
    .map(({ name: file, text }) => `[${/^# (.+)$/m.exec(text)?.[1] ?? file}](../../${file})`);
}

/** The part of a syntax tree that is read here. */
interface Syntax {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly id?: { readonly name?: string; readonly typeAnnotation?: Syntax | null } | null;
  readonly key?: { readonly type: string };
  readonly accessibility?: string | null;
  readonly kind?: string;
  readonly body?: Syntax | readonly Syntax[] | null;
  readonly value?: Syntax | null;
  readonly init?: Syntax | null;
  readonly declaration?: Syntax | null;
  readonly declarations?: readonly Syntax[];
}

/** Returns the declaration of an export without its bodies. */
function signatureOf({ name, file }: PublicName): string {
  const source = sourceOf(file);
  const { body } = parseAst(source, { lang: 'ts' }) as unknown as { readonly body: readonly Syntax[] }; // Its own type names no TypeScript.
  const parts = body.flatMap(({ declaration }) => {
    if (declaration === undefined || declaration === null) return [];
    const variable = declaration.declarations?.find(({ id }) => id?.name === name);
    if (variable !== undefined) return [constantText(source, name, variable)];
    return declaration.id?.name === name ? [declarationText(source, declaration)] : [];
  });
  if (parts.length === 0) throw new Error(`${file} does not declare ${name}.`);
  return parts.join('\n');
}

function constantText(source: string, name: string, { id, init }: Syntax): string {
  if (id?.typeAnnotation) return `const ${name}${source.slice(id.typeAnnotation.start, id.typeAnnotation.end)}`;
  if (init?.type === 'ArrowFunctionExpression' && init.body && 'start' in init.body)
    return `const ${name} = ${source.slice(init.start, init.body.start)}…`;
  const text = init ? source.slice(init.start, init.end) : '';
  return `const ${name} = ${text.includes('\n') ? '…' : text}`;
}

function declarationText(source: string, declaration: Syntax): string {
  const { type, start, end, body } = declaration;
  if (type === 'FunctionDeclaration') return source.slice(start, startOf(body) ?? end).trim();
  if (type !== 'ClassDeclaration' || !body || !('body' in body)) return source.slice(start, end);
  const members = Array.isArray(body.body) ? (body.body as readonly Syntax[]) : []; // The members of a class body.
  const shown = members.flatMap((member, index) =>
    memberText(source, member, members[index - 1]?.end ?? body.start + 1),
  );
  return `${source.slice(start, body.start)}{\n${shown.join('\n')}\n}`;
}

/** A public member with the docstring above it, and without its body. */
function memberText(source: string, member: Syntax, before: number): readonly string[] {
  const { key, accessibility, value, type, start, end, kind } = member;
  if (key?.type === 'PrivateIdentifier' || accessibility === 'private' || accessibility === 'protected') return [];
  const [comment = ''] = /\/\*\*(?:(?!\*\/)[\s\S])*\*\/\s*$/.exec(source.slice(before, start)) ?? [];
  if (comment === '' && kind !== 'constructor') return [];
  const stop = type === 'PropertyDefinition' ? (value?.start ?? end) : (startOf(value?.body) ?? end);
  const text = source.slice(start, stop).replace(/[=;\s]+$/, '');
  return [`  ${comment.trim()}${comment === '' ? '' : '\n  '}${text};`];
}

function startOf(body: Syntax | readonly Syntax[] | null | undefined): number | undefined {
  return body && 'start' in body ? body.start : undefined;
}

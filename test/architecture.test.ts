import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { execPath } from 'node:process';
import { describe, expect, test } from 'vitest';

const model = ['model', 'model/ports'];
const document = ['flow/document', 'flow/slots', 'flow/expression'];
const graph = [...document, 'flow/graph', 'flow/check', 'flow/json-schema'];
const engineList = [...model, ...graph, 'kernel'];
const worldList = [...engineList, 'language', 'system.ts'];
const nodesList = [...model, 'flow/document', 'flow/expression', 'flow/graph'];
const core = [
  ...worldList,
  'flow/load',
  'flow/nodes',
  'flow/picture',
  'importers',
  'engine/tasks',
  'store',
  'engine',
  'engine/hub',
  'livekit',
  'offline',
  'people',
];
const rim = [...core, 'config', 'runner'];
/** Parts without the language readers: they receive words that are already read. */
const unread = (parts: readonly string[]): readonly string[] => parts.filter((part) => part !== 'language');

/** Allowed imports. A part is a folder of src with a row here. A file belongs to the deepest such folder and may import that folder. */
const mayImport: Record<string, readonly string[] | 'everything'> = {
  model: [],
  'model/ports': ['model'],
  'system.ts': ['model/ports'],
  language: model,
  'flow/expression': [],
  'flow/slots': model,
  'flow/document': ['flow/expression', 'flow/slots'],
  'flow/json-schema': [...model, 'flow/document', 'flow/expression'],
  'flow/graph': [...model, ...document, 'flow/check', 'flow/json-schema'],
  'flow/check': [...model, ...document, 'flow/graph', 'flow/json-schema'],
  'flow/nodes': nodesList,
  'flow/picture': ['model', ...document, 'flow/graph'],
  importers: ['flow/document'],
  'flow/load': [...model, ...graph, 'importers', 'language'],
  kernel: [...model, ...graph],
  'engine/tasks': [...nodesList, 'flow/nodes', 'kernel'],
  store: [...model, 'flow/graph', 'kernel'],
  engine: engineList,
  'engine/hub': model,
  livekit: unread([...worldList, 'engine', 'offline']),
  'livekit/channels': unread(rim),
  offline: worldList,
  people: [...model, 'flow/graph', 'kernel', 'engine', 'store'],
  config: core,
  runner: [...core, 'config'],
  http: rim,
  worker: [...rim, 'http'],
  testing: rim,
  flowtest: [...rim, 'testing'],
  lsp: [...rim, 'testing', 'flowtest'],
  studio: [...rim, 'http', 'lsp'],
  'testing/index.ts': 'everything',
  cli: 'everything',
  'index.ts': 'everything',
  'livekit.ts': 'everything',
  'offline.ts': 'everything',
};

const pureFlow = graph;

/** Things that only some parts may use: `imports` is matched against module names, `code` against the text. */
const confined: readonly { what: string; isHome: (file: string) => boolean; imports?: RegExp; code?: RegExp }[] = [
  { what: 'LiveKit', isHome: isIn('livekit', 'offline', 'worker', 'testing', 'flowtest'), imports: /^@livekit\// },
  { what: 'YAML', isHome: isIn('flow/load'), imports: /^yaml(\/|$)/ },
  {
    what: 'SQL',
    isHome: isIn('store'),
    imports: /^(kysely|better-sqlite3|pg|node:sqlite)(\/|$)/,
    code: /\b(SELECT\s[^;]*?\sFROM|INSERT\s+INTO|UPDATE\s+\w+\s+SET|DELETE\s+FROM|CREATE\s+TABLE)\b/,
  },
  {
    what: 'printing',
    isHome: isIn('cli', 'livekit/channels/console', 'livekit/channels/terminal'),
    code: /\bconsole\s*\.(?!ts\b)|\bprocess\.stdout\b/,
  },
  {
    what: 'clock, chance, timer or environment',
    isHome: isNotIn('model', ...pureFlow, 'language', 'kernel', 'engine'),
    imports: /^(node:)?timers(\/|$)/,
    code: /\b(Date\.now|performance\.now|Math\.random|randomUUID|process\.env)\b|\bDate\(\s*\)|\bset(Timeout|Interval|Immediate)\s*\(/,
  },
  {
    what: 'time zones, names in languages or phone metadata',
    isHome: isNotIn('model', ...pureFlow, 'kernel', 'engine'),
    imports: /^(libphonenumber|chrono)/,
    code: /\bIntl\s*\.|\.toLocale\w+\(|\.getTimezoneOffset\(/,
  },
  {
    what: 'input and output',
    isHome: isNotIn('model', ...pureFlow, 'language', 'kernel'),
    imports: /^node:/,
  },
];

/** The entry files of the package. Separate entries keep users from loading code that only others need. */
const publicIndexes: ReadonlySet<string> = new Set([
  'index.ts',
  'livekit.ts',
  'offline.ts',
  'testing/index.ts',
  'testing/store.ts',
  'testing/timekeeper.ts',
]);

/** Imports allowed to every part besides its row. */
const openToAll: ReadonlySet<string> = new Set(['model/errors.ts', 'model/error-codes.ts']);

const emptyName = /(^|\/)(types|utils)\.ts$|(^|\/)common\/|\b(manager|service)\b/i;

test('every file of src keeps to its place', () => {
  const root = join(import.meta.dirname, '..');
  const entries = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' });
  const files = entries.filter((entry) => /\.tsx?$/.test(entry)).map((entry) => entry.replaceAll('\\', '/'));
  const found = files.flatMap((file) => violations(file, readFileSync(join(root, 'src', file), 'utf8')));

  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const compiled = ['src', 'src/studio/page'].flatMap((part) => {
    const options = ['-p', join(root, part, 'tsconfig.json'), '--listFilesOnly'];
    return execFileSync(execPath, [compiler, ...options], { encoding: 'utf8' }).split('\n');
  });
  const own = new Set(compiled.filter((file) => file.startsWith(`${root.replaceAll('\\', '/')}/src/`)));
  expect(files.length).toBe(own.size);
  expect(files.length).toBeGreaterThan(0);
  console.log(`architecture: read ${files.length} files of src`);
  expect(found).toEqual([]);
});

test('no folder of src holds more than 20 files beside each other', () => {
  const entries = readdirSync(join(import.meta.dirname, '../src'), { recursive: true, withFileTypes: true });
  const counts = new Map<string, number>();
  for (const entry of entries)
    if (entry.isFile()) counts.set(entry.parentPath, (counts.get(entry.parentPath) ?? 0) + 1);
  expect([...counts].filter(([, count]) => count > 20)).toEqual([]);
});

test('a new kind of effect, of question or of slot touches at most two files, which the compiler names', () => {
  const root = join(import.meta.dirname, '..');
  const copy = mkdtempSync(join(root, '.cache', 'new-kinds-'));
  const change = (file: string, added: RegExp, ...changes: readonly (readonly [string, string])[]): void => {
    const after = changes.reduce((text, [from, to]) => text.replace(from, to), readFileSync(join(copy, file), 'utf8'));
    expect(after.match(added)).toHaveLength(changes.length);
    writeFileSync(join(copy, file), after);
  };
  try {
    const sample = 'flowtest/explore/sample-values.ts';
    for (const part of ['model', 'flow', 'kernel', 'language', 'engine', 'store', 'importers', sample])
      cpSync(join(root, 'src', part), join(copy, part), { recursive: true });
    change(
      'model/effect.ts',
      /\bring\b/g,
      ['export type Effect =', "$& | EffectOf<'ring', { readonly bell: string }>"],
      ['effectKinds = {', '$& ring: { ...own, isSettledByHost: true },'],
    );
    change('kernel/dialogue/question.ts', /'rating'/g, [
      'export type QuestionSubject =',
      "$& | { readonly kind: 'rating'; readonly best: number }",
    ]);
    const number = readFileSync(join(copy, 'flow/slots/number.ts'), 'utf8');
    writeFileSync(join(copy, 'flow/slots/share.ts'), number.replace('const number:', 'const share:'));
    change(
      'flow/slots/slot-types.ts',
      /\bshare\b(?=[ ,])/g,
      ['import { text }', "import { share } from './share.ts';\n$&"],
      ['slotTypes = {', '$& share,'],
    );
    const include = ['engine', 'kernel', 'store/memory', sample];
    const compilerOptions = { noEmit: true, incremental: false, rootDir: '.' };
    const options = { extends: '../../src/tsconfig.json', include, compilerOptions };
    writeFileSync(join(copy, 'tsconfig.json'), JSON.stringify(options));
    const compiler = join(root, 'node_modules/typescript/bin/tsc');
    const { stdout } = spawnSync(execPath, [compiler, '-p', copy, '--pretty', 'false'], { encoding: 'utf8' });
    const errors = [...stdout.matchAll(/^[^\n(]*?\/(\w+\/[\w-]+\.ts)\(/gm)].map(([, at]) => at);
    // The effect and the question each lack one place. A slot type is complete with its own file and the table.
    expect(errors).toEqual(['engine/performer.ts', 'dialogue/rules.ts']);
  } finally {
    rmSync(copy, { recursive: true });
  }
});

describe('the checker', () => {
  test.each([
    ['an import', 'kernel/step.ts', "import { run } from '../engine/engine.ts';"],
    ['a type import', 'kernel/step.ts', "import type { Run } from '../engine/engine.ts';"],
    ['an import over several lines', 'kernel/step.ts', "import {\n  first,\n  second,\n} from '../engine/engine.ts';"],
    ['an import for its effect', 'kernel/step.ts', "import '../engine/engine.ts';"],
    ['a re-export', 'kernel/step.ts', "export { run } from '../engine/engine.ts';\nconst own = 1;"],
    ['a dynamic import', 'kernel/step.ts', "const turn = await import('../engine/engine.ts');"],
    ['an import type', 'kernel/step.ts', "let run: import('../engine/engine.ts').Run;"],
    [
      'what is wired together imported from below',
      'livekit/tools.ts',
      "import { FlowRunner } from '../runner/flow-runner.ts';",
    ],
    ['the way back to the core', 'http/server.ts', "import { worker } from '../worker/worker.ts';"],
    ['a step out of src', 'cli/main.ts', "import manifest from '../../package.json';"],
    ['a part without a row in the table', 'extras/one.ts', "import { step } from '../kernel/step.ts';"],
    ['LiveKit outside of the rim', 'runner/flow-runner.ts', "import type { voice } from '@livekit/agents';"],
    ['YAML outside of flow/load', 'flow/document/parse.ts', "import { parseDocument } from 'yaml';"],
    ['a database outside of store', 'http/server.ts', "import Database from 'better-sqlite3';"],
    ['a query outside of store', 'http/server.ts', 'const query = `SELECT id\n FROM runs`;'],
    ['printing', 'worker/worker.ts', "console.log('ready');"],
    ['printing by the stream', 'livekit/channels/sms.ts', "process.stdout.write('ready');"],
    ['the clock', 'kernel/step.ts', 'const now = Date.now();'],
    ['a date of now', 'engine/engine.ts', 'const now = new Date();'],
    ['time zone data', 'kernel/step.ts', "const zone = new Intl.DateTimeFormat('en', { timeZone });"],
    [
      'phone metadata',
      'engine/words/read-slot.ts',
      "import { parsePhoneNumberFromString } from 'libphonenumber-js/max';",
    ],
    ['chance', 'engine/tasks/run.ts', 'const pick = Math.random();'],
    ['a timer', 'engine/engine.ts', 'setTimeout(done, 5);'],
    ['a timer by import', 'engine/engine.ts', "import { setTimeout as sleep } from 'node:timers/promises';"],
    ['a random id', 'engine/engine.ts', "import { randomUUID } from 'node:crypto';"],
    ['hashing that no page has', 'flow/graph/hash.ts', "import { createHash } from 'node:crypto';"],
    ['the environment', 'flow/document/schema.ts', 'const key = process.env.KEY;'],
    ['files in the core', 'flow/graph/compile/compile.ts', "import { readFileSync } from 'node:fs';"],
    [
      'a barrel',
      'flow/nodes/catalog.ts',
      "// All of them.\nexport * from './agent.ts';\nexport type {\n  Data,\n} from './data.ts';\n",
    ],
    ['a barrel in two steps', 'flow/nodes/catalog.ts', "import { agent } from './agent.ts';\nexport { agent };\n"],
    ['a barrel in the place of an index', 'kernel/index.ts', "export { step } from './step.ts';"],
    ['an empty name', 'kernel/types.ts', 'export type Name = string;'],
    ['an empty name within a name', 'livekit/speech-manager.ts', 'export const speech = 1;'],
    [
      'a code comment that does not hide what follows',
      'engine/engine.ts',
      "const url = 'https://x'; const now = Date.now();",
    ],
  ])('sees %s', (_what, file, text) => {
    expect(violations(file, text)).toHaveLength(1);
  });

  test.each([
    [
      'what the table allows',
      'kernel/step.ts',
      "import { FlowError } from '../model/errors.ts';\nimport { parse } from '../flow/graph/graph.ts';",
    ],
    ['its own part', 'kernel/sub/step.ts', "import { state } from '../state.ts';"],
    [
      'everything from the top',
      'cli/main.ts',
      "import { worker } from '../worker/worker.ts';\nconsole.log(Date.now());",
    ],
    [
      'things at home',
      'store/sqlite/store.ts',
      "import Database from 'better-sqlite3';\nconst query = 'SELECT id FROM runs';",
    ],
    ['the console channel', 'livekit/channels/console.ts', "process.stdout.write('> ');"],
    ['a date that is given', 'language/english/dates/dates.ts', 'const day = new Date(now);'],
    [
      'comments',
      'kernel/step.ts',
      "// import x from '../engine/engine.ts'\n/** Never calls Date.now(). */\nexport const step = 1;",
    ],
    ['the public index', 'index.ts', "export { FlowRunner } from './runner/flow-runner.ts';"],
    ['the public index of testing', 'testing/index.ts', "export { ScriptedModel } from './scripted-model.ts';"],
    ['names that only resemble', 'flow/document/node-types.ts', "export const from = 'x'; export const services = 1;"],
  ])('lets %s pass', (_what, file, text) => {
    expect(violations(file, text)).toEqual([]);
  });
});

/** Returns the violations of a file, one line each. The path is relative to src. */
function violations(file: string, text: string): string[] {
  const code = withoutComments(text);
  const imported = importedBy(code);
  const found = imported.flatMap((module) => crossing(file, module) ?? []);
  for (const { what, isHome, imports, code: pattern } of confined) {
    if (isHome(file)) continue;
    const trace = imported.find((module) => imports?.test(module)) ?? pattern?.exec(code)?.[0];
    if (trace !== undefined) found.push(`has no business with ${what} (${trace})`);
  }
  if (!publicIndexes.has(file) && isBarrel(code)) found.push('only re-exports: import from where it is defined');
  if (emptyName.test(file)) found.push('has a name that says nothing');
  return found.map((problem) => `src/${file} ${problem}`);
}

function crossing(file: string, module: string): string | undefined {
  if (!module.startsWith('.')) return undefined;
  const target = posix.join(posix.dirname(file), module);
  const [from, to] = [partOf(file), partOf(target)];
  const allowed = mayImport[from];
  if (allowed === undefined) return `belongs to ${from}, which has no row in the import table`;
  if (target.startsWith('../')) return `reaches out of src (${module})`;
  const isFine = allowed === 'everything' || from === to || openToAll.has(target) || allowed.includes(to);
  return isFine ? undefined : `may not import ${to} (${module})`;
}

/** Returns the deepest row of the table that contains the file, else the first folder of its path. */
function partOf(file: string): string {
  const folders = file.split('/');
  while (folders.length > 1 && !Object.hasOwn(mayImport, folders.join('/'))) folders.pop();
  return folders.join('/');
}

function importedBy(code: string): string[] {
  const forms = /\b(?:import|export)\b[^'"`;]*?\bfrom\s*(['"])(.+?)\1|\b(?:import|require)\s*\(?\s*(['"`])(.+?)\3/g;
  return [...code.matchAll(forms)].map((match) => match[2] ?? match[4] ?? '');
}

function isBarrel(code: string): boolean {
  const reExports = /\bexport\s+(?:type\s+)?[*{][^'";]*((['"]).+?\2)?;?/g;
  const imports = /\bimport\b[^'";]*?(['"]).+?\1;?/g;
  return /\bexport\b/.test(code) && code.replaceAll(reExports, '').replaceAll(imports, '').trim() === '';
}

function withoutComments(text: string): string {
  const stringOrComment = /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|\/\/[^\n]*|\/\*[^]*?\*\//g;
  return text.replaceAll(stringOrComment, (match) => (match.startsWith('/') ? ' ' : match));
}

function isIn(...parts: string[]): (file: string) => boolean {
  return (file) => parts.some((part) => file === `${part}.ts` || file.startsWith(`${part}/`));
}

function isNotIn(...parts: string[]): (file: string) => boolean {
  const isInside = isIn(...parts);
  return (file) => !isInside(file);
}

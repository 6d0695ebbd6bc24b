import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { execPath } from 'node:process';
import { describe, expect, test } from 'vitest';

const turnList = ['flow', 'slots', 'expression', 'graph', 'events', 'ports', 'kernel'];
const worldList = [...turnList, 'reading', 'system.ts'];
const nodesList = ['flow', 'expression', 'graph', 'events', 'ports'];
const core = [
  ...worldList,
  'hub',
  'importers',
  'load',
  'nodes',
  'tasks',
  'durable',
  'turn',
  'livekit',
  'offline',
  'people',
  'picture',
];
const rim = [...core, 'config.ts', 'runner'];
/** What the caller says is read in the language of the flow, whose reader comes from above. */
const unread = (parts: readonly string[]): readonly string[] => parts.filter((part) => part !== 'reading');

/** Who may import whom. A part is a folder or a root file of src; itself and errors.ts are open to each. */
const mayImport: Record<string, readonly string[] | 'everything'> = {
  'errors.ts': ['error-codes.ts'],
  'error-codes.ts': [],
  events: [],
  ports: ['events'],
  slots: ['events', 'ports'],
  flow: ['expression', 'slots'],
  expression: [],
  reading: ['events', 'ports'],
  graph: ['flow', 'slots', 'expression', 'events', 'ports'],
  hub: ['events', 'ports'],
  picture: ['flow', 'expression', 'events', 'graph'],
  importers: ['flow'],
  load: ['flow', 'graph', 'importers', 'ports', 'reading'],
  kernel: ['flow', 'slots', 'expression', 'graph', 'events', 'ports'],
  nodes: nodesList,
  tasks: [...nodesList, 'nodes', 'kernel'],
  durable: ['events', 'ports', 'graph', 'kernel'],
  turn: turnList,
  livekit: unread([...worldList, 'turn', 'offline']),
  offline: worldList,
  'system.ts': ['ports'],
  people: ['events', 'ports', 'graph', 'kernel', 'turn', 'durable'],
  config: [],
  'config.ts': [...core, 'config'],
  'define-config.ts': ['config.ts'],
  runner: [...core, 'config.ts'],
  worker: [...rim, 'http'],
  channels: unread(rim),
  http: rim,
  testing: rim,
  lsp: [...rim, 'testing'],
  studio: [...rim, 'http', 'lsp'],
  cli: 'everything',
  'index.ts': 'everything',
  'livekit.ts': 'everything',
  'offline.ts': 'everything',
};

/** What is at home in some parts only: `imports` is sought in the names of modules, `code` in the text. */
const confined: readonly { what: string; isHome: (file: string) => boolean; imports?: RegExp; code?: RegExp }[] = [
  { what: 'LiveKit', isHome: isIn('livekit', 'offline', 'worker', 'channels', 'testing'), imports: /^@livekit\// },
  { what: 'YAML', isHome: isIn('load'), imports: /^yaml(\/|$)/ },
  {
    what: 'SQL',
    isHome: isIn('durable'),
    imports: /^(kysely|better-sqlite3|pg|node:sqlite)(\/|$)/,
    code: /\b(SELECT\s[^;]*?\sFROM|INSERT\s+INTO|UPDATE\s+\w+\s+SET|DELETE\s+FROM|CREATE\s+TABLE)\b/,
  },
  {
    what: 'printing',
    isHome: isIn('cli', 'channels/console', 'channels/terminal'),
    code: /\bconsole\s*\.(?!ts\b)|\bprocess\.stdout\b/,
  },
  {
    what: 'clock, chance, timer or environment',
    isHome: isNotIn('events', 'ports', 'flow', 'expression', 'reading', 'slots', 'graph', 'kernel', 'turn', 'tasks'),
    imports: /^(node:)?timers(\/|$)/,
    code: /\b(Date\.now|performance\.now|Math\.random|randomUUID|process\.env)\b|\bDate\(\s*\)|\bset(Timeout|Interval|Immediate)\s*\(/,
  },
  {
    what: 'time zones, names in languages or phone metadata',
    isHome: isNotIn('events', 'ports', 'flow', 'expression', 'slots', 'graph', 'kernel', 'turn', 'tasks'),
    imports: /^(libphonenumber|chrono)/,
    code: /\bIntl\s*\.|\.toLocale\w+\(|\.getTimezoneOffset\(/,
  },
  {
    what: 'input and output',
    isHome: isNotIn('events', 'ports', 'flow', 'expression', 'reading', 'slots', 'graph', 'kernel'),
    imports: /^node:/,
  },
];

/** What the package exports, a file for each of its entries: nobody loads what only others need. */
const publicIndexes: ReadonlySet<string> = new Set([
  'index.ts',
  'livekit.ts',
  'offline.ts',
  'testing/index.ts',
  'testing/store.ts',
  'testing/timekeeper.ts',
]);

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

describe('the checker', () => {
  test.each([
    ['an import', 'kernel/step.ts', "import { run } from '../turn/turn.ts';"],
    ['a type import', 'kernel/step.ts', "import type { Run } from '../turn/turn.ts';"],
    ['an import over several lines', 'kernel/step.ts', "import {\n  first,\n  second,\n} from '../turn/turn.ts';"],
    ['an import for its effect', 'kernel/step.ts', "import '../turn/turn.ts';"],
    ['a re-export', 'kernel/step.ts', "export { run } from '../turn/turn.ts';\nconst own = 1;"],
    ['a dynamic import', 'kernel/step.ts', "const turn = await import('../turn/turn.ts');"],
    ['an import type', 'kernel/step.ts', "let run: import('../turn/turn.ts').Run;"],
    [
      'what is wired together imported from below',
      'livekit/tools.ts',
      "import { FlowRunner } from '../runner/flow-runner.ts';",
    ],
    ['the way back to the core', 'http/server.ts', "import { worker } from '../worker/worker.ts';"],
    ['a step out of src', 'cli/main.ts', "import manifest from '../../package.json';"],
    ['a part without a row in the table', 'extras/one.ts', "import { step } from '../kernel/step.ts';"],
    ['LiveKit outside of the rim', 'runner/flow-runner.ts', "import type { voice } from '@livekit/agents';"],
    ['YAML outside of load', 'flow/parse.ts', "import { parseDocument } from 'yaml';"],
    ['a database outside of durable', 'http/server.ts', "import Database from 'better-sqlite3';"],
    ['a query outside of durable', 'http/server.ts', 'const query = `SELECT id\n FROM runs`;'],
    ['printing', 'worker/worker.ts', "console.log('ready');"],
    ['printing by the stream', 'channels/sms.ts', "process.stdout.write('ready');"],
    ['the clock', 'kernel/step.ts', 'const now = Date.now();'],
    ['a date of now', 'turn/turn.ts', 'const now = new Date();'],
    ['time zone data', 'kernel/step.ts', "const zone = new Intl.DateTimeFormat('en', { timeZone });"],
    [
      'phone metadata',
      'turn/words/read-slot.ts',
      "import { parsePhoneNumberFromString } from 'libphonenumber-js/max';",
    ],
    ['chance', 'tasks/run.ts', 'const pick = Math.random();'],
    ['a timer', 'turn/turn.ts', 'setTimeout(done, 5);'],
    ['a timer by import', 'turn/turn.ts', "import { setTimeout as sleep } from 'node:timers/promises';"],
    ['a random id', 'turn/turn.ts', "import { randomUUID } from 'node:crypto';"],
    ['hashing that no page has', 'graph/hash.ts', "import { createHash } from 'node:crypto';"],
    ['the environment', 'flow/schema.ts', 'const key = process.env.KEY;'],
    ['files in the core', 'graph/compile.ts', "import { readFileSync } from 'node:fs';"],
    [
      'a barrel',
      'nodes/catalog.ts',
      "// All of them.\nexport * from './agent.ts';\nexport type {\n  Data,\n} from './data.ts';\n",
    ],
    ['a barrel in two steps', 'nodes/catalog.ts', "import { agent } from './agent.ts';\nexport { agent };\n"],
    ['a barrel in the place of an index', 'kernel/index.ts', "export { step } from './step.ts';"],
    ['an empty name', 'kernel/types.ts', 'export type Name = string;'],
    ['an empty name within a name', 'livekit/speech-manager.ts', 'export const speech = 1;'],
    [
      'a code comment that does not hide what follows',
      'turn/turn.ts',
      "const url = 'https://x'; const now = Date.now();",
    ],
  ])('sees %s', (_what, file, text) => {
    expect(violations(file, text)).toHaveLength(1);
  });

  test.each([
    [
      'what the table allows',
      'kernel/step.ts',
      "import { FlowError } from '../errors.ts';\nimport { parse } from '../graph/graph.ts';",
    ],
    ['its own part', 'kernel/sub/step.ts', "import { state } from '../state.ts';"],
    [
      'everything from the top',
      'cli/main.ts',
      "import { worker } from '../worker/worker.ts';\nconsole.log(Date.now());",
    ],
    [
      'things at home',
      'durable/sqlite.ts',
      "import Database from 'better-sqlite3';\nconst query = 'SELECT id FROM runs';",
    ],
    ['the console channel', 'channels/console.ts', "process.stdout.write('> ');"],
    ['a date that is given', 'reading/english/dates.ts', 'const day = new Date(now);'],
    [
      'comments',
      'kernel/step.ts',
      "// import x from '../turn/turn.ts'\n/** Never calls Date.now(). */\nexport const step = 1;",
    ],
    ['the public index', 'index.ts', "export { FlowRunner } from './runner/flow-runner.ts';"],
    ['the public index of testing', 'testing/index.ts', "export { ScriptedModel } from './scripted-model.ts';"],
    ['names that only resemble', 'flow/node-types.ts', "export const from = 'x'; export const services = 1;"],
  ])('lets %s pass', (_what, file, text) => {
    expect(violations(file, text)).toEqual([]);
  });
});

/** What a file does that the architecture forbids, one line each; the path is relative to src. */
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
  const isFine = allowed === 'everything' || from === to || to === 'errors.ts' || allowed.includes(to);
  return isFine ? undefined : `may not import ${to} (${module})`;
}

function partOf(file: string): string {
  return file.split('/', 1)[0] ?? file;
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

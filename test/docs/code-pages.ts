import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { errorCodes } from '../../src/model/error-codes.ts';
import { kindOfCode } from '../../src/model/error-kinds.ts';
import { diagnosticCodes } from '../../src/flow/document/problems/diagnostic-codes.ts';
import { checkFlow } from '../../src/flow/load/check-flow.ts';
import { builtinCatalog } from '../../src/flow/nodes/builtin.ts';
import { openTest } from '../../src/flowtest/open-test.ts';
import { testCodes } from '../../src/flowtest/document/test-codes.ts';
import { type Case, cases } from '../load/diagnostic-cases.ts';
import { registered } from '../load/graph-cases.ts';
import { projectFolder } from './pages.ts';

/** Codes that programs may have compared, with their names now. */
const renamedCodes = [
  ['nobody-came', 'caller-missing'],
  ['agent-unending', 'agent-loop'],
  ['entry-given-up', 'entry-abandoned'],
  ['flow-gone', 'flow-version-missing'],
  ['handoff-unfit', 'handoff-invalid'],
  ['model-unfit', 'model-unsupported'],
  ['name-unfit', 'name-invalid'],
  ['realtime-unfit', 'realtime-unsupported'],
  ['resolution-unfit', 'resolution-mismatch'],
  ['session-given-up', 'session-abandoned'],
  ['session-unfit', 'session-kind-wrong'],
  ['takeover-none', 'takeover-missing'],
  ['wait-unkept', 'wait-not-stored'],
] as const;

/** Renders the page of the diagnostic codes of `check`, each with its message for the smallest flow with the problem. */
export async function diagnosticsPage(): Promise<string> {
  const source = readFileSync(join(projectFolder, 'src/flow/document/problems/diagnostic-codes.ts'), 'utf8');
  const sections = source
    .split(/^ {2}\/\/ /m)
    .slice(1)
    .map((part) => {
      const [title = '', ...lines] = part.split('\n');
      const codes = lines.flatMap((line) => /^ {2}'([a-z0-9-]+)':/.exec(line)?.[1] ?? []);
      return [`## ${title}`, ...codes.map((code) => diagnosticEntry(code))].join('\n\n');
    });
  const ofTests = await Promise.all(Object.entries(testCodes).map(([code, meaning]) => testEntry(code, meaning)));
  return [diagnosticsHead, ...sections, testsHead, ...ofTests].join('\n\n').concat('\n');
}

const diagnosticsHead = `# Diagnostics

<!-- Written by \`npm run docs\` from the codes and their smallest examples. -->

The diagnostics of \`roomflow check\`, by code. Codes are stable. A flow with an error does not run, a warning is
usually a mistake, and a note is information. Each code has the diagnostic of the smallest flow that causes it: the
place (\`file:line:column\`), the fact, and the remedy.`;

const testsHead = `## Files of conversation tests

Additional diagnostics of \`roomflow test\` for a file \`*.flowtest.yaml\`, each with the smallest test that causes it.`;

const testedFlow = `name: ring
initial_node: a
role_messages: [{ role: system, content: Be brief. }]
nodes:
  a: { say: Hello., functions: [{ name: leave, description: The caller leaves., transition_to: b }] }
  b: { say: Goodbye., end: left }
`;

/** The fault in the one scenario of each test. */
const testScenarios: Readonly<Record<keyof typeof testCodes, string>> = {
  'unknown-node': 'turns: [{ expect: { node: aa } }]',
  'unknown-function': 'turns: [{ model: { call: leav } }]',
  'unknown-tool': 'turns: [{ expect: { tool: leav } }]',
  'unknown-edge': 'turns: [{ expect: { edge: b -> a } }]',
  'unknown-column': 'each: [{ word: Hello }]\n    turns: [{ expect: { said: <wrd> } }]',
  'unused-column': 'each: [{ word: Hello, lang: en }]\n    turns: [{ expect: { said: <word> } }]',
  'schedule-invalid': 'schedules: { a: { cron: "0 0 31 2 *", say: Ask. } }\n    turns: [{ advance: 1d }]',
};

async function testEntry(code: string, meaning: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'roomflow-docs-'));
  try {
    writeFileSync(join(folder, 'flow.yaml'), testedFlow);
    const file = join(folder, 'flow.flowtest.yaml');
    const scenario = Object.entries(testScenarios).find(([name]) => name === code)?.[1];
    writeFileSync(file, `flow: flow.yaml\nscenarios:\n  - name: it rings\n    ${scenario}\n`);
    const { diagnostics } = await openTest(file);
    const found = diagnostics.find((one) => one.code === code);
    if (found === undefined) throw new Error(`No test has ${code}.`);
    const { line = 1, column = 1, severity, message, hint = '' } = found;
    const told = `flow.flowtest.yaml:${line}:${column} ${severity} ${code}: ${message} ${hint}`.trimEnd();
    return `### ${code}\n\n${meaning}\n\n\`\`\`text\n${told}\n\`\`\``;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function diagnosticEntry(code: string): string {
  const meaning = Object.entries(diagnosticCodes).find(([name]) => name === code)?.[1] ?? '';
  const told = cases
    .filter((one) => one.code === code)
    .map(toldOf)
    .filter((one) => one !== null);
  const example = told.find(({ hint }) => hint) ?? told[0];
  if (example === undefined) return `### ${code}\n\n${meaning}`;
  return `### ${code}\n\n${meaning}\n\n\`\`\`text\n${example.text}\n\`\`\``;
}

/** Returns the diagnostic of a case; null if one of its files is not text and cannot be written. */
function toldOf(one: Case): { readonly text: string; readonly hint: boolean } | null {
  const folder = mkdtempSync(join(tmpdir(), 'roomflow-docs-'));
  try {
    for (const [name, content] of Object.entries({ ...one.files, 'flow.yaml': one.yaml })) {
      if (typeof content !== 'string' && !(content instanceof Uint8Array)) return null;
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), content);
    }
    const options = { catalog: builtinCatalog, ...(one.unregistered === true ? {} : registered) };
    const isText = one.code.endsWith('no-folder');
    const source = isText ? String(one.yaml) : join(folder, 'flow.yaml');
    const found = checkFlow(source, options).diagnostics.find(({ code }) => code === one.code);
    if (found === undefined) return null;
    const { file, line = 1, column = 1, severity, code, message, hint } = found;
    const place = isText ? '<text>' : file.split('/').at(-1);
    const told = `${message}${hint === undefined ? '' : ` ${hint}`}`.replaceAll(`${folder}/`, '');
    return { text: `${place}:${line}:${column} ${severity} ${code}: ${told}`, hint: hint !== undefined };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Renders the page of the codes of `FlowError`. */
export function errorsPage(): string {
  const sections = Object.entries(errorCodes).map(([subject, codes]) => {
    const rows = Object.entries(codes).map(
      ([code, { fact, remedy }]) => `| <a id="${code}"></a>\`${code}\` | ${kindOfCode(code)} | ${fact} | ${remedy} |`,
    );
    return [
      `## ${subject}\n`,
      '| code | kind | what it means | what to do |',
      '| --- | --- | --- | --- |',
      ...rows,
    ].join('\n');
  });
  return [errorsHead, ...sections].join('\n\n').concat('\n');
}

const errorsHead = `# Errors

<!-- Written by \`npm run docs\` from src/model/error-codes.ts. -->

A failure outside a flow is a \`FlowError\` with a stable \`code\`. Its message names the thing, the fact and
the remedy. The same codes occur in \`reason\` of events such as \`response:failed\`, and in the error of a failed task. A
fault in a flow is a [diagnostic](diagnostics.md).

The \`kind\` of an error is the origin of the failure: \`usage\` (a command, an option or a request), \`flow\` (a flow or its functions),
\`store\`, \`session\` (a stored conversation or run), \`model\` (a model or its provider) or \`internal\` (Roomflow itself). \`page\` is the place of
the code on this page.

Codes of an earlier release: ${renamedCodes.map(([old, now]) => `\`${old}\` is \`${now}\``).join(', ')}.`;

/** Writes the page of allowed imports from the table of the architecture test. */
export function importsPage(): string {
  const source = readFileSync(join(projectFolder, 'test/architecture.test.ts'), 'utf8');
  const table = /^const model =[\s\S]*?^};\n/m.exec(source)?.[0] ?? '';
  return `${importsHead}\n\n\`\`\`ts\n${table}\`\`\`\n`;
}

const importsHead = `# Allowed imports

<!-- Written by \`npm run docs\` from test/architecture.test.ts. -->

A part is a folder or a root file of \`src\`. Each may import itself, \`model/errors.ts\`, and the parts in its row.`;

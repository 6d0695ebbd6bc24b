import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { writeToolStubs } from '../../src/cli/run/tool-stubs.ts';
import type { ImportedFlow } from '../../src/flow/load/import-flow.ts';
import { projectFolder } from '../cli/run-cli.ts';
import { foreignFolder, imported } from './imported.ts';

/** Names and shapes that vendors allow: two names that are equal in JavaScript, reserved words, and names without letters. */
const awkward: Pick<ImportedFlow, 'tools' | 'what'> = {
  what: 'a file with */ and\na line break in its name',
  tools: ['find parcel', 'find_parcel', 'delete', 'default', '7up', 'חיפוש', 'סיכום', 'fetch', 'process', 'at'].map(
    (name) => ({
      name,
      description: `"${name}" \n \\ \${x} \` */`,
      parameters: {
        type: 'object',
        properties: {
          'a b': { type: 'array', items: { type: 'object', properties: { c: { type: ['string', 'null'] } } } },
          constructor: { enum: ['x', 1] },
          deep: { type: 'object', additionalProperties: { type: 'integer' } },
        },
        required: ['a b', 'not there'],
      },
      effect: 'write' as const,
      sets: { 'some-name': 'a.0.b', whole: '' },
      notes: ['one\nnote', '*/'],
      http: {
        method: 'DELETE',
        url: 'https://example.com/{{ a b }}?x={{ state }}',
        headers: ['x-key'],
        query: { q: '{{ y }}' },
      },
    }),
  ),
};

test('what --tools writes for every product compiles under strict', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'roomflow-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'node_modules'));
  const link = (name: string, to: string): void => symlinkSync(to, join(folder, 'node_modules', name), 'dir');
  link('roomflow', projectFolder);
  for (const name of ['zod', '@types']) link(name, join(projectFolder, 'node_modules', name));
  const files = readdirSync(foreignFolder).filter((name) =>
    /^(?:retell-(?:agent|flow|llm)|vapi-\w+|pipecat-editor)\.json$/.test(name),
  );
  const projects = ['rasa', 'dialogflow'].map((name) => join(import.meta.dirname, 'projects', name));
  const flows = [...files.map((name) => join(foreignFolder, name)), ...projects].map((path) => imported(path));
  for (const [index, flow] of [...flows, awkward].entries())
    writeFileSync(join(folder, `tools-${index}.ts`), writeToolStubs(flow as ImportedFlow)); // Only these two are read.
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({
      compilerOptions: {
        ...{ strict: true, noEmit: true, skipLibCheck: true, noUncheckedIndexedAccess: true, types: ['node'] },
        ...{ target: 'ES2023', module: 'NodeNext', moduleResolution: 'NodeNext', exactOptionalPropertyTypes: true },
      },
    }),
  );
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  const compiler = join(projectFolder, 'node_modules/typescript/bin/tsc');
  const { stdout } = await promisify(execFile)(execPath, [compiler, '-p', folder]).catch(
    (error: { stdout: string }) => error,
  );
  expect(flows.flatMap(({ tools }) => tools).length).toBeGreaterThan(8);
  expect(stdout).toBe('');
});

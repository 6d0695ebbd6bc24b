import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const index = join(import.meta.dirname, '../src/index.ts');
const list = join(import.meta.dirname, 'public-names.txt');

test('the public names are those of test/public-names.txt', () => {
  const exported = publicNames(readFileSync(index, 'utf8'));
  const listed = readFileSync(list, 'utf8').split('\n').filter(Boolean);
  expect(
    exported,
    'src/index.ts and test/public-names.txt differ, and users depend on these names. If the change is meant, edit ' +
      'test/public-names.txt by hand in the same commit: one name a line, sorted',
  ).toEqual(listed);
});

test('names are read from every form of export that the index may use', () => {
  const text = `
    // write
    export { defineFlow, run as start, type Flow } from './flow/define.ts';
    export type {
      Graph, /* compiled */
      Node,
    } from './graph/graph.ts';
  `;
  expect(publicNames(text)).toEqual(['Flow', 'Graph', 'Node', 'defineFlow', 'start']);
  expect(() => publicNames("export * from './flow/define.ts';")).toThrow('export *');
  expect(() => publicNames('export const answer = 42;')).toThrow('export const answer');
});

/** The names that an index exports, sorted. Throws at anything but `export { … } from` and `export type { … } from`. */
function publicNames(text: string): string[] {
  const code = text.replaceAll(/\/\/.*|\/\*[^]*?\*\//g, '');
  const names: string[] = [];
  const rest = code.replaceAll(/\bexport\s+(?:type\s+)?\{([^}]*)\}\s*from\s*'[^']+'\s*;/g, (_match, body: string) => {
    const exported = body.split(',').map((name) => name.trim().split(/\s+/).at(-1) ?? '');
    names.push(...exported.filter(Boolean));
    return '';
  });
  if (rest.trim() !== '') throw new Error(`src/index.ts may only re-export by name, but has: ${rest.trim()}`);
  return names.toSorted();
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const list = join(import.meta.dirname, 'public-names.txt');

test('the public names are those of test/public-names.txt', () => {
  const exported = publicEntries().flatMap(([entry, file]) =>
    publicNames(readFileSync(join(root, file), 'utf8')).map((name) => `${entry} ${name}`),
  );
  const listed = readFileSync(list, 'utf8').split('\n').filter(Boolean);
  expect(
    exported.toSorted(),
    'the entries of the package and test/public-names.txt differ, and users depend on these names. If the change is ' +
      'meant, edit test/public-names.txt by hand in the same commit: one entry and name a line, sorted',
  ).toEqual(listed);
});

test('no name stands in two entries', () => {
  const names = readFileSync(list, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => line.split(' ')[1]);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

test('who writes a store can name every type that its methods take and give', () => {
  const listed = new Set(readFileSync(list, 'utf8').split('\n'));
  const texts = ['src/model/ports/store.ts', 'src/model/ports/inbox.ts'].map((file) =>
    readFileSync(join(root, file), 'utf8'),
  );
  const methods = texts
    .map((text) => [...text.matchAll(/^export interface \w*Store\b[\s\S]*?^\}/gm)].join('\n'))
    .join('\n');
  const named = texts.flatMap((text) => [
    ...[...text.matchAll(/^import type \{([^}]*)\}/gm)].flatMap(([, names = '']) => names.split(/\s*,\s*/)),
    ...[...text.matchAll(/^export (?:interface|type) (\w+)/gm)].map(([, name = '']) => name),
  ]);
  const needed = named.map((name) => name.trim()).filter((name) => new RegExp(`\\b${name}\\b`).test(methods));
  expect(needed.length).toBeGreaterThan(12);
  expect(needed.filter((name) => !listed.has(`roomflow ${name}`))).toEqual([]);
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

/** The entries of the package, as they are imported, and their source files. */
function publicEntries(): (readonly [string, string])[] {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    exports: Readonly<Record<string, string | { readonly default: string }>>;
  };
  return Object.entries(exports).flatMap(([path, target]) => {
    if (typeof target === 'string') return [];
    const file = target.default.replace('./dist/', 'src/').replace(/\.js$/, '.ts');
    return [[path.replace('.', 'roomflow'), file] as const];
  });
}

/** Returns the names that an index exports, sorted. Throws on anything but `export { … } from` and `export type { … } from`. */
function publicNames(text: string): string[] {
  const code = text.replaceAll(/\/\/.*|\/\*[^]*?\*\//g, '');
  const names: string[] = [];
  const rest = code.replaceAll(/\bexport\s+(?:type\s+)?\{([^}]*)\}\s*from\s*'[^']+'\s*;/g, (_match, body: string) => {
    const exported = body.split(',').map((name) => name.trim().split(/\s+/).at(-1) ?? '');
    names.push(...exported.filter(Boolean));
    return '';
  });
  if (rest.trim() !== '') throw new Error(`an entry may only re-export by name, but has: ${rest.trim()}`);
  return names.toSorted();
}

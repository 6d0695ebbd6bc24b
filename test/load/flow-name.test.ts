import { join } from 'node:path';
import { expect, it } from 'vitest';
import { checkFlow } from '../../src/flow/load/check-flow.ts';
import { builtinCatalog } from '../../src/flow/nodes/builtin.ts';
import { temporaryFolder } from './temporary-folder.ts';

const text = 'initial_node: a\nnodes:\n  a: { say: Hi., end: x }\n';
const nameIn = (source: string): string | undefined => checkFlow(source, { catalog: builtinCatalog }).graph?.name;

it.each([
  ['bookings.yaml', 'bookings'],
  ['intake/flow.yaml', 'intake'],
  ['intake/other.yaml', 'other'],
])('a flow in %s that does not name itself is called %s', (file, name) => {
  expect(nameIn(join(temporaryFolder({ [file]: text }), file))).toBe(name);
});

it('a text without a file is called flow, and a name of its own goes first', () => {
  expect(nameIn(text)).toBe('flow');
  expect(nameIn(`name: mine\n${text}`)).toBe('mine');
});

it('the name of the file is no part of the flow: its hash stays', () => {
  const folder = temporaryFolder({ 'a.yaml': text, 'b.yaml': text });
  const hashOf = (file: string) => checkFlow(join(folder, file), { catalog: builtinCatalog }).graph?.hash;
  expect(hashOf('a.yaml')).toBe(hashOf('b.yaml'));
});

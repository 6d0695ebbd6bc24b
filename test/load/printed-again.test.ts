import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { snakeCase } from '../../src/flow/document/problems/schema-shape.ts';
import { checkFlow } from '../../src/flow/load/check-flow.ts';
import { builtinCatalog } from '../../src/flow/nodes/builtin.ts';
import { flowDocument } from '../kernel/random-flow.ts';

const hashOf = (source: string | object): string | undefined =>
  checkFlow(source, { catalog: builtinCatalog }).graph?.hash;

/** Converts every key to snake_case. The ids and names of these documents have no capitals. */
function inSnakeCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inSnakeCase);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [snakeCase(key), inSnakeCase(member)]));
}

it('a document printed and read again is the same graph, as JSON, as YAML, and in either spelling', () => {
  fc.assert(
    fc.property(flowDocument, (flow) => {
      const hash = hashOf(flow);
      expect(hash).toBeDefined();
      expect(hashOf(`${JSON.stringify(flow)}\n`)).toBe(hash);
      expect(hashOf(stringify(flow))).toBe(hash);
      expect(hashOf(stringify(inSnakeCase(flow)))).toBe(hash);
    }),
    { numRuns: 100 },
  );
});

it.each(['clinic-intake', 'restaurant-booking', 'support-triage'])(
  'so is the flow %s, once compiled and printed',
  (name) => {
    const path = `flows/${name}/flow.yaml`;
    const { graph, document } = checkFlow(path, { catalog: builtinCatalog });
    expect(hashOf(JSON.parse(JSON.stringify(document)) as object)).toBe(graph?.hash);
    expect(hashOf(`${JSON.stringify(graph?.document)}\n`)).toBe(graph?.hash);
    const asWritten = parse(readFileSync(path, 'utf8')) as object;
    expect(checkFlow(stringify(asWritten), { catalog: builtinCatalog, baseFolder: `flows/${name}` }).graph?.hash).toBe(
      graph?.hash,
    );
  },
);

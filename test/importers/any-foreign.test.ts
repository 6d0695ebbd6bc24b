import fc from 'fast-check';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { convertForeign, type ForeignProduct } from '../../src/importers/convert.ts';
import { checkFlow } from '../../src/flow/load/check-flow.ts';
import { builtinCatalog } from '../../src/flow/nodes/builtin.ts';
import { mendImported } from '../../src/flow/load/import-flow.ts';
import { foreignFolder } from './imported.ts';
import { tries } from '../tries.ts';
import { silentKeys } from './silent-keys.ts';

/** Formats of one file; the others are spoilt file by file. */
const files = [
  'retell-flow.json',
  'retell-agent.json',
  'retell-llm.json',
  'vapi-squad.json',
  'vapi-assistant.json',
  'vapi-workflow.json',
  'pipecat-editor.json',
  '../fixtures/restaurant-reservation.openai.json',
  '../fixtures/food-ordering.flat.json',
];

describe('whatever stands in a foreign document', () => {
  test.each(files)('an import throws nothing, and what it makes passes a check: %s', (file) => {
    const whole: unknown = parse(readFileSync(join(foreignFolder, file), 'utf8'));
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(), spoiling), { minLength: 1, maxLength: 6 }), (spoils) => {
        const value = structuredClone(whole);
        for (const [place, spoil] of spoils) spoilAt(value, place, spoil);
        const conversion = convertForeign([{ name: file, value }]);
        if (!conversion.ok) return;
        const { document, check } = mendImported(conversion.drafted, { catalog: builtinCatalog });
        const errors = check.filter(({ severity }) => severity === 'error');
        if (errors.length > 0) throw new Error(`${JSON.stringify(errors[0])}\n${JSON.stringify(document)}`);
        expect(checkFlow(document, { catalog: builtinCatalog }).graph).not.toBeNull();
      }),
      { numRuns: tries(200) },
    );
  });
});

describe('no key of a foreign document is dropped in silence', () => {
  const documents: readonly (readonly [file: string, product: ForeignProduct])[] = [
    ['retell-flow.json', 'retell'],
    ['retell-agent.json', 'retell'],
    ['retell-llm.json', 'retell'],
    ['vapi-squad.json', 'vapi'],
    ['vapi-assistant.json', 'vapi'],
    ['vapi-workflow.json', 'vapi'],
    ['pipecat-editor.json', 'pipecat'],
  ];
  test.each(documents)('each is taken, changed or lost with a note: %s', (file, product) => {
    const value: unknown = parse(readFileSync(join(foreignFolder, file), 'utf8'));
    expect(silentKeys([{ name: file, value }], product)).toEqual([]);
  });

  test.each(['rasa', 'dialogflow'] as const)(
    'each is taken, changed or lost with a note: a project of %s',
    (project) => {
      expect(silentKeys(filesOf(join(foreignFolder, '../projects', project)), project)).toEqual([]);
    },
  );
});

describe('whatever stands in a project of several files', () => {
  test.each(['rasa', 'dialogflow'])('an import throws nothing, and what it makes passes a check: %s', (project) => {
    const whole = filesOf(join(foreignFolder, '../projects', project));
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(), fc.nat(), spoiling), { minLength: 1, maxLength: 6 }), (spoils) => {
        const given = structuredClone(whole);
        for (const [file, place, spoil] of spoils) spoilAt(given[file % given.length]?.value, place, spoil);
        const conversion = convertForeign(given);
        if (!conversion.ok) return;
        const { document, check } = mendImported(conversion.drafted, { catalog: builtinCatalog });
        const errors = check.filter(({ severity }) => severity === 'error');
        if (errors.length > 0) throw new Error(`${JSON.stringify(errors[0])}\n${JSON.stringify(document)}`);
      }),
      { numRuns: tries(200) },
    );
  });
});

function filesOf(folder: string): { name: string; value: unknown }[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:json|yml)$/.test(name))
    .map((name) => ({ name, value: parse(readFileSync(join(folder, name), 'utf8')) as unknown }));
}

/** Values that replace a part of another type. */
const spoiling = fc.constantFrom<unknown>(
  undefined,
  null,
  '',
  0,
  true,
  'x',
  [],
  {},
  ['x'],
  { type: 'x' },
  [{}],
  '{{',
  '{{ a | b }}',
  'and or',
  -1,
);

/** Replaces one of the parts of a value. */
function spoilAt(value: unknown, place: number, spoil: unknown): void {
  const places: { readonly owner: Record<string, unknown>; readonly key: string }[] = [];
  const walk = (part: unknown): void => {
    if (typeof part !== 'object' || part === null) return;
    const owner = part as Record<string, unknown>;
    for (const key of Object.keys(owner)) {
      places.push({ owner, key });
      walk(owner[key]);
    }
  };
  walk(value);
  const chosen = places[place % Math.max(1, places.length)];
  if (chosen === undefined) return;
  if (spoil === undefined && !Array.isArray(chosen.owner)) delete chosen.owner[chosen.key];
  else chosen.owner[chosen.key] = structuredClone(spoil ?? null);
}

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { coverageOf, shareOf } from '../../src/flowtest/coverage.ts';
import { isTestFile } from '../../src/flowtest/document/is-test-file.ts';
import { openTest } from '../../src/flowtest/open-test.ts';
import { runTests } from '../../src/flowtest/run-tests.ts';
import { projectFolder } from '../cli/run-cli.ts';
import { isBroad } from '../tries.ts';
import { failuresOf } from '../testing/flowtests.ts';

const shipped = readdirSync(join(projectFolder, 'flows'));
/** `npm test` plays the tests of one flow, `npm run laws` those of all. */
const played = isBroad ? shipped : ['restaurant-booking'];

test.each(played)('%s holds what its tests say, and they come through its nodes and ways', async (name) => {
  const folder = join(projectFolder, 'flows', name);
  const files = readdirSync(folder).filter(isTestFile);
  expect(files).not.toEqual([]);
  const opened = await Promise.all(files.map((file) => openTest(join(folder, file))));
  expect(opened.flatMap(({ diagnostics }) => diagnostics.map(({ message }) => message))).toEqual([]);
  const tests = opened.flatMap(({ test }) => test ?? []);
  const results = await runTests(tests, {});
  expect(results.flatMap(({ scenarios }) => failuresOf(scenarios))).toEqual([]);
  // The flows must work with the rules alone as well as with a model's answers.
  const engines = new Set(tests.flatMap(({ document }) => document.scenarios.map(({ engine = 'scripted' }) => engine)));
  expect([...engines].toSorted()).toEqual(['offline', 'scripted']);
  const [covered] = coverageOf(results);
  for (const { document } of tests)
    for (const kind of ['nodes', 'edges', 'conditions', 'functions'] as const) {
      const least = document.coverage?.[kind] ?? 0;
      expect(least, `${kind} that ${name} asks for`).toBe(100);
      expect(covered === undefined ? 0 : shareOf(covered, kind).percent, kind).toBeGreaterThanOrEqual(least);
    }
});

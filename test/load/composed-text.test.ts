import { expect, it } from 'vitest';
import { composeFlowText, composeText } from '../../src/flow/load/yaml/composed-text.ts';
import { parseYaml } from '../../src/flow/load/yaml/parse-yaml.ts';
import { createSourceText } from '../../src/flow/load/yaml/source-text.ts';

const text = 'nodes: { a: 1, b: [1, 2] }\nname: "open\n';
const plenty = { lexemes: 1_000, values: 1_000 };

it('a flow’s text that is asked for again is not parsed again, counts again, and tells the same', () => {
  const [first, again, alone] = [{ ...plenty }, { ...plenty }, { ...plenty }];
  const composed = composeFlowText(text, first);
  expect(composeFlowText(text, again)).toBe(composed);
  const anew = composeText(text, alone);
  expect(anew).not.toBe(composed);
  expect([again, alone]).toEqual([first, first]);

  const source = createSourceText('flow.yaml', text);
  const { faults } = parseYaml(source, composed);
  expect(faults.length).toBeGreaterThan(0);
  expect(parseYaml(source, composed).faults).toEqual(faults);
  expect(parseYaml(source, anew).faults).toEqual(faults);
});

it('a text that was within its limits is cut where less is left', () => {
  composeFlowText(text, { ...plenty });
  expect(composeFlowText(text, { lexemes: 5, values: 1_000 }).isCut).toBe(true);
  expect(composeFlowText(text, { lexemes: 1_000, values: 2 }).isCut).toBe(true);
  expect(composeFlowText(text, { ...plenty }).isCut).toBe(false);
});

import { expect, it } from 'vitest';
import { join } from 'node:path';
import { openTest } from '../../src/flowtest/open-test.ts';
import { runTests } from '../../src/flowtest/run-tests.ts';
import { folderOf } from '../cli/run-cli.ts';

const flow = `name: order
initial_node: ask
languages: [en, es]
role_messages: [{ role: system, content: You sell flowers. }]
slots: { count: { type: integer, ask: { en: How many?, es: ¿Cuántas? } } }
nodes:
  ask: { collect: [count], default_transition: pay }
  pay:
    call: order
    functions:
      - name: order
        effect: write
        parameters: { type: object, properties: { count: { type: integer } }, required: [count] }
        confirm: { en: "{{ count }} roses?", es: "¿{{ count }} rosas?" }
        transition_to: done
  done: { say: { en: Thank you!, es: ¡Gracias! }, end: ordered }
`;

const test = (model: string): string => `flow: order.yaml
scenarios:
  - name: in Spanish
    tools: { order: { returns: ok } }
    turns:
      - user: Hablo español
        model: ${model}
        expect: { said: "¿Cuántas?" }
      - user: tres
        model: { record: { count: 3 } }
      - user: adelante con eso
        model: { call: answer, args: { agrees: true } }
        expect: { outcome: ordered, said: "¡Gracias!" }
`;

it('a scenario calls the functions that the flow offers by itself: set_language and answer', async () => {
  const folder = folderOf({
    'order.yaml': flow,
    'order.flowtest.yaml': test('{ call: set_language, args: { language: es } }'),
  });
  const opened = await openTest(join(folder, 'order.flowtest.yaml'));
  expect(opened.diagnostics).toEqual([]);
  if (opened.test === null) throw new Error('The test was not opened.');
  const [result] = await runTests([opened.test], {});
  expect(result?.scenarios.flatMap(({ failures }) => failures)).toEqual([]);
});

it('a function that the flow does not have stays unknown', async () => {
  const folder = folderOf({ 'order.yaml': flow, 'order.flowtest.yaml': test('{ call: set_langage }') });
  const { diagnostics } = await openTest(join(folder, 'order.flowtest.yaml'));
  expect(diagnostics.map(({ hint }) => hint)).toEqual(['Did you mean "set_language"?']);
});

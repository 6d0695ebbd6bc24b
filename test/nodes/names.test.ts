import { expect, test } from 'vitest';
import { checkFlow } from '../../src/flow/load/check-flow.ts';
import { builtinCatalog } from '../../src/flow/nodes/builtin.ts';

/** Returns the diagnostics of names in a flow with one catalog node. */
function told(type: string, input: string): readonly string[] {
  const source = `
initial_node: look
slots: { reason: { type: text } }
nodes:
  look: { type: ${type}, input: ${input}, default_transition: bye }
  bye: { say: Bye., end: true }
`;
  const { diagnostics } = checkFlow(source, { catalog: builtinCatalog });
  return diagnostics.filter(({ code }) => code === 'undeclared-name').map(({ message }) => message);
}

const nothingDeclares = (name: string): readonly string[] => [`nothing in the flow declares "${name}".`];

test('a misspelled name in the condition of control.if is told', () => {
  expect(told('control.if', '{ condition: { equals: { var: reson, value: pain } } }')).toEqual(
    nothingDeclares('reson'),
  );
  expect(told('control.if', '{ condition: { equals: { var: reason, value: pain } } }')).toEqual([]);
});

test('a misspelled name in a case of control.switch is told', () => {
  const cases = (name: string): string => `[{ when: { not: { exists: { var: ${name} } } }, route: a }]`;
  expect(told('control.switch', `{ cases: ${cases('reson')} }`)).toEqual(nothingDeclares('reson'));
  expect(told('control.switch', `{ cases: ${cases('reason')} }`)).toEqual([]);
});

test('the name value is known to the cases of a control.switch that has one', () => {
  const cases = '[{ when: { exists: { var: value } }, route: a }]';
  expect(told('control.switch', `{ value: "{{ reason }}", cases: ${cases} }`)).toEqual([]);
  expect(told('control.switch', `{ cases: ${cases} }`)).toEqual(nothingDeclares('value'));
});

test('a misspelled name in the text of data.template is told, but not one of its own', () => {
  expect(told('data.template', '{ template: "{{ reson }} {{ own }}", values: { own: 1 } }')).toEqual(
    nothingDeclares('reson'),
  );
  expect(told('data.template', '{ template: "{{ reason }} {{ own }}", values: { own: 1 } }')).toEqual([]);
});

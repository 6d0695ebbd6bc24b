import { describe, expect, test } from 'vitest';
import { classicFlow, isClassicFlow } from '../../src/flow/document/classic.ts';
import { checkFlow } from '../../src/flow/load/check-flow.ts';
import { builtinCatalog } from '../../src/flow/nodes/builtin.ts';

const options = { catalog: builtinCatalog, functions: new Set(['look_up']) };

describe('the classic path', () => {
  test('is a flow of one node that needs no way out', () => {
    const flow = classicFlow({ prompt: 'You help {{ name }}.', context: { name: 'Ann' }, functions: ['look_up'] });
    const { graph, diagnostics } = checkFlow(flow, options);
    expect(diagnostics).toEqual([]);
    expect(graph?.initial).toBe('classic');
    expect(isClassicFlow(graph?.document)).toBe(true);
  });

  test('is checked like any other flow besides', () => {
    const flow = classicFlow({ prompt: 'You help {{ nobody }}.', functions: ['look_down'] });
    expect(checkFlow(flow, options).diagnostics.map(({ code }) => code)).toEqual(
      expect.arrayContaining(['idle-function', 'undeclared-name']),
    );
  });

  test('of another flow of one node it is noted that nothing leads on', () => {
    const { nodes } = classicFlow({ prompt: 'Hi.', functions: [] });
    const { diagnostics } = checkFlow({ name: 'other', initialNode: 'classic', nodes }, options);
    expect(diagnostics.map(({ code }) => code)).toContain('open-ended');
  });
});

import { describe, expect, it } from 'vitest';
import { defineFlow } from '../../src/flow/document/define.ts';
import type { ConversationFlow } from '../../src/flow/document/document.ts';

describe('a flow written in TypeScript', () => {
  it('is the document itself, so that loading and printing it need no second form', () => {
    const flow = defineFlow({
      initialNode: 'greet',
      slots: { name: { type: 'name', ask: 'Who is calling?' } },
      nodes: {
        greet: { say: 'Hello.', functions: [{ name: 'go', transitionTo: 'ask' }] },
        ask: { collect: ['name'], defaultTransition: 'bye' },
        bye: { say: 'Goodbye, {{ name }}.', end: 'done' },
      },
      edges: [{ from: 'ask', to: 'bye', when: { exists: { var: 'name' } } }],
    });
    const document: ConversationFlow = flow;
    expect(JSON.parse(JSON.stringify(document))).toEqual(flow);
  });

  it('has type errors where a target is no node or a collected slot is no slot', () => {
    defineFlow({
      // @ts-expect-error "gret" is not a node
      initialNode: 'gret',
      slots: { name: { type: 'name' } },
      nodes: {
        greet: {
          functions: [
            // @ts-expect-error "don" is not a node
            { name: 'a', transitionTo: 'don' },
            // @ts-expect-error "don" is not a node
            { name: 'b', transitionTo: { field: 'ok', cases: { true: 'don' } } },
            { name: 'c', transitionTo: '$return' },
          ],
          // @ts-expect-error "nam" is not a slot
          collect: ['nam'],
        },
        done: {
          // @ts-expect-error "gret" is not a node
          defaultTransition: 'gret',
          // @ts-expect-error "gret" is not a node
          onError: 'gret',
        },
      },
      edges: [
        // @ts-expect-error "nowhere" is not a node
        { from: 'greet', to: 'nowhere' },
      ],
    });
    expect(defineFlow).toBeTypeOf('function');
  });

  it.each([null, undefined, 'flow.yaml', 7])('is no %j, which is told by a code', (given) => {
    expect(() => defineFlow(given as never)).toThrow(/^flow-invalid: defineFlow takes a flow/);
  });
});

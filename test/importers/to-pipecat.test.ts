import { describe, expect, test } from 'vitest';
import { toPipecat } from '../../src/importers/pipecat/to-pipecat.ts';
import { checkFlow } from '../../src/flow/load/check-flow.ts';
import { builtinCatalog } from '../../src/flow/nodes/builtin.ts';
import { readFixture, staticFlows } from './read-fixture.ts';

function documentOf(source: object) {
  const { document } = checkFlow(source, { catalog: builtinCatalog });
  if (document === null) throw new Error('The flow cannot be read.');
  return document;
}

/** Returns the meaning of a conversation, independent of its format. */
function meaning(source: object) {
  const { roleMessages, nodes, functions = [], initialNode } = documentOf(source);
  const list = Array.isArray(nodes) ? nodes.map((node) => [node.id ?? '', node] as const) : Object.entries(nodes);
  return {
    initialNode,
    functions: functions.map(({ name, transitionTo }) => [name, transitionTo]),
    nodes: list.map(([id, node]) => ({
      id,
      persona: (node.roleMessages ?? (id === initialNode ? roleMessages : undefined) ?? []).map(
        ({ content }) => content,
      ),
      told: (node.taskMessages ?? []).map(({ content }) => content),
      functions: (node.functions ?? []).map(({ name, description = '', parameters, handler, transitionTo }) => ({
        name,
        description,
        parameters: Object.keys((parameters?.['properties'] as object | undefined) ?? {}),
        handler,
        transitionTo,
      })),
      ends: (node.postActions ?? []).some(({ type }) => type === 'end_conversation'),
      before: node.preActions ?? [],
      context: node.contextStrategy,
      waits: node.respondImmediately === false,
    })),
  };
}

describe('a flow as static JSON of Pipecat Flows', () => {
  test.each(staticFlows)('means the same once it has come back: %s', (file) => {
    const given = readFixture(file) as object;
    const { document } = toPipecat(documentOf(given));
    const strategy = (value: ReturnType<typeof meaning>) => ({
      ...value,
      nodes: value.nodes.map((node) => ({
        ...node,
        context: typeof node.context === 'string' ? { strategy: node.context } : node.context,
      })),
    });
    expect(strategy(meaning(document))).toEqual(strategy(meaning(given)));
  });

  test('says what of it is not the same there', () => {
    const { document, notes } = toPipecat(
      documentOf({
        initial_node: 'a',
        slots: { name: { type: 'name', ask: 'Who is calling?' } },
        nodes: {
          a: { say: 'Hello.', collect: ['name'], default_transition: 'b' },
          b: { say: 'Bye {{ name }}.', end: 'done' },
        },
      }),
    );
    expect(document).toMatchObject({
      nodes: {
        a: {
          pre_actions: [{ type: 'tts_say', text: 'Hello.' }],
          functions: [{ function: { name: 'keep_values', transition_to: 'b' } }],
        },
        b: {
          pre_actions: [{ text: 'Bye {{ name }}.' }],
          post_actions: [{ type: 'end_conversation' }],
          respond_immediately: false,
        },
      },
    });
    expect(notes).toEqual(['"slots" of the flow is not in it', expect.stringContaining('keep_values')]);
    expect(checkFlow(document, { catalog: builtinCatalog }).graph).not.toBeNull();
  });
});

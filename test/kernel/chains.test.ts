import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import type { Graph } from '../../src/flow/graph/graph.ts';
import { defineNodeType } from '../../src/flow/graph/nodes/node-type.ts';
import { lines } from '../../src/language/english/lines.ts';
import { englishSpeech } from '../../src/language/english/speech.ts';
import { conversation, graphOf } from './session.ts';

const task = [{ role: 'system' as const, content: 'Help.' }];
const end = { say: 'Bye.', end: true } as const;
const noop = { type: 'control.noop' };

/** A graph in which `desk` leads into a chain of catalog nodes `n1 … nCount`, then to `bye`. */
function chain(count: number, more: Partial<ConversationFlow> = {}): Graph {
  const nodes: Record<string, object> = {
    desk: { taskMessages: task, functions: [{ name: 'go', transitionTo: 'n1' }] },
    bye: end,
    help: { say: 'Let me get someone.', end: 'helped' },
  };
  for (let n = 1; n <= count; n += 1)
    nodes[`n${n}`] = { ...noop, defaultTransition: n === count ? 'bye' : `n${n + 1}` };
  return graphOf({ initialNode: 'desk', ...more, nodes });
}

function go(graph: Graph) {
  const call = conversation(graph);
  call.start();
  call.batch([{ name: 'go' }]);
  return call;
}

describe('a chain of nodes that run at once', () => {
  test('is one step, however many hops it makes', () => {
    const call = go(chain(9));
    expect(call.moves).toHaveLength(10);
    expect(call.outcome).toEqual(['say: Bye.', 'end completed']);
  });

  test('stops after max_transitions_per_turn with a fallback', () => {
    const call = go(chain(10));
    expect(call.moves).toHaveLength(10);
    expect(call.told('flow:stuck')).toEqual([{ reason: 'too-many-transitions' }]);
    expect(call.outcome).toEqual([`say: ${englishSpeech.lines.again[0]}`]);
  });

  test('or at on_error, which is one move more', () => {
    const call = go(chain(10, { onError: 'help' }));
    expect(call.moves).toHaveLength(11);
    expect(call.moves.at(-1)).toBe('n10 -> help by error');
    expect(call.outcome).toEqual(['say: Let me get someone.', 'end helped']);
  });

  test('goes on from where it stopped on the caller’s next turn', () => {
    const call = go(chain(10));
    call.turn('hello?');
    expect(call.moves).toEqual(['n10 -> bye by default']);
    expect(call.outcome).toEqual(['say: Bye.', 'end completed']);
  });

  test('counts anew on each turn', () => {
    const call = go(chain(15, { policy: { maxTransitionsPerTurn: 6 } }));
    expect(call.state.turn.transitions).toBe(6);
    call.turn('and?');
    expect(call.state.turn.transitions).toBe(6);
    call.turn('and?');
    expect(call.state.position.node).toBe('bye');
  });
});

describe('a catalog node that fails', () => {
  const failing: ConversationFlow = {
    initialNode: 'desk',
    nodes: {
      desk: { taskMessages: task, functions: [{ name: 'go', transitionTo: 'check' }] },
      check: { type: 'control.fail', input: { message: 'no' } },
      help: { say: 'Let me get someone.', end: 'helped' },
    },
  };

  test('goes to its own on_error before the flow’s', () => {
    const call = go(
      graphOf({
        ...failing,
        onError: 'desk',
        nodes: { ...failing.nodes, check: { type: 'control.fail', input: { message: 'no' }, onError: 'help' } },
      }),
    );
    expect(call.told('flow:stuck')).toEqual([{ reason: 'node-failed', code: 'control-fail' }]);
    expect(call.moves).toEqual(['desk -> check by function', 'check -> help by error']);
  });

  test('goes to on_trouble where there is no on_error', () => {
    const call = go(graphOf({ ...failing, onTrouble: 'help' }));
    expect(call.moves).toEqual(['desk -> check by function', 'check -> help by trouble']);
  });

  test('ends the conversation with an apology where there is neither', () => {
    const call = go(graphOf(failing));
    expect(call.outcome).toEqual([`say: ${lines.endFailed[0]}`, 'end node-failed']);
  });

  test('ends even where each one’s way out is the other', () => {
    const fail = (onError: string) => ({ type: 'control.fail', input: { message: 'no' }, onError });
    const call = go(
      graphOf({
        ...failing,
        nodes: { ...failing.nodes, check: fail('again'), again: fail('check') },
      }),
    );
    expect(call.moves.length).toBeLessThanOrEqual(11);
    expect(call.outcome).toEqual([`say: ${englishSpeech.lines.again[0]}`]);
  });

  test('that is the way out itself is not tried over and over', () => {
    const call = go(graphOf({ ...failing, onError: 'check' }));
    expect(call.moves).toEqual(['desk -> check by function']);
    expect(call.outcome).toEqual([`say: ${lines.endFailed[0]}`, 'end node-failed']);
  });

  test('may be one of the author’s own that throws, in its schema or in itself', () => {
    const thrown = (): never => {
      throw new Error('broken');
    };
    const types = [
      defineNodeType({
        name: 'own.evaluate',
        description: 'Throws.',
        input: z.object({}),
        output: z.object({}),
        evaluate: thrown,
      }),
      defineNodeType({
        name: 'own.input',
        description: 'Throws.',
        input: z.object({ on: z.any().refine((on) => (on === 'yes' ? thrown() : true)) }),
        output: z.object({}),
        evaluate: () => ({ ok: true, output: {} }),
      }),
    ];
    for (const node of [{ type: 'own.evaluate' }, { type: 'own.input', input: { on: '{{ word }}' } }]) {
      const document = {
        ...failing,
        state: { word: 'yes' },
        nodes: { ...failing.nodes, check: { ...node, onError: 'help', defaultTransition: 'desk' } },
      };
      expect(go(graphOf(document as ConversationFlow, [], types)).moves.at(-1)).toBe('check -> help by error');
    }
  });
});

describe('a catalog node that takes time', () => {
  const slow = defineNodeType({
    name: 'own.slow',
    description: 'Slow.',
    input: z.object({ n: z.number() }),
    output: z.object({ m: z.number() }),
    config: z.strictObject({ model: z.string() }),
    run: ({ n }) => Promise.resolve({ m: n }),
  });
  const graph = graphOf(
    {
      initialNode: 'desk',
      state: { count: 3 },
      onError: 'help',
      nodes: {
        desk: { taskMessages: task, functions: [{ name: 'go', transitionTo: 'work' }] },
        work: { type: 'own.slow', input: { n: '{{ count }}' }, config: { model: 'small' }, defaultTransition: 'told' },
        told: { say: 'It is {{ work.m }}.', end: true },
        help: { say: 'Let me get someone.', end: 'helped' },
      },
    },
    [],
    [slow],
  );

  test('is an effect with its input bound, and its output leads on', () => {
    const call = go(graph);
    expect(call.effects).toEqual([
      expect.objectContaining({
        kind: 'task',
        payload: { type: 'own.slow', input: { n: 3 }, config: { model: 'small' } },
      }),
    ]);
    call.settleEffect(call.effects[0]?.key ?? '', 'done', { m: 4 });
    expect(call.outcome).toEqual(['say: It is 4.', 'end completed']);
  });

  test('what the caller says meanwhile waits for the node that follows', () => {
    const call = go(graph);
    call.turn('are you there?');
    expect(call.outcome).toEqual([]);
  });

  test('that fails goes to on_error', () => {
    const call = go(graph);
    call.settleEffect(call.effects[0]?.key ?? '', 'failed');
    expect(call.moves).toEqual(['work -> help by error']);
  });

  test('whose node was left meanwhile moves nothing any more', () => {
    const call = go(graph);
    const key = call.effects[0]?.key ?? '';
    call.request('desk');
    call.settleEffect(key, 'done', { m: 4 });
    expect(call.state.position.node).toBe('desk');
  });
});

test('a model that calls without end is stopped like a chain of moves', () => {
  const graph = graphOf(
    {
      initialNode: 'desk',
      policy: { maxTransitionsPerTurn: 3 },
      nodes: {
        desk: {
          taskMessages: task,
          functions: [
            { name: 'look_up', handler: 'look_up' },
            { name: 'stop', transitionTo: 'bye' },
          ],
        },
        bye: end,
      },
    },
    ['look_up'],
  );
  const call = conversation(graph);
  call.start();
  let inferences = 0;
  while (call.outcome[0] === 'reply desk') {
    inferences += 1;
    call.batch([{ name: 'look_up', result: 1 }]);
  }
  expect(inferences).toBe(6);
  expect(call.outcome).toEqual([`say: ${englishSpeech.lines.again[0]}`]);
});

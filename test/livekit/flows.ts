import type { ConversationFlow } from '../../src/flow/document/document.ts';

export const prompt = (content: string) => [{ role: 'system' as const, content }];

/** Four nodes in a circle. In each, the model may go to the next. */
export const fourNodes: ConversationFlow = {
  initialNode: 'a',
  nodes: {
    a: { taskMessages: prompt('Node A.'), functions: [{ name: 'to_b', transitionTo: 'b' }] },
    b: { taskMessages: prompt('Node B.'), functions: [{ name: 'to_c', transitionTo: 'c' }] },
    c: { taskMessages: prompt('Node C.'), functions: [{ name: 'to_d', transitionTo: 'd' }] },
    d: { taskMessages: prompt('Node D.'), functions: [{ name: 'to_a', transitionTo: 'a' }] },
  },
};

/** A write that needs confirmation and leads to another node. */
export const booking: ConversationFlow = {
  initialNode: 'book',
  nodes: {
    book: {
      say: 'Hello.',
      taskMessages: prompt('Book.'),
      functions: [{ name: 'work', effect: 'write', confirm: 'Shall I really do it?', transitionTo: 'after' }],
    },
    after: { say: 'Done.', taskMessages: prompt('After.'), functions: [{ name: 'x', transitionTo: 'book' }] },
  },
};

type Nodes = Exclude<ConversationFlow['nodes'], readonly unknown[]>;

/** Two nodes that lead to each other. `second` overrides the second. */
export function twoNodesWith(second: Partial<Nodes[string]>): ConversationFlow {
  return {
    initialNode: 'a',
    nodes: {
      a: { taskMessages: prompt('Node A.'), functions: [{ name: 'to_b', transitionTo: 'b' }] },
      b: { taskMessages: prompt('Node B.'), functions: [{ name: 'to_a', transitionTo: 'a' }], ...second },
    },
  };
}

export const twoNodes = twoNodesWith({});

export const patienceMs = 400;

/** One node with a line, a line for trouble, and low limits. */
export const desk: ConversationFlow = {
  initialNode: 'desk',
  fallback: 'Sorry, say that again?',
  replyTimeoutMs: patienceMs,
  nodes: { desk: { say: 'Hello.', taskMessages: prompt('Desk.'), functions: [{ name: 'pay', transitionTo: 'desk' }] } },
};

/** Asks for a size by a scripted line, and ends. */
export const order: ConversationFlow = {
  name: 'order',
  initialNode: 'size',
  slots: { size: { type: 'enum', values: ['small', 'large'], ask: 'Which size?' } },
  nodes: { size: { collect: ['size'], defaultTransition: 'bye' }, bye: { say: 'It is ordered.', end: true } },
};

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import { conversationSchema } from '../../src/flow/document/document.ts';
import { compileFlow } from '../../src/flow/graph/compile/compile.ts';
import { drawMermaid } from '../../src/flow/graph/draw/draw.ts';
import { drawTasks } from '../../src/flow/graph/draw/tasks.ts';
import { loadTaskGraph } from '../../src/flow/load/load-task-graph.ts';
import { defaultLanguage, languageOf } from '../../src/language/language-of.ts';
import { builtinCatalog } from '../../src/flow/nodes/builtin.ts';

/** Returns the drawing of a flow, without indentation. */
function drawn(flow: ConversationFlow): readonly string[] {
  const { graph, problems } = compileFlow(conversationSchema.parse(flow), {
    catalog: builtinCatalog,
    language: languageOf(defaultLanguage),
    languageOf,
  });
  if (graph === null) throw new Error(JSON.stringify(problems, null, 2));
  return drawMermaid(graph)
    .trim()
    .split('\n')
    .map((line) => line.trim());
}

const booking: ConversationFlow = {
  initialNode: 'greet',
  slots: { day: { type: 'date' }, reason: { type: 'text', optional: true } },
  onError: 'bye',
  functions: [
    { name: 'hang_up', transitionTo: 'bye' },
    { name: 'ask_hours', transitionTo: 'hours', digression: true },
    { name: 'look_up', handler: 'look_up' },
  ],
  nodes: {
    greet: { say: 'Hello.', functions: [{ name: 'start', transitionTo: 'details' }] },
    details: { collect: ['day', 'reason'], defaultTransition: 'sort' },
    sort: { type: 'control.noop', onError: 'book' },
    book: {
      taskMessages: [{ role: 'system', content: 'Offer a time.' }],
      functions: [
        {
          name: 'book_visit',
          effect: 'write',
          confirm: true,
          transitionTo: { field: 'status.code', cases: { ok: 'bye', taken: 'book' }, default: 'details' },
        },
        { name: 'find_times', handler: 'find_times' },
        { name: 'choose', handler: 'choose', transitionCallback: 'next_of_choice' },
      ],
    },
    hours: { say: 'Eight to five.', functions: [{ name: 'go_on', transitionTo: '$return' }] },
    bye: { say: 'Goodbye.', end: 'done' },
  },
  edges: [
    {
      from: 'sort',
      to: 'greet',
      when: { not: { any: [{ equals: { var: 'reason', value: 'pain' } }, { exists: { var: 'day' } }] } },
    },
    { from: 'sort', to: 'book' },
  ],
};

describe('drawMermaid', () => {
  test('draws each node by its kind', () => {
    expect(drawn(booking).filter((line) => /^n\d/.test(line) && !line.includes('-'))).toEqual([
      'n0[/"greet<br/>Hello."/]',
      'n1[["details<br/>asks day, reason"]]',
      'n2{{"sort<br/>control.noop"}}',
      'n3("book<br/>Offer a time.<br/>find_times")',
      'n4[/"hours<br/>Eight to five."/]',
      'n5(["bye<br/>Goodbye."])',
    ]);
  });

  test('labels each way out by what takes it, and marks writes, confirmations and digressions', () => {
    expect(
      drawn(booking).filter((line) => line.includes('>') && line.includes(' n') && /-(\.-)?-?>/.test(line)),
    ).toEqual([
      'begin --> n0',
      'anywhere -->|"hang_up"| n5',
      'anywhere -->|"ask_hours · digression"| n4',
      'anywhere -.->|"on error"| n5',
      'n0 -->|"start"| n1',
      'n1 -->|"default"| n2',
      'n2 -->|"not (reason = pain or day exists)"| n0',
      'n2 -->|"always"| n3',
      'n2 -.->|"on error"| n3',
      'n3 -->|"book_visit · write · confirm: status.code = ok"| n5',
      'n3 -->|"book_visit · write · confirm: status.code = tak…"| n3',
      'n3 -->|"book_visit · write · confirm: otherwise"| n1',
    ]);
  });

  test('draws where a question leads that nobody answers, of the flow, a node and a slot', () => {
    const flow: ConversationFlow = {
      initialNode: 'greet',
      onTrouble: 'bye',
      ladder: { onNoInput: 'bye' },
      slots: { day: { type: 'date', ladder: { onNoMatch: 'help' } } },
      nodes: {
        greet: {
          say: 'Hello.',
          collect: ['day'],
          defaultTransition: 'bye',
          ladder: { onNoInput: 'help', onNoMatch: 'help' },
        },
        help: { say: 'A colleague will help.', end: 'help' },
        bye: { say: 'Goodbye.', end: 'done' },
      },
    };
    expect(drawn(flow).filter((line) => line.includes('-.->'))).toEqual([
      'anywhere -.->|"on trouble"| n2',
      'anywhere -.->|"no input"| n2',
      'anywhere -.->|"no match of day"| n1',
      'n0 -.->|"no answer"| n1',
    ]);
  });

  test('draws the beginning, what is possible anywhere, returning and targets that code chooses', () => {
    const lines = drawn(booking);
    expect(lines.slice(0, 5)).toEqual([
      'flowchart TD',
      'begin((" "))',
      'anywhere(("any node<br/>look_up"))',
      'back(("back"))',
      'code{"code decides"}',
    ]);
    expect(lines).toContain('n4 -->|"go_on"| back');
    expect(lines).toContain('n3 -.->|"choose"| code');
    const helper: ConversationFlow = {
      initialNode: 'a',
      functions: [{ name: 'help', handler: 'help' }],
      nodes: { a: { end: true } },
    };
    expect(drawn(helper)).toContain('anywhere(("any node<br/>help"))');
    expect(drawn({ initialNode: 'a', nodes: { a: { end: true } } })).toEqual([
      'flowchart TD',
      'begin((" "))',
      'n0(["a<br/>completed"])',
      'begin --> n0',
    ]);
  });

  test('writes a condition as a person would', () => {
    const when = (condition: NonNullable<ConversationFlow['edges']>[number]['when']): string | undefined => {
      const nodes = { a: { type: 'control.noop', defaultTransition: 'b' }, b: { end: true } };
      const state = { x: 1, y: 2 };
      return drawn({ initialNode: 'a', nodes, state, edges: [{ from: 'a', to: 'b', when: condition }] }).find((line) =>
        line.startsWith('n0 -->|'),
      );
    };
    expect(when({ all: [{ atLeast: { var: 'x', value: 1 } }, { notEquals: { var: 'y', value: null } }] })).toBe(
      'n0 -->|"x ≥ 1 and y ≠ null"| n1',
    );
    expect(when({ all: [{ any: [{ exists: { var: 'x' } }] }, { greater: { var: 'y', value: 1 } }] })).toBe(
      'n0 -->|"x exists and y #62; 1"| n1',
    );
    expect(when({ in: { var: 'x', values: [1, 'two'] } })).toBe('n0 -->|"x in 1, two"| n1');
    expect(when({ matches: { var: 'x', value: '^a' } })).toBe('n0 -->|"x ~ #94;a"| n1');
    expect(when({ equals: { var: 'x', value: { a: 1 } } })).toBe('n0 -->|"x = {…}"| n1');
  });

  test('lets no name or wording be read as Mermaid', () => {
    const odd = 'end"] --> x; `b` <br> #quot; %%{init: {}}%% & | $\n click x';
    const [, , node] = drawn({ initialNode: odd, nodes: { [odd]: { end: '1. __proto__' } } });
    expect(node).toBe(
      'n0(["end#34;] --#62; x#59; #96;b#96; #60;br#62; #35;quot#59; #37;#37;{init: {}}#37;#37; #38; #124;…<br/>1#46; __proto__"])',
    );
  });

  test('names no icon, style or list by accident', () => {
    const nodeOf = (end: string): string | undefined => drawn({ initialNode: 'end', nodes: { end: { end } } })[2];
    expect(nodeOf('fa:fa-car')).toBe('n0(["end<br/>fa#58;fa-car"])');
    expect(nodeOf('style: a:')).toBe('n0(["end<br/>style: a#58;"])');
    expect(nodeOf('- a - b')).toBe('n0(["end<br/>#45; a - b"])');
    expect(nodeOf('12) a')).toBe('n0(["end<br/>12#41; a"])');
  });

  test('puts any name on a line of its own, whatever is in it', () => {
    // zod leaves this one key out of any map.
    const name = fc.string({ unit: 'binary', minLength: 1 }).filter((text) => text !== '__proto__');
    fc.assert(
      fc.property(name, name, (id, text) => {
        const lines = drawn({ initialNode: id, nodes: { [id]: { say: 'Hi.', end: text } } });
        expect(lines).toHaveLength(4);
        expect(lines[2]).toMatch(/^n0\(\["[^"<>`%&|;#]*(?:#\d+;[^"<>`%&|;#]*)*<br\/>Hi\."\]\)$|^n0\(\["Hi\."\]\)$/);
      }),
    );
  });

  test('draws the same graph the same way, in the order of the document', () => {
    expect(drawn(booking)).toEqual(drawn(structuredClone(booking)));
  });
});

describe('drawTasks', () => {
  test('draws tasks with their types, their bodies around what is repeated, and edges with their conditions', () => {
    const flow = `
flow: { input: { names: array } }
nodes:
  'all "of" them': { type: control.foreach, input: { list: "{{ flow.input.names }}" }, body: { nodes: { a: { type: control.noop }, b: { type: control.noop } }, edges: [{ from: a, to: b }] } }
  tell: { type: control.noop }
edges:
  - { from: 'all "of" them', to: tell, when: { exists: { var: flow.input.names } } }
`;
    expect(drawTasks(loadTaskGraph(flow, { catalog: builtinCatalog }))).toBe(`flowchart TD
  subgraph n0 ["all #34;of#34; them<br/>control.foreach"]
    n0_0{{"a<br/>control.noop"}}
    n0_1{{"b<br/>control.noop"}}
    n0_0 --> n0_1
  end
  n1{{"tell<br/>control.noop"}}
  n0 -->|"flow.input.names exists"| n1
`);
  });
});

import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { JsonObject } from '../../src/model/json.ts';
import { formatPath } from '../../src/flow/document/problems/diagnostic.ts';
import { createCatalog } from '../../src/flow/graph/nodes/catalog.ts';
import { defineNodeType } from '../../src/flow/graph/nodes/node-type.ts';
import { checkFlow } from '../../src/flow/load/check-flow.ts';
import type { Model } from '../../src/model/ports/model.ts';
import { temporaryFolder } from '../load/temporary-folder.ts';
import { catalog, finished, rig } from './task-rig.ts';

const flow = (nodes: string, edges = '[]'): string =>
  `flow: { name: bad, input: { name: { type: string, optional: true }, count: { type: number, optional: true } } }\nedges: ${edges}\nnodes:\n${nodes}`;
const node = (id: string, text: string): string => `  ${id}: ${text}\n`;
const noop = (id: string): string => node(id, '{ type: control.noop }');

describe('what is wrong in a flow is told before it runs, by a code and the path to it', () => {
  test.each<[what: string, source: string, told: string]>([
    ['a missing input', flow(node('a', '{ type: data.json.parse }')), 'error invalid-node-input nodes.a.input.text'],
    ['a type that no pack has', flow(node('a', '{ type: acme.look }')), 'error unknown-node-type nodes.a.type'],
    [
      'an unresolved binding',
      flow(node('a', '{ type: control.noop, input: { value: { deep: ["{{ b.c }}"] } } }')),
      'error undeclared-name nodes.a.input.value.deep[0]',
    ],
    ['an edge to itself', flow(noop('a'), '[{ from: a, to: a }]'), 'error self-loop edges[0].to'],
    [
      'a cycle',
      flow(noop('a') + noop('b'), '[{ from: a, to: b }, { from: b, to: a }]'),
      'error task-circle edges[1].to',
    ],
    [
      'a template of a missing path of an input',
      flow(node('a', '{ type: data.template, input: { template: "{{ flow.input.nmae }}" } }')),
      'error undeclared-name nodes.a.input.template',
    ],
    [
      'a template of a missing path of an output',
      flow(
        node('a', '{ type: control.if, input: { condition: { exists: { var: flow.input.name } } } }') +
          node('b', '{ type: data.template, input: { template: "{{ a.verdict }}" } }'),
        '[{ from: a, to: b }]',
      ),
      'warning unknown-output-field nodes.b.input.template',
    ],
    [
      '10 MB of JSON',
      JSON.stringify({ flow: {}, nodes: { a: 'x'.repeat(10_000_000) } }),
      'error file-too-large (document)',
    ],
    [
      'JSON nested 10,000 deep',
      `{"flow":{},"nodes":{"a":{"type":"control.noop","input":{"value":${'['.repeat(10_000)}${']'.repeat(10_000)}}}}}`,
      'error too-deep (document)',
    ],
  ])('%s', (_, source, told) => {
    const { tasks, diagnostics } = checkFlow(source, { catalog });
    expect(diagnostics.map(({ severity, code, path }) => `${severity} ${code} ${formatPath(path)}`)).toEqual([
      expect.stringContaining(told),
    ]);
    expect(tasks === null).toBe(told.startsWith('error'));
    const places = diagnostics.map(({ line, frame = '' }) => line !== undefined && frame.length < 1_000);
    expect(places).toEqual([true]);
  });
});

describe('what is wrong in the world is the failure of its task, by a code and what is wrong there', () => {
  const deep = `${'['.repeat(10_000)}${']'.repeat(10_000)}`;

  test.each<[what: string, task: string, input: JsonObject, failure: readonly [code: string, message: unknown]]>([
    [
      'a binding that has no value',
      '{ type: data.json.parse, input: { text: "{{ flow.input.name }}" } }',
      {},
      ['input-invalid', 'input.text: "text" is missing. It is: The text. Without a value: flow.input.name.'],
    ],
    [
      'a number that is too small, without the number',
      '{ type: control.wait, input: { ms: "{{ flow.input.count }}" } }',
      { count: -4711 },
      ['input-invalid', expect.stringMatching(/^input\.ms: "ms" must be at least \d+\. It is: [^\d]+$/)],
    ],
    [
      'a gate in a body, without a channel',
      '{ type: control.foreach, input: { list: [1] }, body: { nodes: { b: { type: control.gate, input: { prompt: Go on? } } } } }',
      {},
      [
        'no-channel',
        'task "a.0.b": no channel is attached that can ask the question. Attach one before the flow runs.',
      ],
    ],
    [
      'text that is no JSON',
      '{ type: data.json.parse, input: { text: "{{ flow.input.name }}" } }',
      { name: '{' },
      ['not-json', expect.stringContaining('not JSON')],
    ],
    [
      'JSON nested 10,000 deep',
      '{ type: data.json.parse, input: { text: "{{ flow.input.name }}" } }',
      { name: deep },
      ['json-too-large', expect.stringContaining('nests')],
    ],
    [
      'a text that a value makes too long',
      '{ type: system.log, input: { level: info, message: "Hi {{ flow.input.name }}" } }',
      { name: 'x'.repeat(1_000_001) },
      ['text-too-long', expect.stringContaining('{{ flow.input.name }}')],
    ],
  ])('%s', async (_, task, input, [code, message]) => {
    const { result } = await finished(rig(flow(node('a', task)), { input }));
    expect(result).toMatchObject({ status: 'failed', failures: [{ taskId: 'a', code, message }] });
  });

  test('a prompt that a value makes too long', async () => {
    const folder = temporaryFolder({
      'flow.yaml': flow(node('a', '{ type: agent.run, prompt_file: ask.md, input: { input: Go. } }')),
      'ask.md': 'Tell {{ flow.input.name }}.',
    });
    const { result } = await finished(rig(join(folder, 'flow.yaml'), { input: { name: 'x'.repeat(1_000_001) } }));
    const message = expect.stringContaining('{{ flow.input.name }}') as string;
    expect(result.failures).toMatchObject([{ taskId: 'a', code: 'text-too-long', message }]);
  });

  test('10 MB of JSON are none of it', async () => {
    const parse = flow(node('a', '{ type: data.json.parse, input: { text: "{{ flow.input.name }}" } }'));
    const name = JSON.stringify({ text: 'x'.repeat(10_000_000) });
    const { result } = await finished(rig(parse, { input: { name } }));
    expect(result.outputs['a']).toEqual({ value: { text: expect.stringMatching(/^x{10}/) as string } });
  });

  test('a message to a run that has ended, and to a node that has not begun', async () => {
    const one = rig(flow(noop('a')));
    await finished(one);
    expect([one.instance.sendToRun('run-1', 'Hi.'), one.instance.sendTo('a', 'Hi.')]).toEqual([
      { ok: false, code: 'run-over', message: expect.stringContaining('run "run-1"') as string },
      { ok: false, code: 'run-over', message: expect.stringContaining('node "a"') as string },
    ]);
  });

  test('a message to a run that was closed, which would not be read', async () => {
    const model: Model = {
      label: 'scripted',
      async *generate() {
        yield await Promise.resolve({ type: 'text', delta: 'Well.' } as const);
      },
    };
    const run = rig(flow(node('a', '{ type: agent.run, input: { input: Go. }, config: { max_turns: 3 } }')), { model });
    const said: unknown[] = [];
    run.instance.subscribe('agent:text', ({ runId = '' }) => {
      said.push(run.instance.closeRun(runId).ok, run.instance.sendToRun(runId, 'Hi.'), run.instance.sendTo('a', 'Hi.'));
    });
    const { result } = await finished(run);
    expect(said).toMatchObject([true, { ok: false, code: 'run-over' }, { ok: false, code: 'run-over' }]);
    expect(result).toMatchObject({ status: 'complete', outputs: { a: { result: 'Well.' } } });
  });

  test('a node type whose schemas throw', async () => {
    const odd = z.object({ name: z.unknown().refine((name) => name !== 'x' || JSON.parse('{')) });
    const evaluate = () => ({ ok: true, output: { name: 'x' } }) as const;
    const schemas = { description: 'Is odd.', evaluate };
    const types = createCatalog([
      defineNodeType({ ...schemas, name: 'odd.input', input: odd, output: z.object({ name: z.string() }) }),
      defineNodeType({
        name: 'odd.run',
        description: 'Is odd.',
        input: z.object({}),
        output: odd,
        run: () => Promise.resolve({ name: 'x' }),
      }),
    ]);
    const codeOf = async (text: string): Promise<string | undefined> => {
      const { result } = await finished(rig(flow(node('a', text)), { input: { name: 'x' } }, types));
      return result.failures[0]?.code;
    };
    expect(await codeOf('{ type: odd.input, input: { name: "{{ flow.input.name }}" } }')).toBe('input-invalid');
    expect(await codeOf('{ type: odd.run }')).toBe('output-invalid');
  });

  test('an error that throws as it is looked at', async () => {
    class Odd extends Error {
      override get message(): string {
        throw new Odd();
      }
    }
    const run = (): Promise<Record<string, never>> => Promise.reject(new Odd());
    const object = z.object({});
    const types = createCatalog([
      defineNodeType({ name: 'odd.run', description: 'Is odd.', input: object, output: object, run }),
    ]);
    const { result } = await finished(rig(flow(node('a', '{ type: odd.run }')), {}, types));
    expect(result).toMatchObject({ status: 'failed', failures: [{ taskId: 'a', code: 'task-error' }] });
  });
});

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import type { Json, JsonObject } from '../../src/model/json.ts';
import { checkFlow } from '../../src/index.ts';
import { createCatalog } from '../../src/flow/graph/nodes/catalog.ts';
import { flowJsonSchema } from '../../src/flow/graph/json-schema.ts';
import { defineNodeType } from '../../src/flow/graph/nodes/node-type.ts';
import { builtinCatalog } from '../../src/flow/nodes/builtin.ts';
import { configFlows, readFixture, staticFlows } from '../importers/read-fixture.ts';
import { fromPipecat } from '../../src/importers/pipecat/pipecat.ts';

const root = join(import.meta.dirname, '../..');
const schema = flowJsonSchema(builtinCatalog);
const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false, allErrors: true });
const validate = ajv.compile(schema);

function errorsOf(document: unknown): readonly string[] {
  validate(document);
  // The other errors show which branch of an `if` was taken.
  return (validate.errors ?? []).filter(({ keyword }) => keyword !== 'if').map(place);
}

function place({ instancePath, keyword, params }: ErrorObject): string {
  const named: unknown = params['additionalProperty'] ?? params['missingProperty'] ?? '';
  return `${instancePath} ${keyword} ${String(named)}`.trim();
}

/** Returns a flow of one node, parsed from YAML. */
function flowWith(node: string): unknown {
  return parse(`{ initial_node: a, nodes: { a: ${node} } }`);
}

describe('flowJsonSchema', () => {
  test('is a valid JSON Schema 2020-12 with an id and a title', () => {
    expect(ajv.validateSchema(schema)).toBe(true);
    expect(schema).toMatchObject({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $id: 'urn:roomflow:flow:1',
      title: expect.any(String) as string,
      description: expect.any(String) as string,
    });
  });

  test('accepts the documented example and every flow that comes with the project', () => {
    const folders = ['flows', 'examples', 'examples/lessons'].flatMap((parent) =>
      readdirSync(join(root, parent)).map((name) => join(root, parent, name, 'flow.yaml')),
    );
    // One of the lessons has its own node type.
    const flows = folders.filter((file) => existsSync(file) && !file.includes('11-node-pack'));
    expect(flows.length).toBeGreaterThan(10);
    for (const file of [join(root, 'test/fixtures/clinic-intake.yaml'), ...flows])
      expect(errorsOf(parse(readFileSync(file, 'utf8'))), file).toEqual([]);
  });

  test.each([...staticFlows, ...configFlows])('accepts what %s becomes', (name) => {
    expect(errorsOf(fromPipecat(readFixture(name)).value)).toEqual([]);
  });

  test('tells a task flow by its key flow, and holds its tasks to their types', () => {
    const tasks = (task: string): readonly string[] => errorsOf(parse(`{ flow: { name: x }, nodes: { a: ${task} } }`));
    expect(tasks('{ type: control.noop, policy: { timeout_ms: 5 } }')).toEqual([]);
    expect(tasks('{ say: Hi. }')).toEqual(
      expect.arrayContaining(['/nodes/a required type', '/nodes/a additionalProperties say']),
    );
    expect(tasks('{ type: control.fail }')).toContain('/nodes/a required input');
    const body = (node: string): string =>
      `{ type: control.foreach, input: { list: [] }, body: { nodes: { b: ${node} } } }`;
    expect(tasks(body('{ type: control.noop }'))).toEqual([]);
    expect(tasks(body('{ type: control.fail }'))).toContain('/nodes/a/body/nodes/b required input');
    expect(errorsOf({ flow: {}, initial_node: 'a', nodes: {} })).toContain('additionalProperties initial_node');
  });

  test('points at a key that is misspelled or missing', () => {
    expect(errorsOf(flowWith('{ sey: Hi. }'))).toContain('/nodes/a additionalProperties sey');
    expect(errorsOf({ nodes: {} })).toContain('required initial_node');
    expect(errorsOf(flowWith('{ functions: [{ name: go, transition_to: { feild: ok, cases: {} } }] }'))).toContain(
      '/nodes/a/functions/0/transition_to additionalProperties feild',
    );
  });

  test('takes either spelling of a key, texts that look like other values as keys, and files for maps and lists', () => {
    const camel = {
      schemaVersion: 1,
      initialNode: 'a',
      onTrouble: 'b',
      slots: { day: { type: 'date', confirmText: '{{ value }}?' } },
      nodes: {
        a: {
          taskMessages: 'Ask.',
          functions: [{ name: 'go', saveAs: 'x', transitionTo: { field: 'ok', cases: { true: 'b', 2: 'b' } } }],
          defaultTransition: 'b',
        },
        b: { end: true, contextStrategy: { strategy: 'reset_with_summary', summaryPrompt: 'Briefly.' } },
      },
    };
    expect(errorsOf(camel)).toEqual([]);
    expect(
      errorsOf(parse('{ flow: { nodePacks: [] }, nodes: { a: { type: control.noop, promptFile: x.md } } }')),
    ).toEqual([]);
    // An editor sees the name behind !include, and the keys of a map as their values.
    const included = {
      initial_node: 'a',
      slots: 'slots.yaml',
      nodes: { a: 'nodes/a.yaml', b: { functions: ['go.json'] } },
    };
    expect(errorsOf(included)).toEqual([]);
    expect(errorsOf({ initial_node: 'a', nodes: 'all of them' })).not.toEqual([]);
    expect(JSON.stringify(schema)).not.toContain('"propertyNames":{"type":"string"}');
  });

  // `check` reports the faults that the schema cannot see: unknown names, and contradictions between parts.
  test.each([
    ['when: a text', '{ initial_node: a, nodes: { a: {} }, edges: [{ from: a, to: a, when: "n == 3" }] }'],
    [
      'when: two operators',
      '{ initial_node: a, nodes: { a: {} }, edges: [{ from: a, to: a, when: { exists: { var: n }, not: { exists: { var: m } } } }] }',
    ],
    ['retry: a number', '{ initial_node: a, nodes: { a: { functions: [{ name: f, retry: 3 }] } } }'],
    ['a function without a name', '{ initial_node: a, nodes: { a: { functions: [{ transition_to: a }] } } }'],
    ['a name with a blank', '{ initial_node: a, nodes: { a: { functions: [{ name: "a b" }] } } }'],
    ['a slot of no type', '{ initial_node: a, slots: { c: { ask: C } }, nodes: { a: {} } }'],
    ['a slot of another type', '{ initial_node: a, slots: { c: { type: string } }, nodes: { a: {} } }'],
    ['collect: a text', '{ initial_node: a, nodes: { a: { collect: day } } }'],
    ['say: a number', '{ initial_node: a, nodes: { a: { say: 5 } } }'],
    ['an action without a type', '{ initial_node: a, nodes: { a: { pre_actions: [{ text: Hi. }] } } }'],
    [
      'a branch without a field',
      '{ initial_node: a, nodes: { a: { functions: [{ name: f, transition_to: { cases: { true: a } } }] } } }',
    ],
    ['another version', '{ schema_version: 2, initial_node: a, nodes: { a: {} } }'],
    ['version', '{ version: 1, initial_node: a, nodes: { a: {} } }'],
    ['no nodes', '{ initial_node: a }'],
    ['a policy of a task that is a number', '{ flow: {}, nodes: { a: { type: control.noop, policy: { retry: 3 } } } }'],
    ['an input of another type', '{ initial_node: a, input: { c: { type: text } }, nodes: { a: {} } }'],
  ])('refuses %s, as check does', (_, text) => {
    expect(errorsOf(parse(text))).not.toEqual([]);
    expect(checkFlow(text).diagnostics.some(({ severity }) => severity === 'error')).toBe(true);
  });

  test('leaves the author’s own maps as they are', () => {
    const own =
      '{ functions: [{ name: go, parameters: { type: object, properties: { partySize: {}, party_size: {} } } }] }';
    expect(errorsOf(flowWith(own))).toEqual([]);
    expect(errorsOf({ initial_node: 'a', nodes: { a: {} }, state: { myValue: 1, my_value: 2 } })).toEqual([]);
  });

  test('accepts the short forms and other names of messages and functions', () => {
    expect(
      errorsOf({
        initial_node: 'a',
        role_message: 'Be kind.',
        global_functions: [{ name: 'help' }],
        nodes: { a: { role_messages: ['Be brief.'], task_message: { role: 'system', content: 'Greet.' } } },
      }),
    ).toEqual([]);
  });

  test('knows the catalog’s types and the input of each', () => {
    const { oneOf } = at(schema, '$defs', 'Node', 'properties', 'type') as { oneOf: readonly { const: string }[] };
    expect(oneOf.map((choice) => choice.const)).toEqual([...builtinCatalog.keys()]);
    expect(errorsOf(flowWith('{ type: control.noop }'))).toEqual([]);
    expect(errorsOf(flowWith('{ type: control.swich }'))).toContain('/nodes/a/type oneOf');
    expect(errorsOf(flowWith('{ type: control.if }'))).toContain('/nodes/a required input');
    const wrong = '{ type: control.if, input: { condition: { differs: { var: a, value: 1 } } } }';
    expect(errorsOf(flowWith(wrong))).toContain('/nodes/a/input/condition additionalProperties differs');
    for (const operator of ['notEquals', 'not_equals'])
      expect(errorsOf(flowWith(wrong.replace('differs', operator)))).toEqual([]);
    expect(
      errorsOf(
        flowWith('{ type: control.if, input: { condition: { equals: { var: a, value: 1 }, exists: { var: a } } } }'),
      ),
    ).toContain('/nodes/a/input/condition maxProperties');
  });

  test('knows the config that each type takes', () => {
    const agent = (config: string): string => `{ type: agent.run, input: { input: Hi. }, config: ${config} }`;
    const own = '{ max_tokens: 9, tool_choice: { name: look_up }, metadata: { myTeam: a } }';
    expect(errorsOf(flowWith(agent(own)))).toEqual([]);
    expect(errorsOf(flowWith(agent('{ tempature: 1 }')))).toContain('/nodes/a/config additionalProperties tempature');
    expect(errorsOf(flowWith('{ type: control.noop, config: {} }'))).toContain('/nodes/a/config not');
  });

  test('lets a template stand for a member of an input', () => {
    expect(errorsOf(flowWith('{ type: control.switch, input: { cases: "{{ cases }}" } }'))).toEqual([]);
    expect(errorsOf(flowWith('{ type: control.switch, input: { cases: none } }'))).not.toEqual([]);
    expect(errorsOf(flowWith('{ type: data.merge, input: { objects: ["{{ a }}", {}] } }'))).toEqual([]);
    expect(errorsOf(flowWith('{ type: data.merge, input: { objects: [none] } }'))).not.toEqual([]);
  });

  test('takes node types of the author’s own', () => {
    const lookUp = defineNodeType({
      name: 'acme.lookup',
      description: 'Looks a member up.',
      input: z.strictObject({
        memberId: z.number().describe('Whose.'),
        since: z.date().optional().describe('When.'),
        limit: z.number().default(3).describe('At most so many.'),
      }),
      output: z.unknown(),
      run: async () => Promise.resolve(null),
    });
    const own = new Ajv2020({ strictTypes: false }).compile(flowJsonSchema(createCatalog([lookUp])));
    expect(own(flowWith('{ type: acme.lookup, input: { member_id: 7 } }'))).toBe(true);
    expect(own(flowWith('{ type: acme.lookup, input: { member: 7 } }'))).toBe(false);
    expect(
      new Ajv2020({ strictTypes: false }).compile(flowJsonSchema(createCatalog([])))(flowWith('{ type: any }')),
    ).toBe(true);
  });

  test('tells what a node of each type gives, under the names that templates read', () => {
    const outputs = at(schema, '$defs', 'Outputs', 'properties') as JsonObject;
    expect(Object.keys(outputs).toSorted()).toEqual([...builtinCatalog.keys()].toSorted());
    expect(outputs['control.wait']).toMatchObject({ properties: { waitedMs: { type: 'number' } } });
    expect(at(schema, '$defs', 'Outputs', 'properties', 'agent.reviewer', 'properties', 'result')).toMatchObject({
      properties: { approved: { type: 'boolean' }, comments: { type: 'array' } },
    });
  });

  test('describes every property and every definition, in snake_case', () => {
    const undescribed: string[] = [];
    const names: string[] = [];
    visit(schema, '#', (part, path) => {
      const inRule = path.endsWith('/if') || path.endsWith('/then');
      for (const key of ['properties', '$defs']) {
        for (const [name, value] of Object.entries((part[key] ?? {}) as JsonObject)) {
          // Outputs have the names that templates read.
          if (!path.startsWith('#/$defs/Outputs')) names.push(name);
          if (!inRule && (value as JsonObject)['description'] === undefined) undescribed.push(`${path}/${key}/${name}`);
        }
      }
    });
    expect(undescribed).toEqual([]);
    expect(names.length).toBeGreaterThan(100);
    const definitions = new Set(Object.keys(schema['$defs'] as JsonObject));
    expect(names.filter((name) => /[A-Z]/.test(name) && !definitions.has(name))).toEqual([]);
  });
});

function at(value: Json, ...path: readonly string[]): Json {
  return path.reduce((part, key) => (part as JsonObject)[key] ?? null, value);
}

function visit(value: Json, path: string, look: (part: JsonObject, path: string) => void): void {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) look(value as JsonObject, path);
  for (const [key, member] of Object.entries(value)) visit(member as Json, `${path}/${key}`, look);
}

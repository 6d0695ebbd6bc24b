import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkFlow } from '../../src/flow/load/check-flow.ts';
import { readFlow } from '../../src/flow/load/read-flow.ts';
import { builtinCatalog } from '../../src/flow/nodes/builtin.ts';
import { folderOf } from '../cli/run-cli.ts';

const description = `openapi: 3.1.0
info: { title: Shop, version: "1" }
servers:
  - url: https://{region}.shop.example/v1/
    variables: { region: { default: eu } }
paths:
  /items/{item-id}:
    parameters:
      - { name: item-id, in: path, required: true, schema: { type: string }, description: The number of the item. }
    get:
      operationId: getItem
      summary: Finds an item.
      parameters:
        - { $ref: "#/components/parameters/Currency" }
        - { name: X-Shop, in: header, schema: { type: string } }
        - { name: session, in: cookie, schema: { type: string } }
      responses:
        "200": { content: { application/json: { schema: { $ref: "#/components/schemas/Item" } } } }
        "404": { description: none }
  /orders:
    post:
      operationId: createOrder
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              properties:
                id: { type: string, readOnly: true }
                item: { type: string }
                count: { type: integer, minimum: 1 }
              required: [item, id]
      responses: { "201": { description: made } }
  /trees:
    put:
      operationId: putTree
      servers: [{ url: https://trees.example }]
      requestBody: { content: { application/json: { schema: { $ref: "#/components/schemas/Tree" } } } }
      responses: { "204": { description: done } }
  /files:
    post:
      operationId: upload
      requestBody: { required: true, content: { multipart/form-data: { schema: {} } } }
      responses: { "204": { description: done } }
  /secret:
    get:
      operationId: secret
      parameters: [{ name: session, in: cookie, required: true, schema: { type: string } }]
      responses: { "204": { description: done } }
components:
  parameters:
    Currency: { name: currency, in: query, required: true, schema: { type: string, enum: [EUR, USD] } }
  schemas:
    Item:
      type: object
      properties: { price: { type: number, example: 4 }, note: { type: string, nullable: true } }
      required: [price]
    Tree: { type: array, items: { $ref: "#/components/schemas/Tree" } }
`;

const flowOf = (openapi: string) => `name: shop
initial_node: a
role_messages: [{ role: system, content: Hi. }]
tools: { t: { openapi: ${openapi} } }
nodes: { a: { say: Hello., functions: [{ name: t, transition_to: b }] }, b: { say: Bye., end: x } }
`;

function opened(openapi: string, files: Record<string, string> = { 'shop.yaml': description }) {
  const folder = folderOf({ ...files, 'flow.yaml': flowOf(openapi) });
  return readFlow(join(folder, 'flow.yaml'));
}

/** The tool as it is read. */
function toolOf(openapi: string) {
  const { document, diagnostics } = opened(openapi);
  expect(diagnostics).toEqual([]);
  return document?.tools?.['t'];
}

test('parameters of the path, the query and headers are arguments, and the answer has its schema', () => {
  expect(toolOf('{ file: shop.yaml, operation: getItem, headers: { authorization: "Bearer {{ env.KEY }}" } }')).toEqual(
    {
      description: 'Finds an item.',
      parameters: {
        type: 'object',
        properties: {
          item_id: { type: 'string', description: 'The number of the item.' },
          currency: { type: 'string', enum: ['EUR', 'USD'] },
          X_Shop: { type: 'string' },
        },
        required: ['item_id', 'currency'],
      },
      http: {
        method: 'GET',
        url: 'https://eu.shop.example/v1/items/{{ args.item_id }}',
        query: { currency: '{{ args.currency }}' },
        headers: { 'X-Shop': '{{ args.X_Shop }}', authorization: 'Bearer {{ env.KEY }}' },
        result: {
          type: 'object',
          properties: { price: { type: 'number' }, note: { type: ['string', 'null'] } },
          required: ['price'],
        },
      },
    },
  );
});

test('the members of a body are arguments, without those that only the service writes', () => {
  expect(
    toolOf('{ file: shop.yaml, operation: createOrder, server: "https://test.example", idempotency_header: X-Key }'),
  ).toEqual({
    description: '',
    parameters: {
      type: 'object',
      properties: { item: { type: 'string' }, count: { type: 'integer', minimum: 1 } },
      required: ['item'],
    },
    http: {
      ...{ method: 'POST', url: 'https://test.example/orders', headers: {}, idempotencyHeader: 'X-Key' },
      body: { item: '{{ args.item }}', count: '{{ args.count }}' },
    },
  });
});

test('a body that is no plain object is one argument, and a schema that names itself ends', () => {
  const tool = toolOf('{ file: shop.yaml, operation: putTree }');
  expect(tool?.http).toMatchObject({ url: 'https://trees.example/trees', body: '{{ args.body }}' });
  expect(JSON.stringify(tool?.parameters)).toContain('"items":{}');
});

test.each([
  ['{ file: shop.yaml, operation: getItm }', 'has no operation "getItm". Did you mean "getItem"?'],
  ['{ file: gone.yaml, operation: getItem }', 'there is no file "gone.yaml"'],
  ['{ file: ../shop.yaml, operation: getItem }', 'is not inside the flow’s folder'],
  ['{ file: flow.yaml, operation: getItem }', 'is not an OpenAPI description of version 3'],
  ['{ file: shop.yaml, operation: upload }', 'a body that is not JSON'],
  ['{ file: shop.yaml, operation: secret }', '"session" in cookie'],
])('%s is refused with its place', (openapi, told) => {
  const { document, diagnostics } = opened(openapi);
  expect(document).toBeNull();
  expect(diagnostics).toMatchObject([{ code: 'invalid-openapi', severity: 'error', line: 4 }]);
  expect(diagnostics[0]?.message).toContain(told);
});

test('a description without a server, and one with a broken reference, say so', () => {
  const without = description.replace(/servers:[\s\S]*?(?=paths:)/, '');
  const text = '{ file: shop.yaml, operation: getItem }';
  expect(opened(text, { 'shop.yaml': without }).diagnostics[0]?.message).toContain('Write it under "server"');
  const broken = description.replace('parameters/Currency"', 'parameters/Gone"');
  expect(opened(text, { 'shop.yaml': broken }).diagnostics[0]?.message).toContain('does not name a part of this file');
});

test('a host that is not allowed is reported at the operation, and a tool needs one of both keys', () => {
  const folder = folderOf({
    'shop.yaml': description,
    'flow.yaml': flowOf('{ file: shop.yaml, operation: getItem }'),
    'both.yaml': flowOf('{ file: shop.yaml, operation: getItem }').replace(
      'openapi:',
      'http: { url: "https://a.example/" }, openapi:',
    ),
  });
  const found = checkFlow(join(folder, 'flow.yaml'), { catalog: builtinCatalog, hosts: {} }).diagnostics;
  expect(found).toMatchObject([{ code: 'host-not-allowed', line: 4 }]);
  expect(found[0]?.message).toContain('https://eu.shop.example');
  const both = checkFlow(join(folder, 'both.yaml'), { catalog: builtinCatalog }).diagnostics;
  expect(both).toMatchObject([{ code: 'invalid-request', line: 4 }]);
});

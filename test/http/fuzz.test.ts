import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Json, JsonObject } from '../../src/model/json.ts';
import { schemaCheck } from '../../src/flow/graph/schema-check.ts';
import { commitWait, kept } from '../people/waiting.ts';
import { type Answer, ask, type Desk, openDesk } from './desk.ts';

interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema: JsonObject }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: JsonObject }>> };
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, { schema: JsonObject }>> }>>;
}

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonObject>> };
}

it('answers whatever comes as its own document says, and never fails', async () => {
  const desk = await openDesk();
  await commitWait(desk.store, 's');
  await commitWait(desk.store, 't', { facts: { note: '\u0000"<' } });
  const described = JSON.parse((await ask(desk, 'GET', '/openapi.json')).text) as Description;
  const operations = Object.entries(described.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  expect(operations.length).toBeGreaterThan(14);
  const known = [
    's',
    't',
    's/5/1',
    't/5/1',
    'f1',
    'approve',
    desk.link().slice(9),
    desk.link({ sessionId: 't' }).slice(9),
  ];
  const requests = fc.constantFrom(...operations).chain(({ path, method, operation }) =>
    fc.record({
      operation: fc.constant({ path, method, operation }),
      parameters: fc.record(Object.fromEntries((operation.parameters ?? []).map(({ name }) => [name, textOf(known)])), {
        requiredKeys: (operation.parameters ?? []).filter((one) => one.in === 'path').map(({ name }) => name),
      }),
      body: bodyOf(operation, described, known),
      bearer: fc.constantFrom('ada', 'ada', 'ada', 'eve', null),
    }),
  );
  const seen = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(requests, async ({ operation: { path, method, operation }, parameters, body, bearer }) => {
      const [type] = Object.keys(operation.requestBody?.content ?? {});
      // An early decision would be held for a minute.
      const headers = { prefer: 'wait=0', ...(type === undefined ? {} : { 'content-type': type }) };
      const raw = type === undefined ? {} : { raw: type === 'application/json' ? JSON.stringify(body) : formOf(body) };
      const answer = await ask(desk, method.toUpperCase(), addressOf(path, operation, parameters), {
        ...raw,
        bearer,
        headers,
      });
      seen.set(`${answer.status}`, (seen.get(`${answer.status}`) ?? 0) + 1);
      assertDescribed(answer, operation, described);
    }),
    { numRuns: 250 },
  );
  // The requests were not only refused.
  expect([...seen.keys()]).toEqual(expect.arrayContaining(['200', '202', '400', '401', '403', '404']));
  await assertWell(desk);
});

it('refuses what its document does not have, whatever the method, the host, the page and the body, and changes nothing', async () => {
  const desk = await openDesk();
  await commitWait(desk.store, 's');
  const described = JSON.parse((await ask(desk, 'GET', '/openapi.json')).text) as Description;
  const before = await kept(desk.store);
  const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'];
  const link = desk.link();
  const paths = [...Object.keys(described.paths), '/', '/nothing', '//', '/%00', '/waits/%', '/approve/../waits'];
  const filled = paths.map((path) => path.replaceAll(/\{\w+\}/g, (name) => (name === '{token}' ? link.slice(9) : 's')));
  const foreign = fc.constantFrom<Readonly<Record<string, string>>>(
    { host: 'evil.example' },
    { host: '127.0.0.1.evil.example' },
    { host: 'localhost@evil.example' },
    { host: '' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: 'http://127.0.0.1:1' },
  );
  const sent = fc.record({
    method: fc.constantFrom(...methods),
    path: fc.constantFrom(...filled),
    headers: foreign,
    raw: fc.option(fc.constantFrom('{}', '{"do":"start"}', 'decision=approve&factsHash=f1', '\u0000'), {
      nil: undefined,
    }),
    bearer: fc.constantFrom('ada', null),
    type: fc.constantFrom('application/json', 'application/x-www-form-urlencoded', 'text/plain', 'nonsense'),
  });
  await fc.assert(
    fc.asyncProperty(sent, async ({ method, path, headers, raw, bearer, type }) => {
      const body = raw === undefined ? {} : { raw };
      const given = { ...body, bearer, headers: { 'content-type': type, ...headers } };
      const { status, text } = await ask(desk, method, path, given);
      expect([400, 403, 404, 421], `${method} ${path} ${JSON.stringify(headers)} ${text}`).toContain(status);
    }),
    { numRuns: 250 },
  );
  expect(await kept(desk.store)).toEqual(before);
  // Requests that no document describes change nothing either.
  const undescribed = methods.flatMap((method) =>
    paths.flatMap((path, index) => {
      const isThere = Object.hasOwn(described.paths[path] ?? {}, method === 'HEAD' ? 'get' : method.toLowerCase());
      return isThere || path === '/openapi.json' ? [] : [{ method, path: filled[index] ?? '/' }];
    }),
  );
  for (const { method, path } of undescribed)
    for (const raw of [undefined, '{}'])
      expect(
        (await ask(desk, method, path, raw === undefined ? {} : { raw })).status,
        `${method} ${path}`,
      ).toBeLessThan(500);
  expect(await kept(desk.store)).toEqual(before);
  await assertWell(desk);
});

function assertDescribed(
  { status, headers, text }: Answer,
  { responses }: Operation,
  { components }: Description,
): void {
  const response = responses[String(status)];
  expect(response, `${status} ${text}`).toBeDefined();
  expect(status, text).not.toBe(500);
  const [type = ''] = String(headers['content-type']).split(';');
  const schema = response?.content?.[type]?.schema;
  if (type !== 'application/json') return;
  expect(schema).toBeDefined();
  const resolved = { ...schema, components: components as unknown as JsonObject };
  expect(schemaCheck(resolved).violations(JSON.parse(text) as Json), text).toEqual([]);
}

async function assertWell(desk: Desk): Promise<void> {
  expect((await ask(desk, 'GET', '/readyz')).status).toBe(200);
  expect(desk.log.filter((line) => line.includes('http:failed'))).toEqual([]);
}

function addressOf(path: string, { parameters = [] }: Operation, given: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams();
  for (const { name, in: place } of parameters)
    if (place === 'query' && given[name] !== undefined) query.set(name, given[name]);
  const filled = path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => encodeURIComponent(given[name] ?? ''));
  return query.size === 0 ? filled : `${filled}?${query.toString()}`;
}

function textOf(known: readonly string[]): fc.Arbitrary<string> {
  const anything = fc.string({ unit: fc.constantFrom('a', '/', '%', '.', ' ', 'é', '\u0000', '1', '"') });
  return fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...known) },
    { weight: 1, arbitrary: anything },
    fc.nat().map(String),
  );
}

/** Returns a body: mostly by the schema, sometimes arbitrary. */
function bodyOf({ requestBody }: Operation, described: Description, known: readonly string[]): fc.Arbitrary<Json> {
  const [content] = Object.values(requestBody?.content ?? {});
  const anything = fc.jsonValue() as fc.Arbitrary<Json>; // fc.jsonValue() generates JSON.
  if (content === undefined) return fc.constant(null);
  return fc.oneof(
    { weight: 5, arbitrary: valueOf(content.schema, described, known) },
    { weight: 1, arbitrary: anything },
  );
}

function valueOf(schema: JsonObject, described: Description, known: readonly string[]): fc.Arbitrary<Json> {
  const { $ref: reference, enum: choices, const: only, type, properties, required, items } = schema;
  const inner = (each: Json | undefined): fc.Arbitrary<Json> => valueOf(each as JsonObject, described, known); // The schema is part of the document.
  if (typeof reference === 'string') return inner(described.components.schemas[reference.split('/').at(-1) ?? '']);
  const members = (schema['oneOf'] ?? schema['anyOf'] ?? schema['allOf']) as readonly Json[] | undefined;
  if (members !== undefined) return fc.oneof(...members.map(inner));
  if (only !== undefined) return fc.constant(only);
  if (Array.isArray(choices)) return fc.constantFrom(...(choices as readonly Json[]));
  if (type === 'integer' || type === 'number')
    return fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }));
  if (type === 'array') return fc.array(inner(items), { maxLength: 3 });
  if (type === 'object' && properties === undefined)
    return fc.oneof(
      fc.constantFrom<Json>({ decision: 'approve' }, { decision: 'reject' }),
      fc.dictionary(fc.string(), fc.jsonValue() as fc.Arbitrary<Json>),
    );
  if (type === 'object')
    return fc.record(
      Object.fromEntries(Object.entries(properties as JsonObject).map(([name, each]) => [name, inner(each)])),
      { requiredKeys: [...((required ?? []) as readonly string[])] },
    );
  return textOf(known);
}

function formOf(body: Json): string {
  const form = new URLSearchParams();
  if (typeof body === 'object' && body !== null)
    for (const [name, value] of Object.entries(body))
      form.set(name, typeof value === 'string' ? value : JSON.stringify(value));
  return form.toString();
}

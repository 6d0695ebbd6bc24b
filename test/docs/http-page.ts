import { ask, openDesk } from '../http/desk.ts';

interface Operation {
  readonly summary?: string;
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly description?: string;
    readonly schema?: Shape;
  }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Shape }>> };
  readonly responses: Readonly<Record<string, { readonly description: string }>>;
}

interface Shape {
  readonly $ref?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
}

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components?: { readonly schemas?: Readonly<Record<string, Shape>> };
}

/** Renders `docs/reference/http.md` from the OpenAPI document that `roomflow serve` serves. */
export async function httpPage(): Promise<string> {
  const { text } = await ask(await openDesk(), 'GET', '/openapi.json');
  const api = JSON.parse(text) as OpenApi; // The document of our own server.
  const sections = Object.entries(api.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, one]) => section(`${method.toUpperCase()} ${path}`, one, api)),
  );
  return [head, ...sections].join('\n\n').concat('\n');
}

function section(
  title: string,
  { summary = '', parameters = [], requestBody, responses }: Operation,
  api: OpenApi,
): string {
  const given = parameters.map(
    (one) => `| \`${one.name}\` | ${one.in} | ${typeOf(one.schema)} | ${cell(one.description ?? '')} |`,
  );
  const body = Object.entries(requestBody?.content ?? {}).flatMap(([type, { schema }]) => fieldsOf(schema, type, api));
  const rows = [...given, ...body];
  const table =
    rows.length === 0 ? [] : [['| name | in | form | what it is |', '| --- | --- | --- | --- |', ...rows].join('\n')];
  const answers = Object.entries(responses).flatMap(([status, { description }]) =>
    usual.has(status) ? [] : `${status} ${description}`,
  );
  return [`## ${title}`, summary, ...table, `Answers: ${cell(answers.join(' · '))}`]
    .filter((part) => part !== '')
    .join('\n\n');
}

function fieldsOf(given: Shape, type: string, api: OpenApi): readonly string[] {
  const shape = api.components?.schemas?.[given.$ref?.replace('#/components/schemas/', '') ?? ''] ?? given;
  const where = type === 'application/json' ? 'body' : 'form';
  return Object.entries(shape.properties ?? {}).map(([name, part]) => {
    const key = shape.required?.includes(name) === true ? `**\`${name}\`**` : `\`${name}\``;
    return `| ${key} | ${where} | ${typeOf(part)} | ${cell(part.description ?? '')} |`;
  });
}

function typeOf({ type, enum: choices }: Shape = {}): string {
  if (choices !== undefined) return choices.map((one) => `\`${String(one)}\``).join(', ');
  return [type ?? 'anything'].flat().join(' or ');
}

/** Refusals that any request may get. */
const usual: ReadonlySet<string> = new Set(['400', '403', '413', '415', '421', '503']);

function cell(text: string): string {
  return text
    .replaceAll('|', String.raw`\|`)
    .replaceAll(/\s+/g, ' ')
    .replaceAll('<', '&lt;');
}

const head = `# HTTP

<!-- Written by \`npm run docs\` from the server's own /openapi.json, which has the schemas as well. -->

The requests that \`roomflow serve\` answers, and a worker with \`http\` in its configuration. Requests carry \`Authorization: Bearer …\`, which
\`resolveActor\` reads. A link needs no token. A refusal is \`{ code, message }\` with a code of [errors](errors.md):
any request may get 400 (invalid), 403 (\`can\`), 413 (over 1 MB), 415 (content type), 421 (\`Host\`) or 503 (stopping, or no store).
[People](../people.md) explains their use.`;

import type { ImportedFlow } from '../../flow/load/import-flow.ts';
import type { ToolStub } from '../../importers/tool-stub.ts';
import { isRecord } from '../../model/json.ts';

/**
 * Returns a TypeScript file with a stub for each function of an imported flow. Functions with an HTTP address call it.
 */
export function writeToolStubs({ tools, what }: ImportedFlow): string {
  const usesHttp = tools.some(({ http }) => http !== undefined);
  const identifiers = identifiersOf(tools.map(({ name }) => name));
  const usesParts = tools.some(({ sets }) => Object.values(sets).some((path) => path !== ''));
  return [
    `// Functions of a flow that was imported from ${comment(what)}. List them under tools of agent.config.ts.`,
    "import { flowTool } from 'roomflow/livekit';",
    "import { z } from 'zod';",
    ...(usesHttp ? ['', ...requestHelpers] : []),
    ...(usesHttp || usesParts ? ['', ...partHelper] : []),
    ...tools.flatMap((tool, index) => ['', ...stubOf(tool, identifiers[index] ?? '')]),
    '',
    `export default [${identifiers.join(', ')}];`,
    '',
  ].join('\n');
}

function stubOf(tool: ToolStub, own: string): readonly string[] {
  const { name, description, parameters, effect, http, sets, notes } = tool;
  const names = Object.entries(sets);
  const needed = names.length > 0 || http !== undefined;
  const given = parameters === undefined ? '_args' : 'args';
  return [
    ...notes.map((note) => `// ${comment(note)}`),
    ...(http?.headers ?? []).map(
      (header) => `// Sent the header ${comment(header)}: add it, with its value from the environment.`,
    ),
    `export const ${own} = flowTool({`,
    `  name: ${text(name)},`,
    `  description: ${text(description === '' ? name : description)},`,
    ...(parameters === undefined ? [] : [`  parameters: ${zodOf(parameters, 1)},`]),
    ...(effect === 'write' ? [`  effect: 'write',`] : []),
    `  execute: async (${http === undefined && !needed ? '' : `${http === undefined ? `_args` : given}, context`}) => {`,
    ...(http === undefined ? ['    const answer = {}; // Write the code here.'] : requestOf(tool)),
    ...names.map(
      ([variable, path]) =>
        `    context.set(${text(variable)}, ${path === '' ? 'answer' : `at(answer, ${text(path)})`} ?? null);`,
    ),
    '    return answer;',
    '  },',
    '});',
  ];
}

function requestOf({ http, parameters }: ToolStub): readonly string[] {
  if (http === undefined) return [];
  const args = parameters === undefined ? '{}' : 'args';
  const isRead = http.method === 'GET' || http.method === 'HEAD';
  const body = Object.entries(http.body ?? {});
  const sent = [args, ...body.map(([key, value]) => `${text(key)}: ${filledValue(value, args)}`)];
  const query = Object.entries(http.query ?? {});
  const filled = query.map(([key, value]) => `${text(key)}: fill(${text(value)}, ${args}, context)`).join(', ');
  return [
    `    const answer = await request(${text(http.method)}, ${filledUrl(http.url, args)}, {`,
    ...(query.length === 0 && !isRead
      ? []
      : [`      query: { ${filled}${isRead ? `${filled === '' ? '' : ', '}...${args}` : ''} },`]),
    ...(isRead ? [] : [`      body: ${body.length === 0 ? args : `{ ...${sent.join(', ')} }`},`]),
    `      signal: context.signal,`,
    `      key: context.key,`,
    '    });',
  ];
}

/** Returns a value of the document as code; placeholders in its texts are filled in at run time. */
function filledValue(value: unknown, args: string): string {
  if (typeof value === 'string') return value.includes('{{') ? `fill(${text(value)}, ${args}, context)` : text(value);
  if (Array.isArray(value)) return `[${value.map((item) => filledValue(item, args)).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null);
  const members = Object.entries(value).map(([key, member]) => `${text(key)}: ${filledValue(member, args)}`);
  return `{ ${members.join(', ')} }`;
}

/** A placeholder at the start of an address is not encoded, because it is not part of a path. */
function filledUrl(url: string, args: string): string {
  if (!url.includes('{{')) return text(url);
  return `fill(${text(url)}, ${args}, context${url.startsWith('{{') ? '' : ', encodeURIComponent'})`;
}

const requestHelpers = [
  '/** Sends JSON to an address and returns the answer. Throws if the status is not a success. */',
  'async function request(',
  '  method: string,',
  '  url: string,',
  '  { query = {}, body, signal, key }: { query?: object; body?: unknown; signal: AbortSignal; key: string },',
  '): Promise<any> {',
  '  const address = new URL(url);',
  '  for (const [name, value] of Object.entries(query)) address.searchParams.set(name, String(value));',
  '  const response = await fetch(address, {',
  '    method,',
  '    signal,',
  "    headers: { 'content-type': 'application/json', 'idempotency-key': key },",
  '    ...(body === undefined ? {} : { body: JSON.stringify(body) }),',
  '  });',
  '  if (!response.ok) throw new Error(`${address.host} answered ${response.status}`);',
  '  const text = await response.text();',
  "  return text === '' ? {} : JSON.parse(text);",
  '}',
  '',
  '/** Replaces {{ names }} by values of the arguments, then of the flow. */',
  'function fill(',
  '  template: string,',
  '  args: object,',
  '  context: { get(name: string): unknown },',
  '  encode: (value: string) => string = (value) => value,',
  '): string {',
  '  return template.replaceAll(/\\{\\{ ([^{}]+) \\}\\}/g, (_whole, path: string) => {',
  "    const [first = ''] = path.split('.');",
  '    const names = { [first]: Object.hasOwn(args, first) ? Reflect.get(args, first) : context.get(first) };',
  "    return encode(String(at(names, path) ?? ''));",
  '  });',
  '}',
];

const partHelper = [
  '/** Returns the part of an answer at a dotted path. */',
  'function at(answer: any, path: string): any {',
  "  return path.split('.').reduce((part, key) => part?.[key], answer);",
  '}',
];

function text(value: string): string {
  return JSON.stringify(value);
}

/** Keeps a comment on one line. */
function comment(value: string): string {
  return value.replaceAll(/[\r\n\u2028\u2029]+/g, ' ');
}

/**
 * Returns a unique JavaScript name for each tool name. Tool names may differ only in characters that are not letters.
 */
function identifiersOf(names: readonly string[]): readonly string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    const wanted = identifier(name);
    let own = wanted;
    for (let count = 2; taken.has(own); count += 1) own = `${wanted}${count}`;
    taken.add(own);
    return own;
  });
}

function identifier(name: string): string {
  const word = name
    .replaceAll(/[^A-Za-z0-9_]+/g, '_')
    .replaceAll(/_+([a-z0-9])/gi, (_whole, letter: string) => letter.toUpperCase());
  const own = /^[A-Za-z]/.test(word) ? word.charAt(0).toLowerCase() + word.slice(1) : `tool${word}`;
  return reservedWords.has(own) ? `${own}Tool` : own;
}

const reservedWords: ReadonlySet<string> = new Set(
  'break case catch class const continue debugger default delete do else enum export extends false finally for function if import in instanceof let new null package return static super switch this throw true try typeof var void while with yield await fill at request z flowTool fetch encodeURIComponent undefined async let eval arguments implements interface private protected public'.split(
    ' ',
  ),
);

/** Returns a JSON Schema as zod code, as far as zod can express it. The document checks the whole schema. */
function zodOf(schema: Readonly<Record<string, unknown>>, depth: number): string {
  const description = typeof schema['description'] === 'string' ? `.describe(${text(schema['description'])})` : '';
  const values = schema['enum'];
  if (Array.isArray(values) && values.length > 0 && values.every((value) => typeof value === 'string'))
    return `z.enum(${JSON.stringify(values)})${description}`;
  switch (schema['type']) {
    case 'string':
      return `z.string()${description}`;
    case 'number':
      return `z.number()${description}`;
    case 'integer':
      return `z.number().int()${description}`;
    case 'boolean':
      return `z.boolean()${description}`;
    case 'array': {
      const { items } = schema;
      return `z.array(${isRecord(items) && depth < 8 ? zodOf(items, depth + 1) : 'z.unknown()'})${description}`;
    }
    case 'object': {
      const { properties } = schema;
      if (!isRecord(properties) || depth >= 8) return `z.record(z.string(), z.unknown())${description}`;
      const required = Array.isArray(schema['required']) ? schema['required'] : [];
      const lines = Object.entries(properties).map(([name, value]) => {
        const inner = isRecord(value) ? zodOf(value, depth + 1) : 'z.unknown()';
        return `${'  '.repeat(depth + 1)}${text(name)}: ${inner}${required.includes(name) ? '' : '.optional()'},`;
      });
      return `z.object({\n${lines.join('\n')}\n${'  '.repeat(depth)}})${description}`;
    }
    default:
      return `z.unknown()${description}`;
  }
}

import { type CodeTool, functionOf } from '../code-tool.ts';
import type { Draft } from '../draft.ts';
import type { DraftFunction } from '../draft-node.ts';
import { isRecord } from '../pipecat/rewrite.ts';
import { argumentsSchema } from '../schema-of-arguments.ts';
import type { Source } from '../source.ts';
import { templateText } from '../template.ts';
import type { Unique } from '../words.ts';
import { liquidBraces } from './liquid.ts';

/** The line said if the tool fails. */
export interface VapiTool extends CodeTool {
  readonly failure?: string;
}

export function liquidText(draft: Draft, text: string, place: Source): string {
  return templateText(draft, text, place, liquidBraces);
}

/** The name of a tool, from any place that may have it. */
export function toolName(tool: Source, otherwise: string): string {
  const inner = tool.at('function').text('name');
  const outer = tool.text('name');
  // The dashboard's name for a tool without a name.
  const isUntitled = inner === 'untitled_tool';
  return (isUntitled ? (outer ?? otherwise) : (inner ?? outer)) ?? otherwise;
}

/** Reads a tool with code, and records the code to write. */
export function readCode(draft: Draft, tool: Source, type: string): VapiTool {
  const own = tool.at('function');
  const given = toolName(tool, type);
  const text = own.text('description') ?? tool.text('description') ?? '';
  const description = text === '' ? '' : liquidText(draft, text, tool);
  const lines = readMessages(draft, tool);
  const described = argumentsSchema(own.at('parameters').take()) ?? argumentsSchema(tool.at('parameters').take());
  const sets = readExtraction(draft, tool.at('variableExtractionPlan'));
  if (tool.flag('async') === true)
    draft.notes.changed(tool, 'async is not supported; the flow always waits for the result of a function');
  if (isRecord(tool.at('rejectionPlan').take()))
    draft.notes.lost(tool.at('rejectionPlan'), 'rejectionPlan: let the function refuse the call itself');
  const isRequest = type === 'apirequest';
  const method = isRequest ? (tool.text('method') ?? 'POST').toUpperCase() : 'POST';
  const seconds = tool.number('timeoutSeconds') ?? tool.at('server').number('timeoutSeconds');
  const timeoutMs = seconds === undefined || seconds <= 0 ? undefined : Math.round(seconds * 1_000);
  const retries = tool.at('backoffPlan').number('maxRetries');
  tool.at('backoffPlan').take();
  const body = isRequest ? jsonOf(tool.at('body')) : undefined;
  const fixed = fixedValues(draft, body, tool.at('body'));
  const url = tool.text('url') ?? tool.at('server').text('url');
  tellSecrets(draft, tool);
  const effect = isRequest && (method === 'GET' || method === 'HEAD') ? 'read' : 'write';
  const parameters = described ?? argumentsSchema(withoutFixed(body, fixed));
  const name = draft.tool({
    name: given,
    description,
    ...(parameters === undefined ? {} : { parameters }),
    effect,
    ...(url === undefined
      ? {}
      : {
          http: {
            method,
            url: liquidText(draft, url, tool),
            headers: headerNames(tool),
            ...(Object.keys(fixed).length === 0 ? {} : { body: fixed }),
            ...(timeoutMs === undefined ? {} : { timeoutMs }),
          },
        }),
    sets,
    notes: notesOf(draft, tool, type),
  });
  return {
    name,
    description,
    ...(parameters === undefined ? {} : { parameters }),
    effect,
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(retries === undefined || retries < 1 ? {} : { retries }),
    ...lines,
  };
}

/** Converts a tool with code to a function that stays in its node, or leads to another. */
export function codeFunction(tool: VapiTool, names: Unique, to?: string): DraftFunction {
  return { ...functionOf(tool, to), name: names.next(tool.name) };
}

/** The members of a body with a fixed value, which the model does not give. */
function fixedValues(draft: Draft, body: unknown, place: Source): Readonly<Record<string, unknown>> {
  const properties = isRecord(body) && isRecord(body['properties']) ? body['properties'] : {};
  const fixed: Record<string, unknown> = {};
  for (const [key, schema] of Object.entries(properties)) {
    if (!isRecord(schema) || schema['value'] === undefined || schema['value'] === null) continue;
    const { value } = schema;
    fixed[key] = typeof value === 'string' ? liquidText(draft, value, place) : value;
    draft.notes.taken(place, `the request sends ${key} with the value that stands in the file`);
  }
  return fixed;
}

function withoutFixed(body: unknown, fixed: Readonly<Record<string, unknown>>): unknown {
  if (!isRecord(body) || !isRecord(body['properties'])) return body;
  const asked = Object.entries(body['properties']).filter(([key]) => !Object.hasOwn(fixed, key));
  return { ...body, properties: Object.fromEntries(asked) };
}

/** A body or headers may be JSON Schema, or JSON Schema as text. */
function jsonOf(part: Source): unknown {
  const value = part.take();
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return undefined;
  }
}

function headerNames(tool: Source): readonly string[] {
  const headers = tool.at('headers').value;
  const named = isRecord(headers) && isRecord(headers['properties']) ? headers['properties'] : headers;
  return isRecord(named) ? Object.keys(named).filter((key) => !['type', 'properties', 'required'].includes(key)) : [];
}

function tellSecrets(draft: Draft, tool: Source): void {
  const names = headerNames(tool);
  tool.at('headers').take();
  const server = tool.at('server');
  server.text('url');
  for (const key of ['headers', 'secret', 'credentialId', 'backoffPlan', 'timeoutSeconds']) server.at(key).take();
  if (names.length > 0)
    draft.notes.changed(tool, `values of headers are left out, since they may be secrets: ${names.join(', ')}`);
  for (const key of ['credentialId', 'encryptionPlan', 'secret'])
    if (tool.at(key).take() !== undefined) draft.notes.lost(tool.at(key), `"${key}": keep it with your function`);
}

/** The lines of a tool: one while it runs, and one if it has failed. */
export function readMessages(draft: Draft, tool: Source): { readonly line?: string; readonly failure?: string } {
  const found: { line?: string; failure?: string } = {};
  for (const message of tool.items('messages')) {
    const type = message.text('type') ?? '';
    const text = message.text('content') ?? message.at('contents').items(0)[0]?.text('text');
    message.take();
    if (text === undefined) continue;
    const ours = liquidText(draft, text, message);
    if (type === 'request-start') found.line ??= ours;
    else if (type === 'request-failed') found.failure ??= ours;
    else
      draft.notes.lost(
        message,
        `the line at ${type || 'some point'} of a tool: the model speaks once it has the result`,
      );
  }
  return found;
}

/** Variables that an answer sets: aliases with Liquid paths, and the properties of a schema. */
function readExtraction(draft: Draft, plan: Source): Readonly<Record<string, string>> {
  const sets: Record<string, string> = {};
  for (const alias of plan.items('aliases')) {
    const key = alias.text('key');
    const value = alias.text('value');
    if (key === undefined || value === undefined) continue;
    const inside = /^\s*\{\{\s*([^{}|]+?)\s*(\|.*)?\}\}\s*$/s.exec(value);
    const path = (inside?.[1] ?? '')
      .replace(/^\$\.?/, '')
      .replaceAll(/\[["']?([^\]"']*)["']?\]/g, '.$1')
      .replace(/^\./, '');
    if (inside === null || inside[2] !== undefined)
      draft.notes.changed(alias, `the value of ${key} is computed: write it in the function`);
    sets[draft.name(key, 'set')] = path;
  }
  const schema = plan.at('schema').take();
  const properties = isRecord(schema) && isRecord(schema['properties']) ? Object.keys(schema['properties']) : [];
  for (const key of properties) sets[draft.name(key, 'set')] ??= key;
  for (const output of plan.items('output')) {
    const key = output.text('title');
    output.take();
    if (key !== undefined) sets[draft.name(key, 'set')] ??= key;
  }
  return sets;
}

function notesOf(draft: Draft, tool: Source, type: string): readonly string[] {
  if (type === 'function' || type === 'apirequest') return [];
  draft.notes.changed(tool, `a tool of type "${type}", which Vapi runs, is a function to write`);
  const code = tool.text('code');
  const rest = ['metadata', 'mcp', 'server', 'knowledgeBases'].flatMap((key) => (tool.has(key) ? [`${key}: …`] : []));
  for (const key of ['metadata', 'knowledgeBases', 'environmentVariables', 'subType', 'toolMessages'])
    tool.at(key).take();
  return [
    `A tool of Vapi of type "${type}".`,
    ...rest,
    ...(code === undefined ? [] : ['Its code in Vapi:', ...code.split('\n')]),
  ];
}

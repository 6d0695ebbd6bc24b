import type { ConversationDocument } from '../../document/document.ts';
import type { Json, JsonObject } from '../../../model/json.ts';
import type { DocumentTool, HttpRequestDocument } from '../../document/tools/http-tool.ts';
import { wordSchema } from '../../document/function.ts';
import type { DocumentPath } from '../../document/problems/diagnostic.ts';
import { suggestion } from '../../document/problems/suggestion.ts';
import { type AllowedHosts, type HttpTool, placeholderOf, placeholders } from '../http-tool.ts';
import { addProblem, type Report } from '../report.ts';
import { schemaCheck } from '../schema-check.ts';
import type { Registered } from './registered.ts';

/** Compiles the tools of a document. A registered tool of the same name replaces one, as in a test. */
export function httpToolsOf(
  report: Report,
  document: Pick<ConversationDocument, 'tools' | 'nodes' | 'functions' | 'slots' | 'state' | 'input'>,
  registered: Registered,
): ReadonlyMap<string, HttpTool> {
  const { tools = {} } = document;
  const values = flowNames(document);
  const compiled = Object.entries(tools).flatMap(([name, { http, openapi, ...tool }]) => {
    const path = ['tools', name];
    if ((http === undefined) === (openapi === undefined))
      addProblem(report, 'error', 'invalid-request', path, 'the tool needs either "http" or "openapi".', {
        hint: 'Keep one of them.',
        atKey: true,
      });
    // An operation that could not be read is reported by the loader.
    if (http === undefined) return [];
    if (!wordSchema.safeParse(name).success)
      addProblem(report, 'error', 'invalid-request', path, `"${name}" is not a name of a function.`, {
        hint: 'Use letters, digits and "_".',
        atKey: true,
      });
    // A registered tool sends nothing for the document.
    const hosts = registered.functions?.has(name) === true ? undefined : registered.hosts;
    return [[name, httpToolOf(report, { ...tool, http }, path, hosts, values)] as const];
  });
  return new Map(compiled);
}

/** Returns the registrations with the tools of the document. */
export function withHttpTools<Given extends Registered>(
  registered: Given,
  tools: ReadonlyMap<string, HttpTool>,
): Given {
  if (tools.size === 0) return registered;
  return { ...registered, own: tools, declared: new Map([...(registered.declared ?? []), ...tools]) };
}

function httpToolOf(
  report: Report,
  {
    description = '',
    parameters,
    effect,
    http,
  }: Omit<DocumentTool, 'openapi'> & { readonly http: HttpRequestDocument },
  path: DocumentPath,
  hosts: AllowedHosts | undefined,
  values: readonly string[],
): HttpTool {
  const origin = originOf(http.url);
  const at = [...path, 'http'];
  if (origin === null)
    addProblem(report, 'error', 'invalid-request', [...at, 'url'], 'the address has no host that is written out.', {
      hint: 'Write it like https://api.example.com/items/{{ args.item }}.',
    });
  else reportHost(report, origin, [...at, 'url'], hosts);
  const names = { values, args: propertyNames(parameters), secrets: hosts?.[origin ?? '']?.secrets };
  reportPlaceholders(report, http, at, names);
  const result = (http.result ?? null) as JsonObject | null; // JSON by the loader's contract.
  for (const { path: below, message } of result === null ? [] : schemaCheck(result).faults)
    addProblem(report, 'error', 'invalid-request', [...at, 'result', ...below], message);
  const method = http.method ?? 'GET';
  return {
    description,
    parameters: { type: 'object', ...((parameters ?? { properties: {} }) as JsonObject) },
    ...((effect ?? (method === 'GET' ? 'read' : 'write')) === 'write' ? { writes: true } : {}),
    ...{ method, origin: origin ?? '', url: http.url, result, headers: http.headers ?? {} },
    query: (http.query ?? {}) as Record<string, Json>,
    body: http.body as Json | undefined,
    idempotencyHeader: http.idempotencyHeader ?? 'Idempotency-Key',
  };
}

/** Returns the origin of an address whose host has no placeholder; null if there is none. */
function originOf(url: string): string | null {
  const [, start] = /^(https?:\/\/[^/?#{}@\\\s]+)(?:[/?#]|$)/i.exec(url) ?? [];
  return start !== undefined && URL.canParse(start) ? new URL(start).origin : null;
}

function reportHost(report: Report, origin: string, path: DocumentPath, hosts: AllowedHosts | undefined): void {
  if (hosts === undefined || Object.hasOwn(hosts, origin)) return;
  const hint = suggestion(origin, Object.keys(hosts)) ?? `Add it to httpTools in agent.config.ts: '${origin}': {}.`;
  addProblem(report, 'error', 'host-not-allowed', path, `requests to ${origin} are not allowed.`, { hint });
}

interface Names {
  readonly args: readonly string[];
  readonly values: readonly string[];
  /** Undefined if the configuration is not known. */
  readonly secrets: readonly string[] | undefined;
}

function reportPlaceholders(report: Report, http: HttpRequestDocument, path: DocumentPath, names: Names): void {
  for (const key of ['url', 'query', 'headers', 'body'] as const) {
    const visit = (value: unknown, at: DocumentPath): void => {
      if (typeof value === 'string') reportText(report, value, at, names);
      else if (typeof value === 'object' && value !== null)
        for (const [member, one] of Object.entries(value))
          visit(one, [...at, Array.isArray(value) ? Number(member) : member]);
    };
    visit(http[key], [...path, key]);
  }
}

function reportText(report: Report, text: string, path: DocumentPath, { args, values, secrets }: Names): void {
  for (const [whole, inside = ''] of text.matchAll(placeholders)) {
    const found = placeholderOf(inside);
    const [name = ''] = found?.path ?? [];
    const fault = (fact: string, hint: string): void =>
      addProblem(report, 'error', 'invalid-request', path, fact, { hint });
    if (found === null)
      fault(`${whole} is not a placeholder.`, 'Write {{ args.NAME }}, {{ env.NAME }} or the name of a value.');
    else if (found.kind === 'args' && !args.includes(name))
      fault(`${whole} names no parameter of the tool.`, suggestion(name, args) ?? `Add ${name} to its parameters.`);
    else if (found.kind === 'flow' && !values.includes(name))
      fault(
        `${whole} is not a value of the flow.`,
        suggestion(name, values) ?? `Write {{ args.${name} }} for an argument.`,
      );
    else if (found.kind === 'env' && secrets?.includes(name) === false)
      fault(`${name} may not be sent to this host.`, 'Add it to secrets of the host in httpTools.');
  }
}

function propertyNames(parameters: DocumentTool['parameters']): readonly string[] {
  const properties = parameters?.['properties'];
  return typeof properties === 'object' && properties !== null ? Object.keys(properties) : [];
}

/** Returns the names of a flow's values: slots, variables, inputs, stored results and outputs of nodes. */
function flowNames({
  nodes,
  functions = [],
  slots = {},
  state = {},
  input = {},
}: Pick<ConversationDocument, 'nodes' | 'functions' | 'slots' | 'state' | 'input'>): readonly string[] {
  const listed = Array.isArray(nodes) ? nodes : Object.values(nodes);
  const ids = Array.isArray(nodes) ? nodes.flatMap(({ id }) => id ?? []) : Object.keys(nodes);
  const saved = [...functions, ...listed.flatMap((node) => node.functions ?? [])].flatMap(({ saveAs }) => saveAs ?? []);
  return [...Object.keys(slots), ...Object.keys(state), ...Object.keys(input), ...ids, ...saved];
}

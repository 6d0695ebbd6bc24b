import { FlowError } from '../../../model/errors.ts';
import type { Json, JsonObject } from '../../../model/json.ts';
import { ownValue } from '../../../flow/expression/own-value.ts';
import { type AllowedHosts, type HttpTool, placeholderOf, placeholders } from '../../../flow/graph/http-tool.ts';
import { schemaCheck } from '../../../flow/graph/schema-check.ts';
import type { FlowToolContext } from '../flow-tool.ts';
import { parsedJson } from '../parsed-json.ts';
import { toolError } from '../tool-error.ts';
import { type Answer, type FilledRequest, sendRequest } from './send-request.ts';

/** The hosts and the environment that requests of tools may use. */
export interface HttpToolWorld {
  readonly hosts: AllowedHosts;
  readonly env: Readonly<Record<string, string | undefined>>;
}

type Fill = (inside: string) => Json | undefined;

/**
 * Sends the request of a tool and returns its answer. Throws `config-invalid` for a host or a secret that is not allowed,
 * and a ToolError for an answer that is not a success, not JSON, or does not fit the declared result.
 */
export async function runHttpTool(
  tool: HttpTool,
  given: JsonObject,
  { key, signal, get }: Pick<FlowToolContext, 'key' | 'signal' | 'get'>,
  isWrite: boolean,
  { hosts, env }: HttpToolWorld,
): Promise<Json> {
  const host = Object.hasOwn(hosts, tool.origin) ? hosts[tool.origin] : undefined;
  if (host === undefined)
    throw new FlowError('config-invalid', `requests to ${tool.origin} are not allowed. Add it to httpTools.`);
  const fill: Fill = (inside) => {
    const found = placeholderOf(inside);
    if (found === null) return undefined;
    const [name = '', ...rest] = found.path;
    if (found.kind === 'args') return valueAt(given, found.path);
    if (found.kind === 'flow') return valueAt(get(name), rest);
    const secret = host.secrets?.includes(name) === true ? env[name] : undefined;
    if (secret !== undefined && secret !== '') return secret;
    throw new FlowError('config-invalid', `${name} is not set, or not among the secrets of ${tool.origin}.`);
  };
  const request = filled(tool, fill, isWrite ? key : null);
  // The outcome of an abandoned write must be known before the next attempt.
  const choice = { allowPrivate: host.private === true, signal: isWrite ? null : signal };
  return valueOfAnswer(await sendRequest(request, choice), tool.result);
}

function filled(tool: HttpTool, fill: Fill, key: string | null): FilledRequest {
  const url = new URL(tool.url.replaceAll(placeholders, (_whole, inside: string) => segment(fill(inside), inside)));
  // A defence in depth: segments are encoded.
  if (url.origin !== tool.origin) throw toolError('The arguments change the host of the request.');
  for (const [name, value] of Object.entries(tool.query)) {
    const one = valueOf(value, fill);
    if (one !== undefined && one !== null) url.searchParams.append(name, textOf(one));
  }
  const body = tool.body === undefined ? null : JSON.stringify(valueOf(tool.body, fill) ?? null);
  const headers = Object.entries(tool.headers).flatMap(([name, text]) => {
    const value = valueOf(text, fill);
    return value === undefined || value === null ? [] : [[name.toLowerCase(), headerValue(textOf(value))]];
  });
  return {
    ...{ method: tool.method, url, body },
    headers: {
      accept: 'application/json',
      ...(body === null ? {} : { 'content-type': 'application/json' }),
      ...(Object.fromEntries(headers) as Record<string, string>),
      ...(body === null ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
      ...(key === null ? {} : { [tool.idempotencyHeader.toLowerCase()]: key }),
    },
  };
}

/** Encodes an argument as a part of the path. */
function segment(value: Json | undefined, inside: string): string {
  const text = value === undefined || value === null ? '' : textOf(value);
  if (/^\.{0,2}$/.test(text))
    throw toolError(`The request needs ${inside.replace(/^args\./, '')}. Call again with it.`);
  return encodeURIComponent(text);
}

function headerValue(text: string): string {
  return text.replaceAll(/[^\t\u0020-\u007e\u00a0-\u00ff]/g, ' ');
}

/** Fills in a value. A text that is one placeholder becomes the argument; a missing argument leaves a member out. */
function valueOf(value: Json, fill: Fill): Json | undefined {
  if (typeof value === 'string') {
    const [whole, inside = ''] = /^\{\{\s*([^{}]*?)\s*\}\}$/.exec(value) ?? [];
    if (whole !== undefined) return fill(inside);
    return value.replaceAll(placeholders, (_whole, one: string) => textOf(fill(one) ?? ''));
  }
  if (Array.isArray(value)) {
    const list: readonly Json[] = value; // `Array.isArray` types it as any.
    return list.flatMap((one) => valueOf(one, fill) ?? []);
  }
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).flatMap(([name, one]) => {
    const member = valueOf(one, fill);
    return member === undefined ? [] : [[name, member] as const];
  });
  return Object.fromEntries(members);
}

function valueAt(given: Json | undefined, path: readonly string[]): Json | undefined {
  let value: unknown = given;
  for (const name of path) value = ownValue(value, name);
  return value as Json | undefined; // A part of JSON.
}

function textOf(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function valueOfAnswer({ status, contentType, text }: Answer, result: JsonObject | null): Json {
  if (status >= 300 && status < 400)
    throw toolError(`The service answered with status ${status}, a redirect, which is not followed.`);
  if (status < 200 || status >= 300) throw toolError(`The service answered with status ${status}.`);
  const value = text.trim() === '' ? null : parsed(text, contentType);
  if (result !== null && schemaCheck(result).violations(value).length > 0)
    throw toolError('The answer of the service does not fit the result that the flow declares.');
  return value;
}

function parsed(text: string, contentType: string): Json {
  const value = /^application\/(?:[\w.-]+\+)?json\b/i.test(contentType) ? parsedJson(text) : undefined;
  if (value === undefined) throw toolError('The service did not answer with JSON.');
  return value;
}

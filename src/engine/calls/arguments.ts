import type { JsonObject } from '../../model/json.ts';
import { lossyNumber } from '../../model/ports/lossy-numbers.ts';
import type { GraphFunction } from '../../flow/graph/graph.ts';
import { schemaCheck } from '../../flow/graph/schema-check.ts';
import { depthOf, repeatedKey } from './json-shape.ts';
import { cutText, defaultLimits, type Limits } from '../limits.ts';

/** The parts of a function that its arguments are checked against. */
type Taking = Pick<GraphFunction, 'body' | 'parameters'> & Partial<Pick<GraphFunction, 'write'>>;

export type Arguments =
  | { readonly ok: true; readonly value: JsonObject }
  | { readonly ok: false; readonly error: string };

/**
 * Parses a model's arguments: JSON that fits the function's schema, or an error from which the model
 * can correct its call. Nothing is repaired, because a truncated amount must not become another
 * amount. One extra wrapping is removed, except for a write. `inForm` applies further allowed changes.
 */
export function readArguments(
  offered: Taking,
  raw: string,
  limits: Limits = defaultLimits,
  inForm: (given: unknown) => unknown = (given) => given,
): Arguments {
  const unread = tooMuch(raw, limits);
  if (unread !== null) return { ok: false, error: unread };
  let value: unknown;
  try {
    value = raw.trim() === '' ? {} : JSON.parse(raw);
  } catch {
    return { ok: false, error: 'The arguments are no valid JSON. Call again with complete arguments.' };
  }
  if (lossyNumber(raw) !== null)
    return { ok: false, error: 'The arguments hold a number that would lose digits. Call again, with it as a text.' };
  if (offered.write !== true) value = inForm(unwrapped(value, offered, limits));
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { ok: false, error: 'The arguments must be one JSON object. Call again.' };
  // `JSON.parse` keeps the last of two equal keys; the model may have meant the other value.
  const repeated = offered.write === true ? repeatedKey(raw) : null;
  if (repeated !== null)
    return {
      ok: false,
      error: `The arguments name "${cutText(repeated, 100)}" twice. Call again, with one value for it.`,
    };
  // The kernel reads each slot by its own rules and rejects single values, not the whole call.
  const given = value as JsonObject; // Parsed by `JSON.parse`.
  const problem = offered.body === 'record' ? null : violation(offered, given);
  if (problem !== null) return { ok: false, error: `The arguments do not fit: ${problem}. Call again.` };
  return { ok: true, value: given };
}

/** Names under which models wrap all arguments. */
const wrappers: ReadonlySet<string> = new Set(['arguments', 'args', 'parameters', 'params', 'input', 'kwargs']);

/** Removes the wrapping that small models add: JSON in a string, a list of one, or an object with one key. */
function unwrapped(value: unknown, { parameters }: Taking, limits: Limits): unknown {
  const inner = parsedOnce(value, limits);
  if (inner === null || inner === '' || (Array.isArray(inner) && inner.length === 0)) return {};
  if (Array.isArray(inner)) return inner.length === 1 ? (inner[0] as unknown) : inner;
  if (typeof inner !== 'object') return inner;
  const [only, ...more] = Object.entries(inner);
  if (only === undefined || more.length > 0 || !wrappers.has(only[0])) return inner;
  const declared = parameters['properties'];
  if (typeof declared === 'object' && declared !== null && Object.hasOwn(declared, only[0])) return inner;
  const held = parsedOnce(only[1], limits);
  return typeof held === 'object' && held !== null ? held : inner;
}

function parsedOnce(value: unknown, limits: Limits): unknown {
  if (typeof value !== 'string' || tooMuch(value, limits) !== null || lossyNumber(value) !== null) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

/** Returns why a text must not be parsed; null if it may be. */
function tooMuch(raw: string, { argumentDepth, resultBytes }: Limits): string | null {
  if (Buffer.byteLength(raw) > resultBytes)
    return `The arguments are too long: at most ${resultBytes} bytes. Call again with less.`;
  if (depthOf(raw) > argumentDepth)
    return `The arguments are nested too deep: at most ${argumentDepth} levels. Call again with simpler ones.`;
  return null;
}

/** Returns the error from which a model can correct its call: each path and the violated rule. */
function violation(offered: Taking, value: JsonObject): string | null {
  const found = schemaCheck(offered.parameters).violations(value);
  const texts = found.map(({ path, message }) => (path.length === 0 ? message : `${path.join('.')}: ${message}`));
  if (texts.length === 0) return null;
  const more = texts.length > mostTold ? `; and ${texts.length - mostTold} more` : '';
  return `${texts.slice(0, mostTold).join('; ')}${more}`;
}

/** How many paths one error names. */
const mostTold = 8;

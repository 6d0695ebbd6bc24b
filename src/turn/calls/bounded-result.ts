import type { Json } from '../../events/json.ts';
import { cutText } from '../engine/limits.ts';

/** A value that is kept and shown within bounds, and how many bytes it had before, where it was cut. */
export interface BoundedResult {
  readonly result: Json;
  readonly cutFrom?: number;
}

/** Values below this depth are cut, so that code that walks a value does not overflow its stack. */
const deepest = 100;

/**
 * A function's result within so many bytes of JSON: a text keeps its beginning; objects and lists keep their shape, and
 * their long texts and lists are shortened as far as it takes.
 */
export function boundedResult(result: Json, mostBytes: number): BoundedResult {
  const bytes = Buffer.byteLength(JSON.stringify(result));
  const isDeep = isDeeperThan(result, deepest);
  if (bytes <= mostBytes && !isDeep) return { result };
  // Each round halves the room of single texts and lists, until the whole fits.
  for (let room = mostBytes; room >= 1; room = Math.floor(room / 2)) {
    const cut = shortened(result, room, deepest);
    if (Buffer.byteLength(JSON.stringify(cut)) <= mostBytes) return { result: cut, cutFrom: bytes };
  }
  return { result: null, cutFrom: bytes };
}

/** What the model reads behind the result of a function that was cut. */
export function cutNote(cutFrom: number): string {
  return `[The result was too long (${cutFrom} bytes) and was cut: texts and lists in it may be incomplete.]`;
}

function shortened(value: Json, room: number, depth: number): Json {
  if (typeof value === 'string') return cutText(value, room);
  if (typeof value !== 'object' || value === null) return value;
  if (depth === 0) return null;
  // A member takes some bytes besides what it holds.
  const members = Math.max(1, Math.floor(room / 16));
  if (Array.isArray(value)) {
    const list: readonly Json[] = value; // Array.isArray makes it any.
    return list.slice(0, members).map((one) => shortened(one, room, depth - 1));
  }
  const entries = Object.entries(value).slice(0, members);
  return Object.fromEntries(
    entries.map(([key, one]) => [cutText(key, Math.max(room, 64)), shortened(one, room, depth - 1)]),
  );
}

function isDeeperThan(value: Json, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (depth === 0) return true;
  return Object.values(value).some((one) => isDeeperThan(one, depth - 1));
}

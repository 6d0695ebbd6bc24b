import type { Json } from '../../model/json.ts';
import { cutText } from '../limits.ts';

/** A value within size limits, with its original size in bytes if it was cut. */
export interface BoundedResult {
  readonly result: Json;
  readonly cutFrom?: number;
}

/** Deeper values are cut, so that recursive code does not overflow the stack. */
const deepest = 100;

/**
 * Limits a function's result to `mostBytes` of JSON. A text keeps its beginning. Objects
 * and lists keep their shape; their long texts and lists are shortened as needed.
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

/** Returns the note for the model after a result that was cut. */
export function cutNote(cutFrom: number): string {
  return `[The result was too long (${cutFrom} bytes) and was cut: texts and lists in it may be incomplete.]`;
}

function shortened(value: Json, room: number, depth: number): Json {
  if (typeof value === 'string') return cutText(value, room);
  if (typeof value !== 'object' || value === null) return value;
  if (depth === 0) return null;
  // A member takes some bytes besides its value.
  const members = Math.max(1, Math.floor(room / 16));
  if (Array.isArray(value)) {
    const list: readonly Json[] = value; // `Array.isArray` types it as any.
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

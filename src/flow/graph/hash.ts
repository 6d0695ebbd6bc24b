import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import type { JsonObject } from '../../model/json.ts';

/** The identity of a JSON value: equal values have equal hashes, whatever the order of their keys. 128 bits, hex. */
export function hashOf(value: unknown): string {
  return sha256Of(canonical(value)).slice(0, 32);
}

/**
 * The identity of the facts that somebody is shown who resolves a wait: SHA-256, as hex, of their JSON with sorted keys.
 */
export function factsHashOf(facts: JsonObject): string {
  return sha256Of(canonical(facts));
}

/** JSON with sorted keys and without undefined members: one text for one value. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const members: string[] = [];
  for (const key of Object.keys(value).toSorted()) {
    const member = (value as Record<string, unknown>)[key]; // Own keys only: they come from Object.keys.
    if (member !== undefined) members.push(`${JSON.stringify(key)}:${canonical(member)}`);
  }
  return `{${members.join(',')}}`;
}

/** Not of `node:crypto`: a page that folds a session hashes what it compiles, within a step, and gets the same. */
function sha256Of(text: string): string {
  return bytesToHex(sha256(new TextEncoder().encode(text)));
}

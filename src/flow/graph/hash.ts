import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import type { JsonObject } from '../../model/json.ts';

/** Returns the identity of a JSON value, independent of key order: 128 bits in hex. */
export function hashOf(value: unknown): string {
  return sha256Of(canonical(value)).slice(0, 32);
}

/**
 * Returns the identity of the facts that a person sees when resolving a wait: SHA-256 in hex of their JSON with sorted
 * keys.
 */
export function factsHashOf(facts: JsonObject): string {
  return sha256Of(canonical(facts));
}

/** Returns JSON with sorted keys and without undefined members: one text per value. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const members: string[] = [];
  for (const key of Object.keys(value).toSorted()) {
    const member = (value as Record<string, unknown>)[key]; // The keys come from Object.keys.
    if (member !== undefined) members.push(`${JSON.stringify(key)}:${canonical(member)}`);
  }
  return `{${members.join(',')}}`;
}

/** Does not use `node:crypto`, so a web page that folds a session gets the same hashes synchronously. */
function sha256Of(text: string): string {
  return bytesToHex(sha256(new TextEncoder().encode(text)));
}

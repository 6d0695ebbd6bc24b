/** A value that survives JSON. Signals, effects and states contain nothing else. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** A JSON object. Read only its own properties. */
export interface JsonObject {
  readonly [key: string]: Json;
}

/** Checks whether a value is an object and no list. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Checks whether a JSON value is an object. */
export function isJsonObject(value: Json): value is JsonObject {
  return isRecord(value);
}

/** Returns a value as an object; empty if it is not one. */
export function jsonObjectOf(value: unknown): JsonObject {
  return value !== undefined && isJsonObject(value as Json) ? (value as JsonObject) : {}; // Read from JSON.
}

/** Returns a value as a list; empty if it is not one. */
export function jsonListOf(value: unknown): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : []; // Array.isArray types it as any.
}

/** A value that survives JSON. Signals, effects and states contain nothing else. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** A JSON object. Read only its own properties. */
export interface JsonObject {
  readonly [key: string]: Json;
}

/** Checks whether a JSON value is an object. */
export function isJsonObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

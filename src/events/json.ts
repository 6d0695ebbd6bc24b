/** A value that survives JSON: all that a signal, an effect or a state may hold. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** A JSON object; read it by own properties only. */
export interface JsonObject {
  readonly [key: string]: Json;
}

/** Whether a JSON value is an object. */
export function isJsonObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

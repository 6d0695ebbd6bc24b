import { depthOf } from '../../engine/calls/json-shape.ts';
import { defaultLimits } from '../../engine/limits.ts';
import type { Json } from '../../model/json.ts';

/** Parses the text of a service; undefined if it is not JSON, or nested deeper than arguments may be. */
export function parsedJson(text: string): Json | undefined {
  if (depthOf(text) > defaultLimits.argumentDepth) return undefined;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

import type { JsonObject } from '../../../model/json.ts';
import { recordFunctionName } from '../../document/function.ts';
import { isTimeOfDay } from '../../slots/bounds.ts';
import { typeOf } from '../../slots/slot-types.ts';
import type { GraphFunction, GraphSlot } from '../graph.ts';
import { plainFunction } from './plain-function.ts';
import { nameWords } from '../../../model/ports/name-words.ts';

/**
 * Returns the function by which a model records values: any slots, in any node, including corrections, with the
 * requested slots `first`. Null for a flow without slots.
 */
export function recordFunction(
  slots: ReadonlyMap<string, GraphSlot>,
  first: readonly string[] = [],
): GraphFunction | null {
  if (slots.size === 0) return null;
  const properties: Record<string, JsonObject> = {};
  const names = new Set([...first.filter((name) => slots.has(name)), ...slots.keys()]);
  for (const slot of [...names].flatMap((name) => slots.get(name) ?? []))
    Object.defineProperty(properties, slot.name, { value: slotParameter(slot), enumerable: true });
  return {
    ...plainFunction,
    name: recordFunctionName,
    description: 'Keep what the caller says or corrects, also beside another function. Only what was really said.',
    parameters: { type: 'object', properties, additionalProperties: false },
    body: 'record',
    handler: recordFunctionName,
    cancelOnInterruption: true,
  };
}

/** Returns the JSON Schema by which a model passes a slot's value. */
export function slotParameter(slot: GraphSlot): JsonObject {
  const description = descriptionOf(slot);
  const described = description === '' ? {} : { description };
  const { schema, limits } = typeOf(slot);
  return { ...schema(slot), ...described, ...limits?.(slot) };
}

/**
 * Describes a slot beyond its name and type: the author's description, otherwise its question; the synonyms of values;
 * and its bounds. Only statements: a bare question would make a model ask it.
 */
function descriptionOf(slot: GraphSlot): string {
  const parts = [slot.description === '' ? meaningOf(slot) : slot.description];
  for (const [value, words] of slot.values) if (words.length > 0) parts.push(`${value}: ${words.join(', ')}.`);
  parts.push(typeOf(slot).hint?.(slot) ?? '');
  if (slot.before !== null) parts.push(`Must be before ${slot.before}.`);
  if (slot.after !== null) parts.push(afterBound(slot.after));
  return parts.filter((part) => part !== '').join(' ');
}

function afterBound(after: string): string {
  return isTimeOfDay(after) ? `Must be ${after} or later.` : `Must be after ${after}.`;
}

/** Describes a slot by its question. */
function meaningOf(slot: GraphSlot): string {
  const { name, ask } = slot;
  if (ask !== null) return `${answerTo}"${ask.texts[0].source.trim()}".`;
  return typeOf(slot).isPersonal === true ? `The caller's ${nameWords(name)}.` : '';
}

/** Beginning of a description by question. */
export const answerTo = 'The answer to ';

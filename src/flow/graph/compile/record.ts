import type { JsonObject } from '../../../model/json.ts';
import { recordFunctionName } from '../../document/function.ts';
import { typeOf } from '../../slots/slot-types.ts';
import type { GraphFunction, GraphSlot } from '../graph.ts';
import { plainFunction } from './plain-function.ts';
import { nameWords } from '../../../model/ports/name-words.ts';

/**
 * The function by which a model keeps what it heard: any slots at once, in any node, corrections included, those that are
 * asked for `first`. Null for a flow without slots.
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

/** The JSON Schema by which a model hands a slot's value over. */
export function slotParameter(slot: GraphSlot): JsonObject {
  const description = descriptionOf(slot);
  const described = description === '' ? {} : { description };
  const { schema, limits } = typeOf(slot);
  return { ...schema(slot), ...described, ...limits?.(slot) };
}

/**
 * What name and type alone do not say: the author's words, else what it is the answer to, what else means each value, and
 * the bounds. All of it are statements: a bare question invites a model to ask it.
 */
function descriptionOf(slot: GraphSlot): string {
  const parts = [slot.description === '' ? meaningOf(slot) : slot.description];
  for (const [value, words] of slot.values) if (words.length > 0) parts.push(`${value}: ${words.join(', ')}.`);
  parts.push(typeOf(slot).hint?.(slot) ?? '');
  if (slot.before !== null) parts.push(`Must be before ${slot.before}.`);
  if (slot.after !== null) parts.push(`Must be after ${slot.after}.`);
  return parts.filter((part) => part !== '').join(' ');
}

/** What a slot is where its author says no more than how it is asked for. */
function meaningOf(slot: GraphSlot): string {
  const { name, ask } = slot;
  if (ask !== null) return `${answerTo}"${ask.texts[0].source.trim()}".`;
  return typeOf(slot).isPersonal === true ? `The caller's ${nameWords(name)}.` : '';
}

/** How the description of a slot begins that is told by its question. */
export const answerTo = 'The answer to ';

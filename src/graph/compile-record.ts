import type { JsonObject } from '../events/json.ts';
import { recordFunctionName } from '../flow/function.ts';
import type { GraphFunction, GraphSlot } from './graph.ts';
import { plainFunction } from './plain-function.ts';

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
  switch (slot.type) {
    case 'number':
    case 'integer':
      return {
        type: slot.type,
        ...described,
        ...(slot.minimum === null ? {} : { minimum: slot.minimum }),
        ...(slot.maximum === null ? {} : { maximum: slot.maximum }),
      };
    case 'boolean':
      return { type: 'boolean', ...described };
    case 'enum':
      return { type: 'string', enum: [...slot.values.keys()], ...described };
    case 'date':
      return { type: 'string', format: 'date', ...described };
    case 'time':
      return { type: 'string', format: 'time', ...described };
    case 'email':
      return { type: 'string', format: 'email', ...described, ...patternOf(slot) };
    case 'phone':
      return { type: 'string', format: 'phone', ...described };
    case 'name':
    case 'text':
      return { type: 'string', ...described, ...patternOf(slot) };
  }
}

function patternOf({ pattern }: GraphSlot): JsonObject {
  return pattern?.ok === true ? { pattern: pattern.source } : {};
}

/**
 * What name and type alone do not say: the author's words, else what it is the answer to, what else means each value, and
 * the bounds. All of it are statements: a bare question invites a model to ask it.
 */
function descriptionOf(slot: GraphSlot): string {
  const parts = [slot.description === '' ? meaningOf(slot) : slot.description];
  for (const [value, words] of slot.values) if (words.length > 0) parts.push(`${value}: ${words.join(', ')}.`);
  if (slot.type === 'date') parts.push('YYYY-MM-DD; leave it out unless day, month and year were said or are certain.');
  if (slot.type === 'time') parts.push('HH:MM, 24 hours.');
  if (slot.before !== null) parts.push(`Must be before ${slot.before}.`);
  if (slot.after !== null) parts.push(`Must be after ${slot.after}.`);
  if (slot.type === 'phone') parts.push(`Without a country code it is read as one of ${slot.region}.`);
  return parts.filter((part) => part !== '').join(' ');
}

/** What a slot is where its author says no more than how it is asked for. */
function meaningOf({ name, type, ask }: GraphSlot): string {
  if (ask !== null) return `${answerTo}"${ask.texts[0].source.trim()}".`;
  const isPersons = type === 'name' || type === 'phone' || type === 'email';
  return isPersons ? `The caller's ${name.replaceAll(/[_-]+/g, ' ')}.` : '';
}

/** How the description of a slot begins that is told by its question. */
export const answerTo = 'The answer to ';

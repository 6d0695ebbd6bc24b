import type { Json, JsonObject } from '../../model/json.ts';
import { isJsonObject } from '../../model/json.ts';
import type { Graph, GraphFunction, GraphSlot } from '../../flow/graph/graph.ts';
import { momentProblem } from '../../flow/slots/bounds.ts';
import { typeOf } from '../../flow/slots/slot-types.ts';
import type { Random } from '../../model/ports/time.ts';

/** A value, and how a caller says it. */
export interface Sample {
  readonly value: Json;
  readonly words: string;
}

const dayMs = 86_400_000;
const months = 'January February March April May June July August September October November December'.split(' ');

export function pick<One>(random: Random, from: readonly One[]): One | undefined {
  return from[Math.floor(random.next() * from.length)];
}

/** A value for a slot, usually within its rules. */
export function sampleFor(slot: GraphSlot, random: Random, now: number): Sample {
  const plain = (value: string | number | boolean): Sample => ({ value, words: String(value) });
  switch (typeOf(slot).readAs) {
    case 'name':
      return plain(pick(random, ['Maria Delgado', 'Ann Miller', 'Bob Fisher']) ?? 'Ann Miller');
    case 'email':
      return plain(pick(random, ['ann@example.com', 'bob@example.com']) ?? 'ann@example.com');
    case 'boolean':
      return random.next() < 0.5 ? { value: true, words: 'that is so' } : { value: false, words: 'that is not so' };
    case 'enum': {
      const [value, words] = pick(random, [...slot.values]) ?? ['', []];
      return { value, words: words[0] ?? value.replaceAll('_', ' ') };
    }
    case 'integer':
    case 'number': {
      const low = slot.minimum ?? 0;
      const high = slot.maximum ?? low + 20;
      // Rules differ at the bounds and their neighbours.
      const ends = [low, low + 1, high - 1, high];
      const number =
        random.next() < 0.4 ? (pick(random, ends) ?? low) : low + Math.floor(random.next() * (high - low + 1));
      return plain(number);
    }
    case 'phone':
      return { value: '+14155552671', words: '415 555 2671' };
    case 'code':
      return { value: 'AB1234', words: 'A B 1 2 3 4' };
    case 'time': {
      const isFit = (hour: number): boolean => momentProblem(slot, clockOf(hour), '') === null;
      const usual = [15, 18, 19].filter(isFit);
      const hour =
        pick(random, usual.length > 0 ? usual : Array.from({ length: 24 }, (_, at) => at).filter(isFit)) ?? 18;
      return { value: clockOf(hour), words: `${hour % 12 || 12} ${hour < 12 ? 'am' : 'pm'}` };
    }
    case 'date': {
      const isPast = slot.before !== null;
      const date = isPast ? new Date('1984-03-02T00:00Z') : new Date(now + (3 + Math.floor(random.next() * 6)) * dayMs);
      const words = `${months[date.getUTCMonth()]} ${date.getUTCDate()}, ${date.getUTCFullYear()}`;
      return { value: date.toISOString().slice(0, 10), words };
    }
    case 'text':
      return plain(pick(random, ['a window seat', 'nobody came twice']) ?? 'a window seat');
  }
}

function clockOf(hour: number): string {
  return `${String(hour).padStart(2, '0')}:00`;
}

/** Arguments for a function: those with the names of slots from the slots, others from their schema. */
export function argumentsFor(
  graph: Graph,
  one: GraphFunction,
  random: Random,
  now: number,
): { readonly args: JsonObject; readonly words: readonly string[] } {
  const { properties = {}, required = [] } = one.parameters;
  const needed: ReadonlySet<Json> = new Set(Array.isArray(required) ? required : []);
  const args: Record<string, Json> = {};
  const words: string[] = [];
  for (const [name, schema] of Object.entries(isJsonObject(properties) ? properties : {})) {
    if (!needed.has(name) && random.next() < 0.5) continue;
    const slot = graph.slots.get(name);
    const sample = slot === undefined ? sampleOfSchema(schema) : sampleFor(slot, random, now);
    args[name] = sample.value;
    words.push(sample.words);
  }
  return { args, words };
}

function sampleOfSchema(schema: Json): Sample {
  const { type, enum: words, minimum } = isJsonObject(schema) ? schema : {};
  const [word]: readonly Json[] = Array.isArray(words) ? (words as readonly Json[]) : [];
  if (typeof word === 'string') return { value: word, words: word };
  if (type === 'integer' || type === 'number') {
    const value = typeof minimum === 'number' ? minimum : 1;
    return { value, words: String(value) };
  }
  if (type === 'boolean') return { value: true, words: 'that is so' };
  return { value: 'something', words: 'something' };
}

import type { Json, JsonObject } from '../../events/json.ts';
import type { TypedValue } from '../../events/typed-value.ts';
import type { Graph, GraphSlot } from '../../graph/graph.ts';
import { formOf, isNothing, withinRules } from '../../kernel/slots.ts';
import { textsOf } from './asked-about.ts';
import { typeOf } from '../../slots/slot-types.ts';
import { booleanOf } from '../calls/reserved-arguments.ts';
import type { Bounds, Reader, Reading, ReadOptions } from '../../ports/reader.ts';

/** Brings a value into a slot's form and checks it against the slot's rules; never guesses what was not said. */
export function readSlot(reader: Reader, slot: GraphSlot, given: Json, now: string): TypedValue {
  return withinRules(slot, typedValue(reader, slot, given, now), now);
}

/**
 * Brings what a model gives for a slot into the form of its type. A name or an address is taken by its form: a model may tell the surname
 * Young from the word. `now` is civil time.
 */
export function typedValue(reader: Reader, slot: GraphSlot, given: Json, now: string): TypedValue {
  const value = typeof given === 'string' ? (typeOf(slot).byForm?.(given) ?? null) : null;
  const read = readText(reader, slot, given, now);
  const isSame = read.ok && typeof read.value === 'string' && read.value.toLowerCase() === value?.toLowerCase();
  if (value === null || isSame) return read;
  return { ok: true, value };
}

/** Brings a caller's words, or a value of a model's, into the form of a slot's type by what the words mean. */
export function readText(reader: Reader, slot: GraphSlot, given: Json, now: string): TypedValue {
  const form = formOf(slot, given);
  // A value of these types is kept in one form, and given in several.
  if (form.ok && typeOf(slot).isRead !== true) return form;
  const isYes = !form.ok && typeOf(slot).readAs === 'boolean' ? booleanOf(given, reader) : null;
  if (isYes !== null) return { ok: true, value: isYes };
  if (typeof given === 'number' && !form.ok && typeOf(slot).readAs === 'integer') return form;
  if (typeof given !== 'string' && typeof given !== 'number') return { ok: false, problem: 'not a text' };
  const reading = reader.value(typeOf(slot).readAs, String(given), readingOptions(slot, now));
  if (reading.ok) return { ok: true, value: reading.value };
  return { ok: false, problem: problemOf(reading) };
}

/** The reason for which words are not a value, as a text of a signal. */
export function problemOf({ problem, missing }: Extract<Reading, { ok: false }>): string {
  return missing === undefined ? problem : `${problem}: ${missing} is missing`;
}

/** What the model is told about the values it handed to `record`; what was taken is told by what is known from then on. */
export function recordOutcome(graph: Graph, given: JsonObject, now: string): JsonObject | 'ok' {
  const recorded: Record<string, Json> = {};
  const rejected: Record<string, Json> = {};
  for (const [name, value] of Object.entries(given)) {
    if (isNothing(value)) continue;
    const slot = graph.slots.get(name);
    const reading: TypedValue =
      slot === undefined ? { ok: false, problem: 'no such slot' } : readSlot(graph.reader, slot, value, now);
    const [table, entry] = reading.ok ? [recorded, reading.value] : [rejected, reading.problem];
    Object.defineProperty(table, name, { value: entry, enumerable: true });
  }
  return Object.keys(rejected).length === 0 ? 'ok' : { recorded, rejected };
}

/** How a slot's words are to be read: by its values, its region, and the side of today it must lie on. */
export function readingOptions(slot: GraphSlot, now: string): ReadOptions {
  const today = now.slice(0, 10);
  const direction = isUpTo(slot.before, today) ? 'past' : isFrom(slot.after, today) ? 'future' : undefined;
  return {
    now,
    asked: true,
    region: slot.region,
    values: slot.values,
    ...(direction === undefined ? {} : { direction }),
    about: [slot.name, ...textsOf(slot.ask), slot.description].join(' '),
    bounds: boundsOf(slot, today),
  };
}

function boundsOf({ after, before, minimum, maximum }: GraphSlot, today: string): Bounds {
  return {
    ...(after === null ? {} : { after: after === 'today' ? today : after }),
    ...(before === null ? {} : { before: before === 'today' ? today : before }),
    ...(minimum === null ? {} : { minimum }),
    ...(maximum === null ? {} : { maximum }),
  };
}

function isUpTo(bound: string | null, today: string): boolean {
  return bound !== null && (bound === 'today' || bound <= today);
}

function isFrom(bound: string | null, today: string): boolean {
  return bound !== null && (bound === 'today' || bound >= today);
}

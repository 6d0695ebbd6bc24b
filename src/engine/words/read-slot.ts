import type { Json, JsonObject } from '../../model/json.ts';
import type { TypedValue } from '../../model/typed-value.ts';
import type { Graph, GraphSlot } from '../../flow/graph/graph.ts';
import { isSealedIn } from '../../kernel/keys/sealed-slot.ts';
import { formOf, isNothing, withinRules } from '../../kernel/state/slots.ts';
import { textsOf } from './asked-about.ts';
import { typeOf } from '../../flow/slots/slot-types.ts';
import { booleanOf } from '../calls/reserved-arguments.ts';
import type { Bounds, Reader, Reading, ReadOptions } from '../../model/ports/reader.ts';

/** Checks whether words stand in a text with nothing but connecting words beside them: "it is Friday, please". */
export function isSaidAlone(
  reader: Reader,
  text: string,
  { start, end }: { readonly start: number; readonly end: number },
): boolean {
  return reader.isConnecting(text.slice(0, start), '') && reader.isConnecting(text.slice(end), '');
}

/** Converts a value to a slot's type and checks the slot's rules. Never guesses missing parts. */
export function readSlot(reader: Reader, slot: GraphSlot, given: Json, now: string): TypedValue {
  return withinRules(slot, typedValue(reader, slot, given, now), now);
}

/**
 * Converts a model's value to a slot's type. Names and addresses are taken by their
 * form, because a model can distinguish the surname Young from the word. `now` is local time.
 */
export function typedValue(reader: Reader, slot: GraphSlot, given: Json, now: string): TypedValue {
  if (isSealedIn(slot, given)) return { ok: true, value: given };
  const value = typeof given === 'string' ? (typeOf(slot).byForm?.(given) ?? null) : null;
  const read = readText(reader, slot, given, now);
  const isSame = read.ok && typeof read.value === 'string' && read.value.toLowerCase() === value?.toLowerCase();
  if (value === null || isSame) return read;
  return { ok: true, value };
}

/** Converts a caller's words or a model's value to a slot's type by their meaning. */
export function readText(reader: Reader, slot: GraphSlot, given: Json, now: string): TypedValue {
  const form = formOf(slot, given);
  // Values of these types have several spellings and one stored form.
  if (form.ok && typeOf(slot).isRead !== true) return form;
  const isYes = !form.ok && typeOf(slot).readAs === 'boolean' ? booleanOf(given, reader) : null;
  if (isYes !== null) return { ok: true, value: isYes };
  if (typeof given === 'number' && !form.ok && typeOf(slot).readAs === 'integer') return form;
  if (typeof given !== 'string' && typeof given !== 'number') return { ok: false, problem: 'not a text' };
  const { bounds, ...options } = readingOptions(slot, now);
  // Bounds decide what a caller's "ten" means, but 10:00 of a model is ten in the morning.
  const isStored = form.ok || bounds === undefined;
  const reading = reader.value(typeOf(slot).readAs, String(given), isStored ? options : { ...options, bounds });
  if (reading.ok) return { ok: true, value: reading.value };
  return { ok: false, problem: problemOf(reading) };
}

/** Returns why words are not a value, as text for a signal. */
export function problemOf({ problem, missing }: Extract<Reading, { ok: false }>): string {
  return missing === undefined ? problem : `${problem}: ${missing} is missing`;
}

/** Returns the result of `record` for the model. Accepted values appear in the known values from then on. */
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

/** Returns how to read words for a slot: its values, its region, its bounds, and whether the value lies in the past or future. */
export function readingOptions(slot: GraphSlot, now: string): ReadOptions {
  const today = now.slice(0, 10);
  const isDay = typeOf(slot).readAs === 'date';
  const direction =
    isDay && isUpTo(slot.before, today) ? 'past' : isDay && isFrom(slot.after, today) ? 'future' : undefined;
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

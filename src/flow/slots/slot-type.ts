import type { JsonObject, Json } from '../../model/json.ts';
import type { TypedValue } from '../../model/typed-value.ts';
import type { ValueKind } from '../../model/ports/reader.ts';

/** Slot keys that apply only to some types. */
export const slotRules = ['values', 'before', 'after', 'minimum', 'maximum', 'pattern', 'region'] as const;

/** The parts of a slot that its type can use. */
export interface SlotFacts {
  readonly values: ReadonlyMap<string, readonly string[]>;
  readonly minimum: number | null;
  readonly maximum: number | null;
  readonly pattern: { readonly ok: true; readonly source: string } | { readonly ok: false } | null;
  readonly region: string;
}

/** The definition of a slot type. No other code depends on the type's name. */
export interface SlotType {
  /** The reader's kind, for reading and speaking values. */
  readonly readAs: ValueKind;
  readonly rules: readonly (typeof slotRules)[number][];
  /** JSON Schema of the values. */
  readonly schema: (slot: SlotFacts) => JsonObject;
  /** The slot's own limits, added to the schema after the description. */
  readonly limits?: (slot: SlotFacts) => JsonObject;
  /** Additional guidance for the model. */
  readonly hint?: (slot: SlotFacts) => string;
  /** Accepts a value in its stored form and rejects any other. */
  readonly form: (given: Json, slot: SlotFacts) => TypedValue;
  /** Returns the value of a text by its written form alone; null if it does not match. */
  readonly byForm?: (given: string) => string | null;
  /** Returns the value that digits of telephone keys mean, unread; absent if digits cannot be a value of the type. */
  readonly ofKeys?: (digits: string) => Json;
  /** Values have other forms than the stored one, so every given value is read. */
  readonly isRead?: true;
  /** A value identifies a person or a thing without the slot's name. */
  readonly isPersonal?: true;
  /** The model may infer a value from the caller's meaning, without literal words. */
  readonly isMeaning?: true;
  /** A value can be recognized without being asked for. */
  readonly isTold?: true;
  /** A value depends on the current day and time. */
  readonly isMoment?: true;
  /** The values are yes and no. */
  readonly isYesOrNo?: true;
  /** Any words are a valid value. */
  readonly isAnyWords?: true;
}

/** Accepts a value unchanged. */
export function accepted(value: Json): TypedValue {
  return { ok: true, value };
}

/** Rejects a value for a reason that the model reads. */
export function refused(problem: string): TypedValue {
  return { ok: false, problem };
}

/** Accepts a text that matches a form. */
export function textOf(form: RegExp): SlotType['form'] {
  return (given) => (typeof given === 'string' && form.test(given) ? accepted(given) : refused('not-found'));
}

/** Accepts a number, or only an integer. */
export function numberOf(isWhole: boolean): SlotType['form'] {
  return (given) => {
    if (typeof given !== 'number' || !Number.isFinite(given)) return refused('not a number');
    return isWhole && !Number.isInteger(given) ? refused('not a whole number') : accepted(given);
  };
}

/** Accepts any text, trimmed. */
export const anyText: SlotType['form'] = (given) =>
  typeof given === 'string' ? accepted(given.trim()) : refused('not a text');

/** Returns the bounds of a number in JSON Schema. */
export function boundsOf({ minimum, maximum }: SlotFacts): JsonObject {
  return { ...(minimum === null ? {} : { minimum }), ...(maximum === null ? {} : { maximum }) };
}

/** Returns the pattern of a text in JSON Schema. */
export function patternOf({ pattern }: SlotFacts): JsonObject {
  return pattern?.ok === true ? { pattern: pattern.source } : {};
}

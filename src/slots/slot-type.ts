import type { JsonObject, Json } from '../events/json.ts';
import type { TypedValue } from '../events/typed-value.ts';
import type { ValueKind } from '../ports/reader.ts';

/** Keys of a slot's document that only some types follow. */
export const slotRules = ['values', 'before', 'after', 'minimum', 'maximum', 'pattern', 'region'] as const;

/** What a type may ask of the slot that has it. */
export interface SlotFacts {
  readonly values: ReadonlyMap<string, readonly string[]>;
  readonly minimum: number | null;
  readonly maximum: number | null;
  readonly pattern: { readonly ok: true; readonly source: string } | { readonly ok: false } | null;
  readonly region: string;
}

/** All that is special about a type of slot: nothing else asks for its name. */
export interface SlotType {
  /** How words are read for it and how its values are said. */
  readonly readAs: ValueKind;
  readonly rules: readonly (typeof slotRules)[number][];
  /** The JSON Schema of its values. */
  readonly schema: (slot: SlotFacts) => JsonObject;
  /** What the schema adds of the slot's own rules; it stands behind the description. */
  readonly limits?: (slot: SlotFacts) => JsonObject;
  /** What a model has to know besides the schema. */
  readonly hint?: (slot: SlotFacts) => string;
  /** Takes a value that has the form in which it is kept; `given` is refused in any other. */
  readonly form: (given: Json, slot: SlotFacts) => TypedValue;
  /** The value that a text is by the way it is written, whatever its words mean elsewhere; null if it has another form. */
  readonly byForm?: (given: string) => string | null;
  /** Its values come in more forms than the one that is kept, and are read whoever gives them. */
  readonly isRead?: true;
  /** A value of it tells whose or what it is by itself, without the name of its slot. */
  readonly isPersonal?: true;
  /** A model makes a value of it out of what the caller means: it need not be said in so many words. */
  readonly isMeaning?: true;
  /** Its values can be told from other words although nobody asks for them. */
  readonly isTold?: true;
  /** Its values mean something only beside the day and the time that it is. */
  readonly isMoment?: true;
  /** Yes and no are its values. */
  readonly isYesOrNo?: true;
  /** Any words are a value of it. */
  readonly isAnyWords?: true;
}

/** Takes a value as it stands. */
export function accepted(value: Json): TypedValue {
  return { ok: true, value };
}

/** Refuses a value for a reason that the model is told. */
export function refused(problem: string): TypedValue {
  return { ok: false, problem };
}

/** Takes a text that has a form. */
export function textOf(form: RegExp): SlotType['form'] {
  return (given) => (typeof given === 'string' && form.test(given) ? accepted(given) : refused('not-found'));
}

/** Takes a number, or a whole number only. */
export function numberOf(isWhole: boolean): SlotType['form'] {
  return (given) => {
    if (typeof given !== 'number' || !Number.isFinite(given)) return refused('not a number');
    return isWhole && !Number.isInteger(given) ? refused('not a whole number') : accepted(given);
  };
}

/** Takes any text, without blanks around it. */
export const anyText: SlotType['form'] = (given) =>
  typeof given === 'string' ? accepted(given.trim()) : refused('not a text');

/** The bounds of a number as JSON Schema has them. */
export function boundsOf({ minimum, maximum }: SlotFacts): JsonObject {
  return { ...(minimum === null ? {} : { minimum }), ...(maximum === null ? {} : { maximum }) };
}

/** The pattern of a text as JSON Schema has it. */
export function patternOf({ pattern }: SlotFacts): JsonObject {
  return pattern?.ok === true ? { pattern: pattern.source } : {};
}

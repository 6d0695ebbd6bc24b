import { personalForms } from '../../store/personal-forms.ts';
import { isJsonObject, type Json, type JsonObject } from '../../model/json.ts';
import type { Signal, UserTurn } from '../../model/signals/signal.ts';

/** Replaces personal values in a conversation with stand-ins. */
export interface Personal {
  /**
   * Returns a text with stand-ins instead of its personal values. `args`: the arguments that a model read from the text.
   */
  words(text: string, args?: readonly (readonly [name: string, value: Json])[]): string;
  value<Value extends Json>(value: Value): Value;
  args(args: JsonObject): JsonObject;
  slot(name: string, value: Json): Json;
  /** Values that were not replaced, and why. */
  readonly notes: readonly string[];
}

/** The values that rules have read in the words of a turn, by their slots. */
export function valuesSaid({ utterance }: Pick<UserTurn, 'utterance'>): readonly (readonly [string, Json])[] {
  return (utterance?.acts ?? []).flatMap((one) =>
    (one.act === 'inform' || one.act === 'correct') && one.value !== undefined ? [[one.slot, one.value] as const] : [],
  );
}

/** The stand-ins for the values of one slot, and how a caller says them. */
interface StandIn {
  of(value: Json): Json;
  said(value: Json): string;
  /** The values are not replaced. */
  readonly isKept: boolean;
}

const usual: Readonly<Record<string, readonly [Json, string]>> = {
  name: ['Alex Example', 'Alex Example'],
  // Reserved for fiction, and valid in every region.
  phone: ['+12025550123', '+1 202 555 0123'],
  email: ['alex@example.com', 'alex at example dot com'],
  date: ['1980-01-02', 'January 2, 1980'],
  time: ['10:00', '10 am'],
  integer: [5, '5'],
  number: [5, '5'],
  boolean: [true, 'that is so'],
  text: ['something', 'something'],
};
const withheld = '[personal]';

/**
 * Creates stand-ins for the slots with `pii: true` of a stored flow, and for every text of the log that contains one of
 * their values.
 */
export function personalIn(document: Json | null, log: readonly Signal[]): Personal {
  const declared = isJsonObject(document ?? null) ? (document as JsonObject)['slots'] : undefined;
  const slots = Object.entries(isJsonObject(declared ?? null) ? (declared as JsonObject) : {});
  const own = new Map<string, StandIn>();
  const kept = new Set<string>();
  for (const [name, slot] of slots) {
    if (!isJsonObject(slot) || slot['pii'] !== true) continue;
    own.set(name, standInFor(name, slot, document));
  }
  const values = new Set<string>();
  const collect = (value: Json, name: string | null): void => {
    const standIn = name === null ? undefined : own.get(name);
    if (standIn?.isKept === true && name !== null) kept.add(name);
    else if (standIn !== undefined && (typeof value === 'string' || typeof value === 'number'))
      values.add(String(value));
    if (Array.isArray(value)) for (const one of value as readonly Json[]) collect(one, name);
    else if (isJsonObject(value))
      for (const [key, one] of Object.entries(value)) collect(one, own.has(key) ? key : null);
  };
  for (const signal of log) {
    if (signal.type === 'effect:settled') collect(signal.set ?? null, null);
    if (signal.type === 'user:turn') for (const [name, value] of valuesSaid(signal)) collect(value, name);
    if (signal.type !== 'batch:settled') continue;
    for (const { arguments: args, typed, set } of signal.calls) {
      collect(args, null);
      collect(set ?? null, null);
      collect(JSON.parse(JSON.stringify(typed ?? null)) as Json, null);
    }
  }
  const forms = personalForms(values);
  const standInsOf = (name: string): readonly StandIn[] => {
    const standIn = own.get(name);
    return standIn === undefined ? [] : [standIn];
  };
  const personal: Personal = {
    words(text, args = []) {
      const own = args.flatMap(([name, value]) => standInsOf(name).map((standIn) => ({ standIn, value })));
      // Numbers are said in words, which do not count as a form of them.
      const isNumber = own.some(({ standIn, value }) => typeof value === 'number' && standIn.of(value) !== value);
      if (!isNumber && !forms.isIn(text)) return text;
      return own.map(({ standIn, value }) => standIn.said(value)).join(', ') || withheld;
    },
    value<Value extends Json>(value: Value): Value {
      return replaced(value) as Value; // It has the same shape.
    },
    args: (args) => Object.fromEntries(Object.entries(args).map(([name, value]) => [name, personal.slot(name, value)])),
    slot(name, value) {
      const standIn = own.get(name);
      return value === null || standIn === undefined ? replaced(value) : standIn.of(value);
    },
    notes: [...kept].map((name) => `slot ${name} is as it was: the way through the flow hangs on it, and shows it`),
  };
  const replaced = (value: Json): Json => {
    if (typeof value === 'string') return forms.isIn(value) ? withheld : value;
    if (Array.isArray(value)) return value.map(replaced);
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [name, own.has(name) ? personal.slot(name, one) : replaced(one)]),
    );
  };
  return personal;
}

/**
 * Returns a stand-in that leads to the same path as the value. So a value from a small set that conditions read (an enum, a
 * yes or no) is kept, because the nodes of the test reveal it anyway. A number becomes another number on the same side
 * of everything that it is compared with. A date that must be in the future, or is compared, becomes the day after.
 */
function standInFor(name: string, slot: JsonObject, document: Json): StandIn {
  const { type = 'text', values = {} } = slot;
  const kind = typeof type === 'string' ? type : 'text';
  const keyed = keyedDigits(slot);
  if (keyed !== null) {
    const value = kind === 'integer' || kind === 'number' ? Number(keyed) : keyed;
    return { of: () => value, said: () => keyed, isKept: false };
  }
  const uses = usesOf(name, document);
  const spoken = (value: Json): string => {
    if (typeof value === 'boolean') return value ? 'yes' : 'no';
    return (typeof value === 'string' ? value : JSON.stringify(value)).replaceAll('_', ' ');
  };
  if (uses.isDecisive && (kind === 'enum' || kind === 'boolean'))
    return { of: (value) => value, said: spoken, isKept: true };
  if (uses.isDecisive && (kind === 'integer' || kind === 'number')) {
    const of = (value: Json): Json => (typeof value === 'number' ? beside(value, slot, uses.comparedWith) : value);
    return { of, said: (value) => spoken(of(value)), isKept: false };
  }
  if (kind === 'date' && (uses.isDecisive || slot['after'] !== undefined)) {
    const of = (value: Json): Json => (typeof value === 'string' ? nextDay(value) : value);
    return { of, said: (value) => spoken(of(value)), isKept: false };
  }
  const [first] = Object.keys(isJsonObject(values) ? values : {});
  const [value, said] =
    first === undefined ? (usual[kind] ?? ['something', 'something']) : [first, first.replaceAll('_', ' ')];
  return { of: () => value, said: () => said, isKept: false };
}

/** Returns the shortest digits that a slot takes by keys; null if it takes none. */
function keyedDigits({ dtmf = null }: JsonObject): string | null {
  if (!isJsonObject(dtmf)) return null;
  const { digits = 4 } = dtmf;
  return '1'.repeat(
    typeof digits === 'number' ? digits : Number.parseInt(typeof digits === 'string' ? digits : '4', 10),
  );
}

/** Another number within the limits that compares in the same way, or the number itself if there is none. */
function beside(value: number, { minimum, maximum }: JsonObject, comparedWith: readonly number[]): number {
  const isAlike = (other: number): boolean =>
    comparedWith.every((limit) => Math.sign(value - limit) === Math.sign(other - limit)) &&
    (typeof minimum !== 'number' || other >= minimum) &&
    (typeof maximum !== 'number' || other <= maximum);
  return [value - 1, value + 1, value - 2, value + 2].find(isAlike) ?? value;
}

/** The day after a date, so that a date in the future stays in the future. A text that is not a date stays. */
function nextDay(date: string): string {
  const time = Date.parse(`${date}T12:00:00Z`);
  return Number.isNaN(time) ? date : new Date(time + 86_400_000).toISOString().slice(0, 10);
}

/** Whether conditions or the input of a node read a name, and the numbers that it is compared with. */
function usesOf(
  name: string,
  document: Json,
): { readonly isDecisive: boolean; readonly comparedWith: readonly number[] } {
  const comparedWith: number[] = [];
  let isDecisive = false;
  const isOf = (path: string): boolean => path === name || path.startsWith(`${name}.`);
  const look = (value: Json, isInput: boolean): void => {
    if (typeof value === 'string') {
      const named = isInput ? [...value.matchAll(/\{\{\s*([\w.]+)/g)] : [];
      isDecisive ||= named.some(([, path = '']) => isOf(path));
    } else if (Array.isArray(value)) for (const one of value as readonly Json[]) look(one, isInput);
    else if (isJsonObject(value)) {
      const { var: path, value: other } = value;
      if (typeof path === 'string' && isOf(path)) {
        isDecisive = true;
        if (typeof other === 'number') comparedWith.push(other);
      }
      for (const [key, one] of Object.entries(value)) look(one, isInput || key === 'input');
    }
  };
  look(document, false);
  return { isDecisive, comparedWith };
}

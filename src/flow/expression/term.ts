import { z } from 'zod';
import { decimalSum } from './decimal.ts';
import { dateOf, dayNumber, weekdayOf, weekdays } from './moment.ts';
import { isList, isPlainObject, ownValue } from './own-value.ts';
import { parsePath, resolvePath, type Lookup, type Path } from './path.ts';

const name = z
  .string()
  .describe('The name of a slot, variable, node output or input, such as visit.time; or now, or today.');

const describedTerm = {
  count: 'The size of the list that this names.',
  add: 'The sum of these numbers, computed in decimals; if the first is a date, the date that many days later.',
  daysBetween: 'Days from the first date to the second; negative if the second is earlier.',
  weekday: 'The weekday of this date: monday to sunday.',
} as const;

/** A value that a condition computes from known values: exactly one of its keys. */
export const termSchema = z
  .strictObject({
    var: name.optional(),
    count: z.string().optional().describe(describedTerm.count),
    get add() {
      return z.array(operand).min(2).optional().describe(describedTerm.add);
    },
    get daysBetween() {
      return z.array(operand).length(2).optional().describe(describedTerm.daysBetween);
    },
    weekday: z.string().optional().describe(describedTerm.weekday),
  })
  .meta({
    id: 'Term',
    description: 'A value that is computed: exactly one of these.',
    minProperties: 1,
    maxProperties: 1,
  });

// A text is a name unless it begins with a digit or a sign.
const operand = z
  .union([z.number(), z.string(), termSchema])
  .describe('A number, a date, a name, or another computation.');

/** The computations on either side of a comparison. */
export const termFields = {
  count: z.string().optional().describe(describedTerm.count),
  add: z.array(operand).min(2).optional().describe(describedTerm.add),
  daysBetween: z.array(operand).length(2).optional().describe(describedTerm.daysBetween),
  weekday: z.string().optional().describe(describedTerm.weekday),
} as const;

/** A compiled term. `value` is undefined if a name is unknown. */
export interface Term {
  readonly value: (lookup: Lookup) => unknown;
  /** The term is the name `now`: compared with a date it is a date, with a time it is a time. */
  readonly isNow: boolean;
  readonly isWeekday: boolean;
}

/** A position in a condition: keys and indexes from its root. */
export type TermPlace = readonly (string | number)[];

/** Receives the names that a term reads and its problems. */
export interface TermFindings {
  readonly reads: (path: Path, at: TermPlace) => void;
  readonly refuse: (at: TermPlace, reason: string, hint: string) => void;
  /** Counts one computation; false if the limit is reached. */
  readonly spend: () => boolean;
}

/** Returns the key of the only term in a map, as written; undefined if it has none or several. */
export function termKey(map: unknown): string | undefined {
  if (!isPlainObject(map)) return undefined;
  const keys = termKeys.filter((key) => ownValue(map, key) !== undefined);
  return keys.length === 1 ? keys[0] : undefined;
}

/** Checks whether a value is a term, which is computed instead of compared. */
export function isTerm(value: unknown): boolean {
  return isPlainObject(value) && Object.keys(value).length === 1 && termKey(value) !== undefined;
}

/** All term keys, in both spellings. */
export const termKeys: readonly string[] = ['var', 'count', 'add', 'daysBetween', 'days_between', 'weekday'];

/** Compiles the term of a key, whatever its shape. */
export function compileTerm(map: unknown, key: string, at: TermPlace, findings: TermFindings, depth = 0): Term {
  const given = ownValue(map, key);
  const here = [...at, key];
  if (key === 'var') return compileName(given, here, findings);
  if (key === 'count') {
    const { value } = compileName(given, here, findings);
    return computed((lookup) => sizeOf(value(lookup)));
  }
  if (key === 'add' || key === 'daysBetween' || key === 'days_between') {
    const parts = isList(given) ? given : [];
    const isSum = key === 'add';
    if (isSum ? parts.length < 2 : parts.length !== 2) {
      findings.refuse(
        here,
        isSum ? SUM : SPAN,
        isSum ? 'Write add: [price, 5].' : 'Write days_between: [arrive, leave].',
      );
      return unknownTerm;
    }
    const terms: Term[] = [];
    // Shared parts can expand indefinitely.
    for (const [index, part] of parts.entries())
      if (findings.spend()) terms.push(compileOperand(part, [...here, index], findings, depth));
    const compute = isSum ? sumOf : daysBetween;
    return computed((lookup) => compute(terms.map(({ value }) => value(lookup))));
  }
  const { value } = compileOperand(given, here, findings, depth);
  return { ...computed((lookup) => weekdayNamed(value(lookup))), isWeekday: true };
}

/** Returns a constant term. */
export function literalTerm(literal: unknown): Term {
  return computed(() => literal);
}

/** A term without a value: no comparison with it holds. */
export const unknownTerm: Term = { value: () => undefined, isNow: false, isWeekday: false };

/** Converts `now` to the form of the other value: a date or a time of day. */
export function nowLike(now: unknown, other: unknown): unknown {
  if (typeof now !== 'string' || typeof other !== 'string') return now;
  if (/^\d{4}-\d\d-\d\d$/.test(other)) return now.slice(0, 10);
  return /^\d\d:\d\d$/.test(other) ? now.slice(11, 16) : now;
}

const SUM = '`add` needs a list of two or more values.';
const SPAN = '`days_between` needs a list of two dates.';
const MAX_DEPTH = 16;

function computed(value: Term['value']): Term {
  return { value, isNow: false, isWeekday: false };
}

function compileOperand(given: unknown, at: TermPlace, findings: TermFindings, depth: number): Term {
  if (typeof given === 'number') return literalTerm(given);
  if (typeof given === 'string') return /^[\d+-]/.test(given) ? literalTerm(given) : compileName(given, at, findings);
  const key = isTerm(given) ? termKey(given) : undefined;
  if (key !== undefined && depth < MAX_DEPTH) return compileTerm(given, key, at, findings, depth + 1);
  findings.refuse(
    at,
    key === undefined ? 'This is not a value to compute with.' : `Computations nest deeper than ${MAX_DEPTH} levels.`,
    'Write a number, a date such as 2026-05-01, a name, or one of count, add, days_between and weekday.',
  );
  return unknownTerm;
}

function compileName(given: unknown, at: TermPlace, { reads, refuse }: TermFindings): Term {
  const path = typeof given === 'string' ? parsePath(given) : undefined;
  if (path === undefined) {
    refuse(at, 'This is not the name of a variable.', 'Write it like visit.time.');
    return unknownTerm;
  }
  reads(path, at);
  const value = (lookup: Lookup): unknown => resolvePath(path, lookup);
  return { value, isNow: path.length === 1 && path[0] === 'now', isWeekday: false };
}

function sizeOf(value: unknown): number | undefined {
  return isList(value) ? value.length : undefined;
}

function weekdayNamed(value: unknown): string | undefined {
  if (typeof value === 'string' && weekdays.includes(value.toLowerCase())) return value.toLowerCase();
  const day = dayNumber(value);
  return day === undefined ? undefined : weekdayOf(day);
}

function daysBetween([from, to]: readonly unknown[]): number | undefined {
  const [first, second] = [dayNumber(from), dayNumber(to)];
  return first === undefined || second === undefined ? undefined : second - first;
}

function sumOf([first, ...rest]: readonly unknown[]): number | string | undefined {
  const day = dayNumber(first);
  const sum = decimalSum([day ?? first, ...rest]);
  if (sum === undefined || day === undefined) return Number.isFinite(sum) ? sum : undefined;
  return Number.isSafeInteger(sum) && Math.abs(sum) < 1e8 ? dateOf(sum) : undefined;
}

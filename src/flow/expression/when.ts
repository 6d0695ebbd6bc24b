import { z } from 'zod';
import { type Comparison, comparisons, every, not, some, type Truth } from './comparisons.ts';
import { tooDeep } from './depth.ts';
import { weekdays } from './moment.ts';
import { isList, ownValue } from './own-value.ts';
import { parsePath, resolvePath, type Lookup, type Path } from './path.ts';
import { compilePattern } from './pattern.ts';
import { scalarText } from './same-value.ts';
import {
  compileTerm,
  isTerm,
  literalTerm,
  nowLike,
  type Term,
  termFields,
  termKey,
  termKeys,
  termSchema,
  unknownTerm,
} from './term.ts';

const variable = z
  .string()
  .describe('The name of a slot, variable, node output or input, such as visit.time; or now, or today.');
const sides = { minProperties: 2, maxProperties: 2 };
const left = { var: variable.optional(), ...termFields };
const comparison = z
  .strictObject({
    ...left,
    value: z.unknown().describe('The value to compare with. { var: NAME }, count, add and others are computed.'),
  })
  .meta(sides);
const ordered = z
  .strictObject({
    ...left,
    value: z
      .union([z.number(), z.string(), termSchema])
      .describe('A number, a date or time such as 2026-05-01 or 14:30, or a computation such as { var: NAME }.'),
  })
  .meta(sides);

const operators = z
  .strictObject({
    equals: comparison.optional().describe('The variable equals this value. true and "true", 1 and "1" are the same.'),
    notEquals: comparison.optional().describe('The variable has another value.'),
    greater: ordered.optional().describe('The variable is greater, or later.'),
    less: ordered.optional().describe('The variable is less, or earlier.'),
    atLeast: ordered.optional().describe('The variable is greater or equal, or not earlier.'),
    atMost: ordered.optional().describe('The variable is less or equal, or not later.'),
    contains: z
      .strictObject({ var: variable, value: z.unknown().describe('The part or the item; { var: NAME } reads one.') })
      .optional()
      .describe('The text contains this part (case-sensitive), or the list contains this item.'),
    matches: z
      .strictObject({
        var: variable,
        value: z.string().describe('A regular expression without lookaround and backreferences; ^ and $ anchor it.'),
        flags: z
          .string()
          .optional()
          .describe('i ignores case, m makes ^ and $ work on lines, s lets . match line ends.'),
      })
      .optional()
      .describe('The text of the variable matches a regular expression.'),
    exists: z
      .strictObject({ var: variable })
      .optional()
      .describe('The variable is known and neither null nor empty text. The result is always true or false.'),
    in: z
      .strictObject({
        ...left,
        values: z.array(z.unknown()).optional().describe('The allowed values.'),
        value: z.array(z.unknown()).optional().describe('Another name for values.'),
      })
      .meta(sides)
      .refine(({ values, value }) => (values === undefined) !== (value === undefined), 'Give `values`, a list, once.')
      .optional()
      .describe('The variable is one of these values.'),
    get all() {
      return z.array(operators).optional().describe('All of these conditions are true.');
    },
    get any() {
      return z.array(operators).optional().describe('At least one of these conditions is true.');
    },
    get not() {
      return operators.optional().describe('This condition is known to be false.');
    },
  })
  .meta({
    id: 'When',
    description: 'A condition: exactly one operator. It is true, false, or unknown if it compares an unknown value.',
    minProperties: 1,
    maxProperties: 1,
  });

/** A condition as written in a flow. `compileWhen` checks its operator, paths and patterns. */
export const whenSchema = z.preprocess((value, context) => {
  if (!tooDeep(value, MAX_LEVELS)) return value;
  context.addIssue({ code: 'custom', message: 'This condition nests too deep. Split it, or decide in a function.' });
  return z.NEVER;
}, operators);

/** One operator over a variable, or all, any or not of other conditions. */
export type When = z.infer<typeof operators>;

/** A problem in a condition, with its position and a remedy. */
export interface WhenProblem {
  readonly at: readonly (string | number)[];
  readonly code:
    | 'when-empty'
    | 'when-several-operators'
    | 'when-path'
    | 'when-operand'
    | 'when-pattern'
    | 'when-too-deep';
  readonly reason: string;
  readonly hint?: string;
}

/** A compiled condition. */
export interface CompiledWhen {
  /** Whether it holds; undefined if unknown. */
  readonly truth: (lookup: Lookup) => Truth;
  readonly problems: readonly WhenProblem[];
  /** The names it reads with their positions, in order, including repetitions. */
  readonly references: readonly WhenReference[];
}

/** A name in a condition, with its position. */
export interface WhenReference {
  readonly path: Path;
  readonly at: WhenProblem['at'];
  /** The condition requires this name to be known and different from the compared value. */
  readonly isDenied: boolean;
}

/** Compiles a condition of any shape. An operator with a problem is unknown, so neither it nor its `not` holds. */
export function compileWhen(when: When): CompiledWhen {
  const problems: WhenProblem[] = [];
  const references: WhenReference[] = [];
  let budget = MAX_CONDITIONS;

  const refuse = (code: WhenProblem['code'], at: Place, reason: string, hint?: string): (() => undefined) => {
    problems.push(hint === undefined ? { at, code, reason } : { at, code, reason, hint });
    return unknown;
  };
  /** Whether the current position is under an odd number of negations. */
  let isDenied = false;
  const findings = {
    reads: (path: Path, at: Place): void => void references.push({ path, at, isDenied }),
    refuse: (at: Place, reason: string, hint: string): void =>
      void refuse(at.at(-1) === 'var' ? 'when-path' : 'when-operand', at, reason, hint),
    spend: (): boolean => {
      budget -= 1;
      return budget >= 0;
    },
  };
  const compile = (condition: unknown, at: Place, depth: number): Condition => {
    budget -= 1;
    if (depth > MAX_DEPTH)
      return refuse('when-too-deep', at, `Conditions nest deeper than ${MAX_DEPTH} levels.`, SPLIT);
    const [operator, ...others] = OPERATORS.filter((name) => ownValue(condition, name) !== undefined);
    if (operator === undefined) {
      return refuse('when-empty', at, 'This condition has no operator.', `Write one of ${OPERATORS.join(', ')}.`);
    }
    if (others.length > 0) {
      const reason = `This condition has ${others.length + 1} operators: ${[operator, ...others].join(', ')}.`;
      return refuse('when-several-operators', at, reason, 'Make each a separate item under all or any.');
    }
    return compileOperator(operator, ownValue(condition, operator), [...at, operator], depth);
  };
  const compileOperator = (operator: Operator, operand: unknown, at: Place, depth: number): Condition => {
    if (operator === 'not') {
      isDenied = !isDenied;
      const inner = compile(operand, at, depth + 1);
      isDenied = !isDenied;
      return (lookup) => not(inner(lookup));
    }
    if (operator === 'all' || operator === 'any') {
      if (!isList(operand) || operand.length === 0) {
        return refuse('when-empty', at, `\`${operator}\` has no conditions.`, 'Give it a list of at least one.');
      }
      const conditions: Condition[] = [];
      for (let index = 0; index < operand.length; index += 1) {
        if (budget < 0) break;
        conditions.push(compile(operand[index], [...at, index], depth + 1));
      }
      const combine = operator === 'all' ? every : some;
      return (lookup) => combine(conditions, (truth) => truth(lookup));
    }
    if (operator === 'exists' || operator === 'matches' || operator === 'contains') {
      const name = ownValue(operand, 'var');
      const path = typeof name === 'string' ? parsePath(name) : undefined;
      if (path === undefined) {
        return refuse('when-path', [...at, 'var'], 'This is not the name of a variable.', 'Write it like visit.time.');
      }
      references.push({ path, at: [...at, 'var'], isDenied: isDenied && operator !== 'exists' });
      const test = operator === 'matches' ? compileMatches(operand, at) : comparisons[operator];
      const expected = operator === 'contains' ? compileExpected(operand, at) : unknownTerm;
      return (lookup) => test(resolvePath(path, lookup), expected.value(lookup));
    }
    return compileComparison(operator, operand, at);
  };
  const compileComparison = (operator: Comparing, operand: unknown, at: Place): Condition => {
    const key = termKey(operand);
    if (key === undefined) {
      const several = termKeys.filter((name) => ownValue(operand, name) !== undefined);
      const [reason, hint] =
        several.length === 0
          ? ['This comparison names no value.', 'Write var: NAME, or count, add, days_between or weekday.']
          : [`This compares ${several.join(' and ')} at once.`, 'Keep one of them.'];
      return refuse('when-operand', at, reason, hint);
    }
    if (operator === 'notEquals') isDenied = !isDenied;
    const left = compileTerm(operand, key, at, findings);
    const right = operator === 'in' ? valuesIn(operand) : compileExpected(operand, at);
    if (operator === 'notEquals') isDenied = !isDenied;
    if (left.isWeekday) checkWeekdays(operator === 'in' ? right.value(unknown) : ownValue(operand, 'value'), at);
    const compare: Comparison = comparisons[operator];
    return (lookup) => {
      const [value, expected] = [left.value(lookup), right.value(lookup)];
      return compare(left.isNow ? nowLike(value, expected) : value, right.isNow ? nowLike(expected, value) : expected);
    };
  };
  const compileExpected = (operand: unknown, at: Place): Term => {
    const expected = ownValue(operand, 'value');
    const key = isTerm(expected) ? termKey(expected) : undefined;
    return key === undefined ? literalTerm(expected) : compileTerm(expected, key, [...at, 'value'], findings);
  };
  const checkWeekdays = (expected: unknown, at: Place): void => {
    const texts = (isList(expected) ? expected : [expected]).map(scalarText);
    const odd = texts.find((text) => text !== undefined && !weekdays.includes(text));
    if (odd !== undefined) refuse('when-operand', at, `"${odd}" is not a weekday.`, `Write ${weekdays.join(', ')}.`);
  };
  const compileMatches = (operand: unknown, at: Place): ((value: unknown) => Truth) => {
    const source = ownValue(operand, 'value');
    const flags = ownValue(operand, 'flags') ?? '';
    if (typeof source !== 'string' || typeof flags !== 'string') {
      return refuse('when-pattern', [...at, 'value'], 'The pattern and its flags are not text.', 'Put them in quotes.');
    }
    const pattern = compilePattern(source, flags);
    if (!pattern.ok) return refuse('when-pattern', [...at, 'value'], pattern.reason, pattern.hint);
    return (value) => {
      const text = scalarText(value);
      return text === undefined ? undefined : pattern.test(text);
    };
  };

  const truth = compile(when, [], 0);
  if (budget >= 0) return { truth, problems, references };
  // Shared parts can expand indefinitely. The condition is cut off, and its result is unknown.
  return {
    truth: refuse('when-too-deep', [], `This is more than ${MAX_CONDITIONS} conditions.`, SPLIT),
    problems,
    references,
  };
}

/** Checks whether a condition certainly holds; unknown counts as false. */
export function evaluateWhen(compiled: CompiledWhen, lookup: Lookup): boolean {
  return compiled.truth(lookup) === true;
}

const MAX_DEPTH = 64;
// A condition takes two levels of JSON, its list and itself; the rest is for the values in it.
const MAX_LEVELS = 4 * MAX_DEPTH;
const MAX_CONDITIONS = 10_000;
const SPLIT = 'Split it, or decide in a function.';

type Place = WhenProblem['at'];
type Condition = (lookup: Lookup) => Truth;
type Operator = keyof When;
type Comparing = Exclude<Operator, 'all' | 'any' | 'not' | 'matches' | 'exists' | 'contains'>;

const OPERATORS: readonly Operator[] = operators.keyof().options;

function valuesIn(operand: unknown): Term {
  return literalTerm(ownValue(operand, 'values') ?? ownValue(operand, 'value'));
}

function unknown(): undefined {
  return undefined;
}

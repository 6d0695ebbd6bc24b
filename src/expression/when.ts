import { z } from 'zod';
import { tooDeep } from './depth.ts';
import { compareOrder } from './order.ts';
import { isList, ownValue } from './own-value.ts';
import { parsePath, resolvePath, type Lookup, type Path } from './path.ts';
import { compilePattern } from './pattern.ts';
import { sameValue, scalarText } from './same-value.ts';

const variable = z.string().describe('The name of a slot, variable, node output or input, such as visit.time.');
const comparison = z.strictObject({ var: variable, value: z.unknown().describe('What it is compared with.') });
const ordered = z.strictObject({
  var: variable,
  value: z.union([z.number(), z.string()]).describe('A number, or a date or time such as 2026-05-01 or 14:30.'),
});

const operators = z
  .strictObject({
    equals: comparison.optional().describe('The variable is this value; true and "true", 1 and "1" are the same.'),
    notEquals: comparison.optional().describe('The variable is another value, or has none.'),
    greater: ordered.optional().describe('The variable is greater, or later.'),
    less: ordered.optional().describe('The variable is less, or earlier.'),
    atLeast: ordered.optional().describe('The variable is greater or equal, or not earlier.'),
    atMost: ordered.optional().describe('The variable is less or equal, or not later.'),
    contains: comparison
      .optional()
      .describe('The text has this part, upper and lower case told apart, or the list this member.'),
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
      .describe('The text of the variable fits a regular expression.'),
    exists: z
      .strictObject({ var: variable })
      .optional()
      .describe('The variable is known and neither null nor empty text.'),
    in: z
      .strictObject({
        var: variable,
        values: z.array(z.unknown()).optional().describe('The values it may have.'),
        value: z.array(z.unknown()).optional().describe('Another name for values.'),
      })
      .refine(({ values, value }) => (values === undefined) !== (value === undefined), 'Give `values`, a list, once.')
      .optional()
      .describe('The variable is one of these values.'),
    get all() {
      return z.array(operators).optional().describe('All of these conditions hold.');
    },
    get any() {
      return z.array(operators).optional().describe('At least one of these conditions holds.');
    },
    get not() {
      return operators.optional().describe('This condition does not hold.');
    },
  })
  .meta({ id: 'When', description: 'A condition: exactly one operator.', minProperties: 1, maxProperties: 1 });

/** A condition as it stands in a flow. Which operator it has, and whether its paths and patterns are sound, is for `compileWhen`. */
export const whenSchema = z.preprocess((value, context) => {
  if (!tooDeep(value, MAX_LEVELS)) return value;
  context.addIssue({ code: 'custom', message: 'This condition nests too deep. Split it, or decide in a function.' });
  return z.NEVER;
}, operators);

/** One operator over a variable, or all, any or not of other conditions. */
export type When = z.infer<typeof operators>;

/** What is wrong in a condition, at which keys and indexes from its root, and the way out. */
export interface WhenProblem {
  readonly at: readonly (string | number)[];
  readonly code: 'when-empty' | 'when-several-operators' | 'when-path' | 'when-pattern' | 'when-too-deep';
  readonly reason: string;
  readonly hint?: string;
}

/** A condition ready to be evaluated. */
export interface CompiledWhen {
  readonly holds: Condition;
  readonly problems: readonly WhenProblem[];
  /** The variables it reads, in order, repeated where it repeats them. */
  readonly references: readonly Path[];
}

/** Compiles a condition, whatever its shape; an operator with a problem never holds, and neither does the `not` of one. */
export function compileWhen(when: When): CompiledWhen {
  const problems: WhenProblem[] = [];
  const references: Path[] = [];
  let budget = MAX_CONDITIONS;

  const refuse = (code: WhenProblem['code'], at: Place, reason: string, hint?: string): (() => boolean) => {
    problems.push(hint === undefined ? { at, code, reason } : { at, code, reason, hint });
    return never;
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
      return refuse('when-several-operators', at, reason, 'Make each an item of its own under all or any.');
    }
    return compileOperator(operator, ownValue(condition, operator), [...at, operator], depth);
  };
  const compileOperator = (operator: Operator, operand: unknown, at: Place, depth: number): Condition => {
    if (operator === 'not') {
      const before = problems.length;
      const inner = compile(operand, at, depth + 1);
      return problems.length > before ? never : (lookup) => !inner(lookup);
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
      if (operator === 'all') return (lookup) => conditions.every((holds) => holds(lookup));
      return (lookup) => conditions.some((holds) => holds(lookup));
    }
    const name = ownValue(operand, 'var');
    const path = typeof name === 'string' ? parsePath(name) : undefined;
    if (path === undefined) {
      return refuse('when-path', [...at, 'var'], 'This is not the name of a variable.', 'Write it like visit.time.');
    }
    references.push(path);
    const holds = operator === 'matches' ? compileMatches(operand, at) : TESTS[operator];
    const expected = (operator === 'in' ? ownValue(operand, 'values') : undefined) ?? ownValue(operand, 'value');
    return (lookup) => holds(resolvePath(path, lookup), expected);
  };
  const compileMatches = (operand: unknown, at: Place): Test => {
    const source = ownValue(operand, 'value');
    const flags = ownValue(operand, 'flags') ?? '';
    if (typeof source !== 'string' || typeof flags !== 'string') {
      return refuse('when-pattern', [...at, 'value'], 'The pattern and its flags are not text.', 'Put them in quotes.');
    }
    const pattern = compilePattern(source, flags);
    if (!pattern.ok) return refuse('when-pattern', [...at, 'value'], pattern.reason, pattern.hint);
    return (value) => {
      const text = scalarText(value);
      return text !== undefined && pattern.test(text);
    };
  };

  const holds = compile(when, [], 0);
  if (budget >= 0) return { holds, problems, references };
  // What shared parts unfold to has no end, so it is cut, and a cut condition may not hold.
  return {
    holds: refuse('when-too-deep', [], `This is more than ${MAX_CONDITIONS} conditions.`, SPLIT),
    problems,
    references,
  };
}

/** Whether a condition holds for the values that `lookup` knows. */
export function evaluateWhen(compiled: CompiledWhen, lookup: Lookup): boolean {
  return compiled.holds(lookup);
}

const MAX_DEPTH = 64;
// A condition takes two levels of JSON, its list and itself; the rest is room for the values in it.
const MAX_LEVELS = 4 * MAX_DEPTH;
const MAX_CONDITIONS = 10_000;
const SPLIT = 'Split it, or decide in a function.';

type Place = WhenProblem['at'];
type Condition = (lookup: Lookup) => boolean;
type Operator = keyof When;
type Test = (value: unknown, expected: unknown) => boolean;

const OPERATORS: readonly Operator[] = operators.keyof().options;

const TESTS: Readonly<Record<Exclude<Operator, 'all' | 'any' | 'not' | 'matches'>, Test>> = {
  equals: sameValue,
  notEquals: (value, expected) => !sameValue(value, expected),
  greater: (value, expected) => compareOrder(value, expected) > 0,
  less: (value, expected) => compareOrder(value, expected) < 0,
  atLeast: (value, expected) => compareOrder(value, expected) >= 0,
  atMost: (value, expected) => compareOrder(value, expected) <= 0,
  contains,
  exists: (value) => value !== undefined && value !== null && value !== '',
  in: (value, expected) => isList(expected) && expected.some((item) => sameValue(value, item)),
};

function contains(whole: unknown, part: unknown): boolean {
  if (isList(whole)) return whole.some((item) => sameValue(item, part));
  const [text, piece] = [scalarText(whole), scalarText(part)];
  return text !== undefined && piece !== undefined && text.includes(piece);
}

function never(): boolean {
  return false;
}

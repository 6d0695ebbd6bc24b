import type { ConditionTree, Operand } from './condition-text.ts';
import type { DraftWhen } from './draft-node.ts';

/** The meaning of the words in a format's conditions. */
export interface ConditionMeaning {
  /** Returns our path for a foreign name, or undefined if it is not a name. */
  readonly path: (name: string) => string | undefined;
  /** Returns what an operator means, or undefined if it is not known. */
  readonly operator: (operator: string, right: Operand) => Comparing | undefined;
  /** Whether an unset variable differs from every value. */
  readonly unsetDiffers: boolean;
  /** The condition that a name alone means. By default: it has a value other than false. */
  readonly truth?: (path: string) => DraftWhen;
  /** The meaning of a whole comparison that does not compare values. */
  readonly special?: (left: Operand, operator: string, right: Operand) => DraftWhen | 'always' | 'never' | undefined;
}

export type Comparing =
  | 'equals'
  | 'not_equals'
  | 'greater'
  | 'less'
  | 'at_least'
  | 'at_most'
  | 'contains'
  | 'not_contains'
  | 'matches'
  | 'not_matches';

/** Converts a condition to one of ours, or to `always` or `never`. Returns undefined if it cannot be written. */
export function whenOfTree(tree: ConditionTree, meaning: ConditionMeaning): DraftWhen | 'always' | 'never' | undefined {
  switch (tree.kind) {
    case 'all':
    case 'any': {
      const absorbing = tree.kind === 'all' ? 'never' : 'always';
      const parts = tree.parts.map((part) => whenOfTree(part, meaning));
      if (parts.includes(absorbing)) return absorbing;
      if (parts.includes(undefined)) return undefined;
      const known = parts.filter((part) => part !== undefined && part !== 'always' && part !== 'never');
      const [only] = known;
      if (only === undefined) return tree.kind === 'all' ? 'always' : 'never';
      if (known.length === 1) return only;
      return tree.kind === 'all' ? { all: known } : { any: known };
    }
    case 'not': {
      const part = whenOfTree(tree.part, meaning);
      if (part === undefined) return undefined;
      if (part === 'always') return 'never';
      if (part === 'never') return 'always';
      return denied(part);
    }
    case 'operand':
      return whenOfOperand(tree.operand, meaning);
    case 'compare':
      return whenOfComparison(tree.left, tree.operator, tree.right, meaning);
  }
}

/** Negates a condition. An unset variable makes every comparison false in these formats. */
function denied(when: DraftWhen): DraftWhen {
  if (when.not !== undefined) return when.not;
  if (when.exists !== undefined) return { not: when };
  if (when.all !== undefined) return { any: when.all.map(denied) };
  if (when.any !== undefined) return { all: when.any.map(denied) };
  const names = Object.values(when).flatMap((value: unknown) =>
    typeof value === 'object' && value !== null && 'var' in value && typeof value.var === 'string' ? [value.var] : [],
  );
  return { any: [{ not: when }, ...names.map((name): DraftWhen => ({ not: { exists: { var: name } } }))] };
}

function whenOfOperand(operand: Operand, meaning: ConditionMeaning): DraftWhen | 'always' | 'never' | undefined {
  if (operand.kind === 'nothing') return 'never';
  if (operand.kind === 'list') return undefined;
  if (operand.kind === 'value') return operand.value === false ? 'never' : 'always';
  const path = meaning.path(operand.name);
  if (path === undefined) return undefined;
  return meaning.truth?.(path) ?? { all: [{ exists: { var: path } }, { not_equals: { var: path, value: false } }] };
}

const turned: Readonly<Partial<Record<Comparing, Comparing>>> = {
  equals: 'equals',
  not_equals: 'not_equals',
  greater: 'less',
  less: 'greater',
  at_least: 'at_most',
  at_most: 'at_least',
};

function whenOfComparison(
  left: Operand,
  operator: string,
  right: Operand,
  meaning: ConditionMeaning,
): DraftWhen | 'always' | 'never' | undefined {
  const special = meaning.special?.(left, operator, right);
  if (special !== undefined) return special;
  const comparing = meaning.operator(operator, right);
  if (comparing === undefined) return undefined;
  if (left.kind === 'name') return compared(left.name, comparing, right, meaning);
  if (right.kind !== 'name')
    return left.kind === 'value' && right.kind === 'value' ? literals(left.value, comparing, right.value) : undefined;
  if (left.kind === 'list' && (comparing === 'contains' || comparing === 'not_contains')) {
    const path = meaning.path(right.name);
    if (path === undefined) return undefined;
    const isOne: DraftWhen = { in: { var: path, values: left.values } };
    return comparing === 'contains' ? isOne : denied(isOne);
  }
  const other = turned[comparing];
  return other === undefined ? undefined : compared(right.name, other, left, meaning);
}

function literals(left: unknown, comparing: Comparing, right: unknown): 'always' | 'never' | undefined {
  if (comparing !== 'equals' && comparing !== 'not_equals') return undefined;
  return (left === right) === (comparing === 'equals') ? 'always' : 'never';
}

function compared(
  name: string,
  comparing: Comparing,
  right: Operand,
  meaning: ConditionMeaning,
): DraftWhen | undefined {
  const path = meaning.path(name);
  if (path === undefined) return undefined;
  const isNothing = right.kind === 'nothing' || (right.kind === 'value' && right.value === '');
  if (isNothing) {
    if (comparing === 'equals') return { not: { exists: { var: path } } };
    return comparing === 'not_equals' ? { exists: { var: path } } : undefined;
  }
  if (right.kind === 'list') {
    if (comparing === 'equals') return { in: { var: path, values: right.values } };
    return comparing === 'not_equals' ? denied({ in: { var: path, values: right.values } }) : undefined;
  }
  const other = right.kind === 'name' ? meaning.path(right.name) : undefined;
  if (right.kind === 'name' && other === undefined) return undefined;
  const value = right.kind === 'value' ? right.value : { var: other ?? '' };
  const side = { var: path, value };
  const orUnset = (when: DraftWhen): DraftWhen =>
    meaning.unsetDiffers ? { any: [when, { not: { exists: { var: path } } }] } : when;
  switch (comparing) {
    case 'equals':
      return { equals: side };
    case 'not_equals':
      return orUnset({ not_equals: side });
    case 'contains':
      return { contains: side };
    case 'not_contains':
      return orUnset({ not: { contains: side } });
    case 'matches':
      return typeof value === 'string' ? { matches: side } : undefined;
    case 'not_matches':
      return typeof value === 'string' ? orUnset({ not: { matches: side } }) : undefined;
    default:
      // Only numbers, dates and times have an order.
      return typeof value === 'boolean' ? undefined : { [comparing]: side };
  }
}

import { decimalSum } from '../expression/decimal.ts';
import { z } from 'zod';
import type { Json } from '../../model/json.ts';
import { compileBinding, resolveBinding } from '../expression/binding.ts';
import type { Lookup } from '../expression/path.ts';
import { unwrittenMessage } from '../expression/template.ts';
import { evaluateWhen } from '../expression/when.ts';
import { defineNodeType, type Failed, type NodeType } from '../graph/nodes/node-type.ts';
import { compiledOnce, conditionSchema } from './condition.ts';
import { asJson, tooLargeToKeep } from './json-fields.ts';

const list = z.array(z.unknown());
const memberNames = ['item', 'index'] as const;

const dataMap = defineNodeType({
  name: 'data.map',
  literal: ['template'],
  description: 'Maps each item of a list to a new item.',
  input: z.strictObject({
    list: list.describe('The list. It is not changed.'),
    template: z
      .string()
      .optional()
      .describe('The new item: a text with {{ item }} and {{ index }}. A single name gives the value itself.'),
  }),
  output: z.strictObject({ list: list.describe('The new items, in order.') }),
  reads: ({ template }) => (template === undefined ? [] : [{ at: ['template'], template, local: memberNames }]),
  evaluate({ list, template }, { lookup }) {
    if (template === undefined) return { ok: true, output: { list: list.map(asJson) } };
    const binding = compileBinding(template);
    const mapped: Json[] = [];
    let room = MAX_WRITTEN;
    for (const [index, item] of list.entries()) {
      const unwritten: string[] = [];
      const member = asJson(resolveBinding(binding, memberLookup(lookup, item, index), (path) => unwritten.push(path)));
      if (unwritten.length > 0)
        return { ok: false, code: 'text-too-long', message: `Member ${index}: ${unwrittenMessage(unwritten)}` };
      // A template creates a new text for each item; a value is shared.
      if (binding.shape.kind === 'text' && typeof member === 'string') room -= member.length;
      if (room < 0) return tooLong(index);
      mapped.push(member);
    }
    return tooLargeToKeep(mapped) ?? { ok: true, output: { list: mapped } };
  },
});

const dataFilter = defineNodeType({
  name: 'data.filter',
  description: 'Keeps the items of a list for which a condition is true.',
  input: z.strictObject({
    list: list.describe('The list. It is not changed.'),
    when: conditionSchema.describe('A condition. It may read every name of the flow, item and index.'),
  }),
  output: z.strictObject({ list: list.describe('The kept items, in order.') }),
  reads: ({ when }) => [{ at: ['when'], when, local: memberNames }],
  evaluate({ list, when }, { lookup }) {
    const condition = compiledOnce(when);
    const kept = list.filter((item, index) => evaluateWhen(condition, memberLookup(lookup, item, index)));
    return { ok: true, output: { list: kept.map(asJson) } };
  },
});

const dataReduce = defineNodeType({
  name: 'data.reduce',
  description: 'Reduces a list: numbers are summed, texts and lists are joined, objects are merged.',
  input: z.strictObject({
    list: list.describe('Items of one type. null, also for an unknown value, adds nothing.'),
    initial: z.unknown().optional().describe('The initial value, which is also the result for an empty list.'),
  }),
  output: z.strictObject({ value: z.unknown().describe('The sum; null for an empty list.') }),
  evaluate({ list, initial }) {
    // Skips nulls, so that a node may add to its own output, which is unknown at first.
    const places = [...list.keys()].filter((index) => list[index] !== null && list[index] !== undefined);
    const members = places.map((index) => list[index]);
    const [first, ...rest] = initial === undefined ? members : [initial, ...members];
    const kind = kindOf(first);
    if (rest.length === 0) return { ok: true, output: { value: asJson(first) } };
    const odd = rest.findIndex((member) => kind === null || kindOf(member) !== kind);
    if (odd >= 0) return notAddable(places[initial === undefined ? odd + 1 : odd] ?? 0);
    // All items have the type of the first.
    const value = sums[kind ?? 'list']([first, ...rest] as never);
    if (typeof value === 'number' && !Number.isFinite(value)) return tooLargeSum;
    return { ok: true, output: { value } };
  },
});

/** The list nodes. */
export const dataListNodes: readonly NodeType[] = [dataFilter, dataMap, dataReduce];

const MAX_WRITTEN = 10_000_000;

function memberLookup(lookup: Lookup, item: unknown, index: number): Lookup {
  return (name) => (name === 'item' ? item : name === 'index' ? index : lookup(name));
}

function tooLong(index: number): Failed {
  const message = `The texts up to member ${index} have over ${MAX_WRITTEN} characters. Map a part of the list.`;
  return { ok: false, code: 'list-too-long', message };
}

type Kind = keyof typeof sums;

const sums = {
  number: (numbers: readonly number[]): Json => decimalSum(numbers) ?? Number.POSITIVE_INFINITY,
  text: (texts: readonly string[]): Json => texts.join(''),
  list: (lists: readonly (readonly Json[])[]): Json => lists.flat(),
  object: (objects: readonly Readonly<Record<string, Json>>[]): Json =>
    Object.fromEntries(objects.flatMap((object) => Object.entries(object))),
} as const;

function kindOf(value: unknown): Kind | null {
  if (typeof value === 'number') return 'number';
  if (typeof value === 'string') return 'text';
  if (typeof value !== 'object' || value === null) return null;
  return Array.isArray(value) ? 'list' : 'object';
}

function notAddable(index: number): Failed {
  const message = `Member ${index} of the list cannot be added to what stands before it. Add up members of one kind.`;
  return { ok: false, code: 'not-addable', message };
}

const tooLargeSum: Failed = {
  ok: false,
  code: 'not-addable',
  message: 'The sum is too large a number. Sum up smaller numbers.',
};

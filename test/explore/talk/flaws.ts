import { english } from '../../../src/language/english/reader.ts';
import type { Json, JsonObject } from '../../../src/model/json.ts';
import type { GraphFunction, GraphSlot } from '../../../src/flow/graph/graph.ts';
import type { ScriptedCall, ScriptedReply, ScriptedRequest } from '../../../src/testing/scripted-model.ts';
import type { Chance } from '../chance.ts';
import {
  type Competent,
  competentReply,
  isAfterOutput,
  isSpent,
  knownIn,
  offeredTo,
  propertiesOf,
  requiredOf,
  type Situation,
  wasRefused,
} from './model.ts';

/** The flaws of a language model. */
export const flaws = [
  'none',
  'chatty',
  'asking',
  'double',
  'again',
  'inventive',
  'wordy',
  'empty',
  'json',
  'agreeing',
  'loose',
  'nested',
  'stale',
  'backwards',
  'guessing',
  'forgetful',
] as const;
export type Flaw = (typeof flaws)[number];

/**
 * Returns the reply of a model that understands every sentence and uses the offered tools, the conversation and the
 * known values. `flaw` spoils the reply.
 */
export function replyOf(request: ScriptedRequest, situation: Situation, flaw: Flaw, chance: Chance): ScriptedReply {
  return spoil(competentReply(request, situation, chance), request, situation, flaw, chance);
}

function spoil(
  reply: Competent,
  request: ScriptedRequest,
  situation: Situation,
  flaw: Flaw,
  chance: Chance,
): ScriptedReply {
  const { calls, text } = reply;
  switch (flaw) {
    case 'none':
      return reply;
    case 'chatty':
      return calls.length > 0
        ? {
            calls,
            text: chance.pick([
              'Thank you.',
              'Great!',
              'I have booked that for you.',
              '**Done** \u{1F60A}',
              'Muchas gracias.',
            ]),
          }
        : reply;
    case 'asking':
      return calls.length > 0 && chance.often(0.5)
        ? { calls, text: 'Thank you. And what else can you tell me?' }
        : reply;
    case 'double':
      return { calls: [...calls, ...calls], text };
    case 'again': {
      // Repeats the call that the caller has just refused.
      if (!wasRefused(request)) return reply;
      const before = request.items.findLast((item) => item.startsWith('call: '))?.slice(6);
      const again = offeredTo(request, situation).find(({ name }) => name === before && name !== 'answer');
      const due = again === undefined ? undefined : dueArguments(again, situation);
      return due === undefined ? reply : { calls: [due] };
    }
    case 'inventive': {
      const offersRecord = offeredTo(request, situation).some(({ body }) => body === 'record');
      if (!offersRecord || isAfterOutput(request) || chance.often(0.5)) return reply;
      const invented = inventedFor(situation, chance);
      if (invented === null) return reply;
      const [name, value] = invented;
      const record = calls.find((call) => call.name === 'record');
      if (record?.arguments !== undefined && Object.hasOwn(record.arguments, name)) return reply;
      const others = calls.filter((call) => call !== record);
      return {
        calls: [...others, { name: 'record', arguments: { ...record?.arguments, [name]: value } }],
        text: record === undefined ? text : '',
      };
    }
    case 'wordy':
      return calls.length > 0 && chance.often(0.35)
        ? { text: chance.pick(["Great! Let's go on.", 'I see.', "I'm sorry, but I cannot help with that."]) }
        : reply;
    case 'empty':
      return chance.often(0.3) ? { text: '' } : reply;
    case 'json': {
      const [first] = calls;
      if (first === undefined || !chance.often(0.5)) return reply;
      const args = JSON.stringify(first.arguments ?? {});
      const written = chance.pick([
        `${first.name}(${args})`,
        `<tool_call>{"name": "${first.name}", "arguments": ${args}}</tool_call>`,
        `{"name": "${first.name}", "arguments": ${args}}`,
      ]);
      return { text: written };
    }
    case 'agreeing': {
      // In the flow's language, words that lead to no call count as a yes. Only a model understands other languages.
      const isOther = calls.some(({ name }) => name !== 'record' && name !== 'answer');
      const isOwn = english.isOwn(request.items.findLast((item) => item.startsWith('user: '))?.slice(6) ?? '');
      return request.tools.includes('answer') && !isAfterOutput(request) && !isSpent(request) && !isOther && isOwn
        ? { calls: [{ name: 'answer', arguments: { agrees: true } }] }
        : reply;
    }
    case 'loose':
      return { calls: calls.map((call) => ({ ...call, arguments: loosened(call.arguments ?? {}, situation) })), text };
    case 'nested':
      return {
        calls: calls.map(({ name, arguments: args = {} }) => {
          const written = JSON.stringify(args);
          return {
            name,
            rawArguments:
              written === '{}'
                ? chance.pick(['', '""', 'null', '"{}"', '[]'])
                : chance.pick([
                    JSON.stringify(written),
                    `[${written}]`,
                    `{"arguments": ${written}}`,
                    `{"input": ${JSON.stringify(written)}}`,
                  ]),
          };
        }),
        text,
      };
    case 'stale': {
      const others = [...situation.graph.nodes.values()].flatMap(({ functions }) => functions);
      const other = chance.any(others.filter(({ name }) => !request.tools.includes(name)));
      const name = chance.often(0.5) ? (other?.name ?? 'book') : 'book_appointment';
      return isAfterOutput(request) ? reply : { calls: [...calls, { name, arguments: {} }], text };
    }
    case 'backwards': {
      const each = calls.flatMap((call) =>
        call.name === 'record'
          ? Object.entries(call.arguments ?? {}).map(([name, value]) => ({
              name: 'record',
              arguments: { [name]: value },
            }))
          : [call],
      );
      return { calls: each.toReversed(), text };
    }
    case 'guessing':
      return {
        calls: calls.map((call) => {
          const one = offeredTo(request, situation).find(({ name }) => name === call.name);
          return one === undefined || one.body === 'record' || one.name === 'answer'
            ? call
            : { ...call, arguments: { ...guessed(one, situation, chance), ...call.arguments } };
        }),
        text,
      };
    case 'forgetful': {
      // Repeats all values that it has ever recorded, without the corrections.
      const record = calls.find(({ name }) => name === 'record');
      if (record === undefined) return reply;
      const all = { ...memory.get(situation.meanings), ...record.arguments };
      memory.set(situation.meanings, all);
      return { calls: [...calls.filter((call) => call !== record), { name: 'record', arguments: all }], text };
    }
  }
}

/** The values recorded by a forgetful model, by talk. */
const memory = new WeakMap<object, JsonObject>();

/** Returns the same arguments in the loose form of a careless model. */
function loosened(args: JsonObject, { graph }: Situation): JsonObject {
  const words: Readonly<Record<number, string>> = {
    0: 'zero',
    3: 'three',
    4: 'four',
    5: 'five',
    9: 'nine',
    30: 'thirty',
  };
  const given = Object.entries(args).map(([name, value]): [string, Json] => {
    if (typeof value === 'number') return [name, words[value] ?? String(value)];
    if (typeof value === 'boolean') return [name, value ? 'yes' : 'no'];
    return [name, value];
  });
  const missing = [...graph.slots.keys()].filter((name) => !Object.hasOwn(args, name)).slice(0, 2);
  return { ...Object.fromEntries(given), ...Object.fromEntries(missing.map((name) => [name, null])), confidence: 0.9 };
}

/** Returns guessed arguments for unknown values. */
function guessed(one: GraphFunction, situation: Situation, chance: Chance): JsonObject {
  const known = knownIn(situation.state);
  const args: Record<string, Json> = {};
  for (const [name, schema] of Object.entries(propertiesOf(one))) {
    const only = schema['enum'];
    const slot = situation.graph.slots.get(name);
    const value =
      known[name] ??
      (Array.isArray(only) ? (only[0] as Json) : slot === undefined ? 'unknown' : valueFor(slot, chance));
    args[name] = value;
  }
  return args;
}

function dueArguments(one: GraphFunction, { state }: Situation): ScriptedCall | undefined {
  const known = knownIn(state);
  const args: Record<string, Json> = {};
  for (const [name, schema] of Object.entries(propertiesOf(one))) {
    const only = schema['enum'];
    const value = known[name] ?? (Array.isArray(only) && only.length === 1 ? (only[0] as Json) : undefined);
    if (value !== undefined) args[name] = value;
  }
  return requiredOf(one).every((name) => Object.hasOwn(args, name)) ? { name: one.name, arguments: args } : undefined;
}

/** Returns an invented value for an unknown slot. */
function inventedFor({ graph, state }: Situation, chance: Chance): readonly [string, Json] | null {
  const unknown = [...graph.slots.values()].filter(({ name }) => !Object.hasOwn(state.knowledge.slots, name));
  const slot = chance.any(unknown);
  return slot === undefined ? null : [slot.name, valueFor(slot, chance)];
}

function valueFor(slot: GraphSlot, chance: Chance): Json {
  switch (slot.type) {
    case 'name':
      return 'John Doe';
    case 'date':
      return slot.before === null ? '2026-12-24' : '1990-01-01';
    case 'time':
      return '20:30';
    case 'phone':
      return '+12025550123';
    case 'code':
      return 'ZX4711';
    case 'integer':
    case 'number':
      return slot.minimum ?? 2;
    case 'boolean':
      return true;
    case 'enum':
      return chance.any([...slot.values.keys()]) ?? 'other';
    case 'text':
      return 'allergic to peanuts';
    case 'email':
      return 'john@example.com';
  }
}

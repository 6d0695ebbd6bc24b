import { nodeOf } from '../../../src/kernel/move/offers.ts';
import { confirmationIn } from '../../../src/kernel/state/draft.ts';
import type { Json } from '../../../src/model/json.ts';
import type { ScriptedCall, ScriptedReply, ScriptedRequest } from '../../../src/testing/scripted-model.ts';
import type { Chance } from '../chance.ts';
import {
  type Competent,
  competentReply,
  isAfterOutput,
  isSpent,
  meaningOf,
  offeredTo,
  type Situation,
} from '../talk/model.ts';
import type { Scene } from './scene.ts';

/** How a model misbehaves throughout a call. */
export const quirks = [
  'none',
  'agrees',
  'agrees_too',
  'asks',
  'mute',
  'wordy',
  'out_of_range',
  'empty_record',
  'same_id',
  'empty_ids',
  'ids_each_turn',
  'invents_over',
  'records_asked',
  'records_first',
  'empty_reply',
  'empty_results',
] as const;
/** `asks_back`, for scripts, always adds a question by the model. */
export type Quirk = (typeof quirks)[number] | 'asks_back';

/** A model's memory of its replies. */
export interface QuirkMemory {
  /** The value in the model's own question. */
  proposed: { readonly slot: string; readonly value: Json } | null;
  turns: number;
}

/** Returns the reply of a competent model, spoilt by one quirk. */
export function quirkyReply(
  request: ScriptedRequest,
  situation: Situation,
  quirk: Quirk,
  scene: Scene,
  memory: QuirkMemory,
  chance: Chance,
): ScriptedReply {
  const reply =
    answerToGenerator(request, situation, quirk) ??
    asking(competentReply(request, situation, chance), request, situation, scene);
  const { calls, text } = reply;
  const isToWords = !isAfterOutput(request) && !isSpent(request);
  const offersRecord = offeredTo(request, situation).some(({ body }) => body === 'record');
  const mayRecord = isToWords && offersRecord;
  switch (quirk) {
    case 'none':
    // The functions return nothing; the model is competent.
    case 'empty_results':
      return reply;
    case 'agrees':
    case 'agrees_too': {
      if (!isToWords || !request.tools.includes('answer') || situation.state.position.generator !== null) return reply;
      const others = quirk === 'agrees' ? [] : calls.filter(({ name }) => name !== 'answer');
      return { calls: [...others, { name: 'answer', arguments: { agrees: true } }] };
    }
    case 'asks':
      return calls.length > 0 && chance.often(0.7)
        ? {
            calls,
            text: chance.pick([
              'And how many of you are there?',
              'Good. And is there anything else?',
              'And when was that?',
            ]),
          }
        : reply;
    case 'asks_back':
      // A call is not made again until the caller has agreed to it.
      return isToWords && (calls.length === 0 || !isUnderstood(request, situation))
        ? { text: scene.phrases.askedBack }
        : reply;
    case 'mute':
      return { text: chance.pick(['I see.', 'Okay.', 'Good.', 'Alright, thank you.']) };
    case 'wordy':
      return calls.length > 0 && chance.often(0.5)
        ? { text: chance.pick(['I see.', 'Okay, one moment, please.', 'Could you say that again?', 'And what else?']) }
        : reply;
    case 'out_of_range':
      return { calls: calls.map((call) => (chance.often(0.6) ? outOfRange(call, situation) : call)), text };
    case 'empty_record':
      return mayRecord && chance.often(0.5) ? { calls: [{ name: 'record', arguments: {} }], text } : reply;
    case 'same_id':
      return { calls: calls.flatMap((call) => [signed(call, 'call_0'), signed(call, 'call_0')]), text };
    case 'empty_ids':
      return { calls: calls.map((call) => signed(call, '')), text };
    case 'ids_each_turn':
      return { calls: calls.map((call, index) => signed(call, `call_${index}`)), text };
    case 'invents_over':
      return mayRecord && chance.often(0.5)
        ? { calls: [...calls.filter(({ name }) => name !== 'record'), invented(calls, scene, chance)], text }
        : reply;
    case 'records_asked':
      return mayRecord ? proposing(reply, scene, memory, chance) : reply;
    case 'records_first':
      return offersRecord && !isToNewWords(request) ? { calls: [invented([], scene, chance)], text } : reply;
    case 'empty_reply':
      return chance.often(0.4) ? { text: '' } : reply;
  }
}

/** Returns a model's answer to a generator's question; null if there is none. */
function answerToGenerator(request: ScriptedRequest, { state, meanings }: Situation, quirk: Quirk): Competent | null {
  const asked = state.position.generator?.lastYield;
  if (asked?.type !== 'ask' || !request.tools.includes('answer') || isAfterOutput(request)) return null;
  const { slots = {}, wants } = meaningOf(request, meanings);
  const isAgreeing = quirk === 'agrees' || quirk === 'agrees_too';
  const said = wants === 'agree' ? true : wants === 'refuse' ? false : undefined;
  const value = asked.isConsent === true ? (isAgreeing ? true : said) : slots[asked.key];
  return value === undefined ? null : { calls: [{ name: 'answer', arguments: { value } }], text: '' };
}

/** Whether the words answer the open yes-or-no question; true if none is open. */
function isUnderstood(request: ScriptedRequest, { state, meanings }: Situation): boolean {
  return confirmationIn(state) === undefined || Object.keys(meaningOf(request, meanings)).length > 0;
}

/** Asks for the first unknown slot of the node if only the model asks for it and has nothing else to do. */
function asking(
  reply: Competent,
  request: ScriptedRequest,
  { graph, state }: Situation,
  { modelAsks = {} }: Scene,
): Competent {
  const collected = nodeOf(graph, state, state.position.node)?.collect ?? [];
  // The prompt says: ask for the first of them.
  const slot = collected.find((name) => state.knowledge.slots[name] === undefined);
  const question = slot === undefined ? undefined : modelAsks[slot];
  const isDue = reply.calls.length === 0 && request.tools.includes('record');
  return isDue && question !== undefined ? { calls: [], text: question } : reply;
}

/** Whether the request follows words of the caller, and not the start of a node or the output of a call. */
function isToNewWords({ items }: ScriptedRequest): boolean {
  return items.at(-1)?.startsWith('user: ') ?? false;
}

function signed(call: ScriptedCall, callId: string): ScriptedCall {
  return { ...call, callId };
}

/** Returns the call with values that no slot accepts. */
function outOfRange(call: ScriptedCall, { graph }: Situation): ScriptedCall {
  const given = Object.entries(call.arguments ?? {}).map(([name, value]): [string, Json] => {
    switch (graph.slots.get(name)?.type) {
      case 'date':
        return [name, '2020-02-02'];
      case 'time':
        return [name, '25:61'];
      case 'integer':
      case 'number':
        return [name, 4_000];
      case 'phone':
        return [name, '555 2671'];
      case 'enum':
        return [name, 'something'];
      case 'email':
        return [name, 'nobody'];
      default:
        return [name, value];
    }
  });
  return { ...call, arguments: Object.fromEntries(given) };
}

/** Records a value that the caller has not said, for any slot. */
function invented(calls: readonly ScriptedCall[], scene: Scene, chance: Chance): ScriptedCall {
  const given = calls.find(({ name }) => name === 'record')?.arguments ?? {};
  const slot = chance.any(Object.keys(scene.values));
  const value = slot === undefined ? undefined : scene.values[slot]?.at(-1)?.value;
  return { name: 'record', arguments: slot === undefined || value === undefined ? given : { ...given, [slot]: value } };
}

/** Asks about an invented value and records it whatever the answer is. */
function proposing(reply: ScriptedReply, scene: Scene, memory: QuirkMemory, chance: Chance): ScriptedReply {
  const { proposed } = memory;
  if (proposed !== null) {
    memory.proposed = null;
    const others = (reply.calls ?? []).filter(({ name }) => name !== 'record');
    const given = (reply.calls ?? []).find(({ name }) => name === 'record')?.arguments ?? {};
    return { calls: [...others, { name: 'record', arguments: { ...given, [proposed.slot]: proposed.value } }] };
  }
  const slot = chance.any(Object.keys(scene.values));
  const other = slot === undefined ? undefined : scene.values[slot]?.[1];
  if (slot === undefined || other === undefined || chance.often(0.6)) return reply;
  memory.proposed = { slot, value: other.value };
  return { text: `Would that be ${other.words}?` };
}

import type { Json } from '../../../model/json.ts';
import { recordFunctionName } from '../../../flow/document/function.ts';
import { askedFields } from '../asked-fields.ts';
import { type Conversation, lastAgentText } from '../conversation.ts';
import { describe } from './describe-function.ts';
import { type Field, typedValue } from '../field.ts';
import { hear } from '../read/hear.ts';
import { readParameter } from '../read/read-parameter.ts';
import { type BrainTool, fits, onlyValueOf } from '../schema.ts';
import { sideOfWords } from './score-function.ts';

/**
 * Fills the remaining arguments. A function that does work takes known values; a function about the caller's words
 * takes only values that the caller said.
 */
export function addKnown(
  tool: BrainTool,
  fields: readonly Field[],
  given: Map<string, Json>,
  conversation: Conversation,
): void {
  const { isAboutCaller, meanings } = describe(tool);
  const isNew = meanings.some((meaning) =>
    meaning.features.some(({ concepts }) => concepts.some((concept) => ANEW.has(concept))),
  );
  for (const field of fields) {
    if (given.has(field.name)) continue;
    const known = conversation.known.get(field.name);
    const value = known === undefined || isNew || isAboutCaller ? onlyValueOf(field.schema) : typedValue(field, known);
    if (value !== undefined && fits(field.schema, value)) given.set(field.name, value);
    else if (!isNew && field.required) {
      const said = saidBefore(field, conversation) ?? acceptedOffer(field, conversation);
      if (said !== undefined && fits(field.schema, said)) given.set(field.name, said);
    }
  }
}

const ANEW = new Set(['other', 'change', 'move', 'correct']);

/** Returns a value that the caller said a few turns ago, if only `record` was called since. */
function saidBefore(field: Field, conversation: Conversation): Json | undefined {
  const { items, now, region } = conversation;
  if (field.kind === 'text' || field.kind === 'boolean') return undefined;
  const last = items.findLastIndex((item) => item.type === 'caller');
  for (let at = last - 1; at >= 0; at -= 1) {
    const item = items[at];
    if (item?.type === 'call' && item.name !== recordFunctionName) return undefined;
    if (item?.type !== 'caller') continue;
    const asked = askedFields([field], lastAgentText(items, at), {
      ...conversation,
      known: new Map(),
      unconfirmed: new Set(),
      missing: [],
    });
    const reading = hear(item.text, [field], { now, region, asked, known: new Map() }).heard[0];
    if (reading !== undefined) return reading.value;
  }
  return undefined;
}

/** Returns the only value that the agent offered, if the caller agrees. */
function acceptedOffer(field: Field, { items, now, region }: Conversation): Json | undefined {
  const last = items.at(-1);
  if (last?.type !== 'caller' || !['date', 'time', 'number', 'integer'].includes(field.kind)) return undefined;
  const side = sideOfWords(last.text, true);
  const offer = lastAgentText(items);
  if (side !== 'yes' || /\bor\b/.test(offer)) return undefined;
  const reading = readParameter({ ...field, direction: field.direction ?? 'future' }, offer, {
    now,
    region,
    asked: field.kind !== 'number' && field.kind !== 'integer',
  });
  return reading.ok && reading.certain ? reading.value : undefined;
}

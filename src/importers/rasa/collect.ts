import type { Draft } from '../draft.ts';
import type { DraftLadder, DraftSlot } from '../draft-node.ts';
import { isRecord } from '../pipecat/rewrite.ts';
import { system } from '../router.ts';
import type { Source } from '../source.ts';
import { plainText, shortly } from '../words.ts';
import { noteLost } from '../unread-keys.ts';
import { type ForeignKeys, withKeys } from '../slots/keyed-slot.ts';
import { declareSlot, type Domain } from './domain.ts';

/** Writes a step that asks for a slot. */
export function writeCollect(
  draft: Draft,
  domain: Domain,
  step: Source,
  id: string,
  { slot, next }: { slot: string; next: string },
): void {
  const name = draft.name(slot, 'read');
  const description = step.text('description');
  const utter = step.text('utter') ?? `utter_ask_${slot}`;
  const ask = domain.response(utter);
  const action = `action_ask_${slot}`;
  if (ask === undefined && domain.actions.has(action))
    draft.notes.lost(step, `${action}: code that asks for ${slot}. The model asks; write \`ask\` of the slot`);
  else if (ask === undefined) draft.notes.changed(step, `${utter} is not in the domain: the model asks for ${slot}`);
  const isAskedAnew = step.at('ask_before_filling').take();
  if (isAskedAnew === true)
    draft.notes.changed(step, `ask_before_filling: what was said of ${slot} before is taken, and not asked again`);
  noteLost(draft, step, ['reset_after_flow_ends', 'force_slot_filling']);
  const keys = step.has('dtmf') ? readKeys(draft, step.at('dtmf')) : undefined;
  const ladder = ladderOf(step.at('silence_timeout').take());
  const isSlot = declareSlot(draft, slot, domain.slots.get(slot), {
    ...(ask === undefined ? {} : { ask }),
    ...(description === undefined ? {} : { description }),
    ...(ladder === undefined ? {} : { ladder }),
    words: domain.buttons(utter),
  });
  if (!isSlot) {
    draft.name(slot, 'set');
    const keep = {
      name: 'keep_values',
      description: `The caller has said ${slot}.`,
      parameters: { type: 'object', properties: { [name]: {} }, required: [name] },
      transition_to: next,
    };
    const line = ask === undefined ? {} : { say: ask };
    return draft.node(
      id,
      { ...line, task_messages: [system(description ?? `Ask for ${slot}.`)], functions: [keep] },
      step,
    );
  }
  if (keys !== undefined) draft.amendSlot(name, (one) => withKeys(draft, step.at('dtmf'), one, keys));
  const validation = domain.slots.get(slot)?.at('validation');
  for (const rejection of [...step.items('rejections'), ...(validation?.items('rejections') ?? [])])
    reject(draft, domain, name, slot, rejection);
  validation?.take();
  domain.slots.get(slot)?.at('allow_llm_set').take();
  draft.node(id, { collect: [name], default_transition: next }, step);
}

/** Reads digits by keys. A caller can always speak as well. */
function readKeys(draft: Draft, dtmf: Source): ForeignKeys {
  const keys = { length: dtmf.number('length'), end: dtmf.text('finish_on_key') };
  if (dtmf.flag('allow_audio_input') === false)
    draft.notes.changed(dtmf, 'a caller may also say the value that is asked for by keys');
  dtmf.take();
  return keys;
}

/** Writes a simple rejection as a rule of the slot. Reports any other one. */
function reject(draft: Draft, domain: Domain, name: string, slot: string, rejection: Source): void {
  const text = plainText(rejection.at('if').take());
  const utter = rejection.text('utter');
  const line = utter === undefined ? undefined : domain.response(utter);
  const own = `slots\\.${slot.replaceAll(/[^\w]/g, '.')}`;
  const pattern = new RegExp(`^not\\s*\\(?\\s*${own}\\s+matches\\s+["'](.+)["']\\s*\\)?$`, 'i').exec(text.trim())?.[1];
  const [, sign, bound] = new RegExp(`^${own}\\s*(<=?|>=?)\\s*(-?\\d+(?:\\.\\d+)?)$`).exec(text.trim()) ?? [];
  const isRule = (type: DraftSlot['type'], more: Partial<DraftSlot>): boolean => {
    let isOfType = false;
    draft.amendSlot(name, (one) => {
      isOfType = one.type === type;
      return isOfType ? { ...one, ...more } : one;
    });
    return isOfType;
  };
  const isTaken =
    pattern === undefined
      ? bound !== undefined &&
        ((sign === '<' && isRule('number', { minimum: Number(bound) })) ||
          (sign === '>' && isRule('number', { maximum: Number(bound) })))
      : isRule('text', { pattern: whole(pattern) });
  if (isTaken) {
    draft.notes.changed(rejection, `a rejection of ${slot} is a rule of its slot`);
    if (line !== undefined)
      draft.notes.lost(rejection, `the line for a refused value of ${slot}: a slot has its own words for that`);
    return;
  }
  draft.notes.lost(
    rejection,
    `a rejection of ${slot}: ${shortly(text)}; let a function check the value, or write a rule of the slot`,
  );
}

function ladderOf(timeout: unknown): DraftLadder | undefined {
  const seconds =
    typeof timeout === 'number'
      ? timeout
      : isRecord(timeout)
        ? Object.values(timeout).find((value) => typeof value === 'number')
        : undefined;
  return typeof seconds === 'number'
    ? { no_input_ms: Math.min(600_000, Math.max(0, Math.round(seconds * 1_000))) }
    : undefined;
}

/** A Rasa pattern may match a part. Ours must match the whole value. */
function whole(pattern: string): string {
  return `${pattern.startsWith('^') ? '' : '.*'}${pattern}${pattern.endsWith('$') ? '' : '.*'}`;
}

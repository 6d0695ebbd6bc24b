import type { Graph, GraphSlot } from '../../flow/graph/graph.ts';
import type { Act, ActKind, Utterance } from '../../model/dialogue.ts';
import { sameValue } from '../../flow/expression/same-value.ts';
import type { Json } from '../../model/json.ts';

/** Returns the act of this kind in an utterance; undefined if there is none. */
export function actOf<Kind extends ActKind>(
  utterance: Utterance | null | undefined,
  kind: Kind,
): Extract<Act, { act: Kind }> | undefined {
  for (const one of utterance?.acts ?? []) if (one.act === kind) return one as Extract<Act, { act: Kind }>; // The kind was checked.
  return undefined;
}

export function hasAct(utterance: Utterance | null | undefined, ...kinds: readonly ActKind[]): boolean {
  for (const { act } of utterance?.acts ?? []) if (kinds.includes(act)) return true;
  return false;
}

/** Returns the side that the rules read in words: a plain answer, otherwise the leaning. */
export function sideRead(read: {
  readonly answer?: 'yes' | 'no' | undefined;
  readonly leansYes?: true | undefined;
  readonly leansNo?: true | undefined;
}): 'yes' | 'no' | undefined {
  return read.answer ?? (read.leansYes === true ? 'yes' : read.leansNo === true ? 'no' : undefined);
}

/** Returns the yes or no if it is the whole utterance. */
export function plainAnswer(utterance: Utterance | null | undefined): 'yes' | 'no' | undefined {
  const answer = actOf(utterance, 'answer');
  if (utterance == null || answer === undefined || utterance.rest || voidsAnswer(utterance)) return undefined;
  return answer.yes ? 'yes' : 'no';
}

/** Checks for acts that rule out a plain answer. A boolean value is itself the answer. */
function voidsAnswer({ acts }: Utterance): boolean {
  return acts.some((one) => {
    if (one.act === 'inform' || one.act === 'correct') return typeof one.value !== 'boolean';
    return one.act === 'hedge' || one.act === 'ask' || one.act === 'restate' || one.act === 'problem';
  });
}

/** Checks whether the words contain a condition, a doubt or a question, or only repeat known values. */
export function isHedged(utterance: Utterance | null | undefined): boolean {
  if (utterance == null) return false;
  return (
    hasAct(utterance, 'hedge', 'restate', 'ask') ||
    (saidValue(utterance)?.certain === true && sideOf(utterance) === null)
  );
}

/** Returns the side that an utterance takes, whatever else it contains; null for neither. */
export function sideOf(utterance: Utterance | null | undefined): 'yes' | 'no' | null {
  const answer = actOf(utterance, 'answer');
  return answer === undefined ? null : answer.yes ? 'yes' : 'no';
}

/** Checks for a no, with or without other words. A question and a repetition of the question's values come from a caller who misheard it. */
export function refusesInWords(utterance: Utterance | null | undefined): boolean {
  return sideOf(utterance) === 'no' && !hasAct(utterance, 'ask', 'restate');
}

/** Returns whether a yes was plain or only feedback of a listener. */
export function strengthOf(utterance: Utterance | null | undefined): 'plain' | 'weak' {
  return actOf(utterance, 'answer')?.strength ?? 'plain';
}

/** A value that the rules read in the words. */
export interface SaidValue {
  readonly slot: string;
  readonly value: Json;
  readonly certain: boolean;
  readonly takesBack: boolean;
}

/** Returns the value if it is the whole utterance; null otherwise. */
export function saidValue(utterance: Utterance | null | undefined): SaidValue | null {
  return utterance == null || utterance.rest ? null : valueIn(utterance);
}

/** Returns the certain value of a slot, possibly beside other words; null if there is none. */
export function certainValue(utterance: Utterance | null | undefined, slot: string): SaidValue | null {
  const found = utterance?.acts.find((one) => isValueOf(one, slot));
  if (found === undefined || !isValueOf(found, slot) || !found.certain || found.value === undefined) return null;
  return { slot, value: found.value, certain: true, takesBack: found.takesBack === true };
}

/** Checks whether the words give a value of another slot behind a yes to the open read-back. */
export function agreesBeside(utterance: Utterance | null | undefined): boolean {
  return utterance?.acts.some((one) => (one.act === 'inform' || one.act === 'correct') && one.agrees === true) === true;
}

/** Checks whether rules read this value of the slot in the words, possibly beside other words. */
export function saysValue(utterance: Utterance | null | undefined, slot: string, value: Json): boolean {
  return utterance?.acts.some((one) => isValueOf(one, slot) && sameValue(one.value, value)) === true;
}

function isValueOf(act: Act, slot: string): act is Extract<Act, { act: 'inform' | 'correct' }> {
  return (act.act === 'inform' || act.act === 'correct') && act.slot === slot;
}

function valueIn({ acts }: Utterance): SaidValue | null {
  for (const one of acts)
    if ((one.act === 'inform' || one.act === 'correct') && one.value !== undefined)
      return { slot: one.slot, value: one.value, certain: one.certain, takesBack: one.takesBack === true };
  return null;
}

/** Returns the slots with a value among other words. */
export function mentionedSlots(utterance: Utterance | null | undefined): readonly string[] {
  if (utterance == null) return [];
  const whole = saidValue(utterance)?.slot;
  return utterance.acts.flatMap((one) => (one.act === 'inform' && one.slot !== whole ? [one.slot] : []));
}

/** Checks whether the words contain nothing for another node. */
export function saysNothing(utterance: Utterance | null | undefined): boolean {
  if (utterance == null || (utterance.acts.length === 0 && !utterance.rest)) return true;
  return hasAct(utterance, 'noise', 'stall') || plainAnswer(utterance) !== undefined;
}

/** Returns the value of the other end if words say a range: "from Monday to Friday". Null for other words. */
export function otherEnd(
  { slots }: Pick<Graph, 'slots'>,
  utterance: Utterance | null | undefined,
  said: SaidValue | null,
): { readonly slot: GraphSlot; readonly value: Json } | null {
  const own = slots.get(said?.slot ?? '');
  if (own === undefined || said?.certain !== true) return null;
  for (const slot of slots.values()) {
    const found = slot.ends === own.name || own.ends === slot.name ? certainValue(utterance, slot.name) : null;
    if (found !== null) return { slot, value: found.value };
  }
  return null;
}

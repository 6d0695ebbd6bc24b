import type { Act, ActKind, Utterance } from '../../events/dialogue.ts';
import type { Json } from '../../events/json.ts';

/** The act of a kind that an utterance holds; undefined if it holds none, or there is no utterance. */
export function actOf<Kind extends ActKind>(
  utterance: Utterance | null | undefined,
  kind: Kind,
): Extract<Act, { act: Kind }> | undefined {
  return utterance?.acts.find((one): one is Extract<Act, { act: Kind }> => one.act === kind);
}

export function hasAct(utterance: Utterance | null | undefined, ...kinds: readonly ActKind[]): boolean {
  return utterance?.acts.some(({ act }) => kinds.includes(act)) === true;
}

/** A yes or no that is all of the utterance; undefined if something else stands beside it. */
export function plainAnswer(utterance: Utterance | null | undefined): 'yes' | 'no' | undefined {
  const answer = actOf(utterance, 'answer');
  if (utterance == null || answer === undefined || utterance.rest || voidsAnswer(utterance)) return undefined;
  return answer.yes ? 'yes' : 'no';
}

/** Acts that leave no plain answer beside them. A boolean's own value is that answer. */
function voidsAnswer({ acts }: Utterance): boolean {
  return acts.some((one) => {
    if (one.act === 'inform' || one.act === 'correct') return typeof one.value !== 'boolean';
    return one.act === 'hedge' || one.act === 'ask' || one.act === 'restate' || one.act === 'problem';
  });
}

/** A condition, a doubt or a question stands in the words, or they only say again what is known. */
export function isHedged(utterance: Utterance | null | undefined): boolean {
  if (utterance == null) return false;
  return (
    hasAct(utterance, 'hedge', 'restate', 'ask') ||
    (saidValue(utterance)?.certain === true && sideOf(utterance) === null)
  );
}

/** The side that an utterance takes, whatever else it says; null for neither. */
export function sideOf(utterance: Utterance | null | undefined): 'yes' | 'no' | null {
  const answer = actOf(utterance, 'answer');
  return answer === undefined ? null : answer.yes ? 'yes' : 'no';
}

/** How a yes was said: plainly, or as listeners say it in passing. */
export function strengthOf(utterance: Utterance | null | undefined): 'plain' | 'weak' {
  return actOf(utterance, 'answer')?.strength ?? 'plain';
}

/** A value that rules read in the words. */
export interface SaidValue {
  readonly slot: string;
  readonly value: Json;
  readonly certain: boolean;
  readonly takesBack: boolean;
}

/** The value that all words of the utterance give; null if other words stand beside it. */
export function saidValue(utterance: Utterance | null | undefined): SaidValue | null {
  return utterance == null || utterance.rest ? null : valueIn(utterance);
}

function valueIn({ acts }: Utterance): SaidValue | null {
  for (const one of acts)
    if ((one.act === 'inform' || one.act === 'correct') && one.value !== undefined)
      return { slot: one.slot, value: one.value, certain: one.certain, takesBack: one.takesBack === true };
  return null;
}

/** The slots of which the words hold a value among other words. */
export function mentionedSlots(utterance: Utterance | null | undefined): readonly string[] {
  if (utterance == null) return [];
  const whole = saidValue(utterance)?.slot;
  return utterance.acts.flatMap((one) => (one.act === 'inform' && one.slot !== whole ? [one.slot] : []));
}

/** Whether the words hold nothing that another node could take. */
export function saysNothing(utterance: Utterance | null | undefined): boolean {
  if (utterance == null || (utterance.acts.length === 0 && !utterance.rest)) return true;
  return hasAct(utterance, 'noise', 'stall') || plainAnswer(utterance) !== undefined;
}

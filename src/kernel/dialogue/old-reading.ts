import type { Act, Utterance } from '../../model/dialogue.ts';
import type { Json } from '../../model/json.ts';
import type { TypedValue } from '../../model/typed-value.ts';
import { sideRead } from './utterance.ts';

/** The reading of a caller's words in releases before dialogue acts, still present in old logs and stores. */
export interface OldReading {
  readonly answer?: 'yes' | 'no';
  readonly isHedged?: true;
  readonly restates?: true;
  readonly isPlain?: true;
  readonly leansYes?: true;
  readonly isBlank?: true;
  readonly slot?: { readonly slot: string; readonly value: Json; readonly isUnsure?: true };
  readonly mentions?: readonly string[];
  readonly calls?: string;
  readonly declines?: true;
  readonly leansNo?: true;
  readonly asksFor?: 'repeat' | 'patience';
  readonly answered?: TypedValue & { readonly isUnderstood: boolean };
}

/** Converts an old reading to dialogue acts. `question` is the key of the generator's open question, if any. */
export function actsOfOldReading(reading: OldReading, question: string | null = null): Utterance {
  const by = 'rules';
  const acts: Act[] = [];
  const side = sideRead(reading);
  if (side !== undefined) acts.push({ by, act: 'answer', yes: side === 'yes', strength: 'plain' });
  if (reading.isHedged === true && reading.restates !== true) acts.push({ by, act: 'hedge' });
  if (reading.restates === true) acts.push({ by, act: 'restate' });
  if (reading.isBlank === true) acts.push({ by, act: 'noise' });
  else if (reading.isPlain === true && side === undefined) acts.push({ by, act: 'stall' });
  if (reading.slot !== undefined) {
    const { slot, value, isUnsure } = reading.slot;
    acts.push({ by, act: 'inform', slot, value, certain: isUnsure !== true });
  }
  for (const slot of reading.mentions ?? [])
    if (slot !== reading.slot?.slot) acts.push({ by, act: 'inform', slot, certain: true });
  if (reading.calls !== undefined) acts.push({ by, act: 'call', function: reading.calls, arguments: {} });
  if (reading.declines === true) acts.push({ by, act: 'decline' });
  if (reading.asksFor !== undefined)
    acts.push({ by, act: 'request', of: reading.asksFor === 'patience' ? 'time' : 'repeat' });
  if (reading.answered !== undefined && question !== null) acts.push(...answerActs(reading.answered, question));
  const isCovered =
    reading.answer !== undefined || reading.isPlain === true || reading.isBlank === true || reading.slot !== undefined;
  return { acts, rest: !isCovered, unfinished: false, foreign: false };
}

/** Returns the acts of an answer to a generator's question: a value, a problem, or nothing. */
export function answerActs(
  answered: TypedValue & { readonly isUnderstood: boolean },
  question: string,
): readonly Act[] {
  if (answered.ok) return [{ by: 'rules', act: 'inform', slot: question, value: answered.value, certain: true }];
  if (!answered.isUnderstood) return [];
  return [{ by: 'rules', act: 'problem', slot: question, problem: answered.problem }];
}

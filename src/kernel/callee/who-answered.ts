import type { Answerer, AnswerReason, AnswerVerdict, CalleeSign, CalleeWords } from '../../model/callee.ts';

/** The person or machine that answered; null if the words do not decide it. */
export interface Judgement {
  readonly who: Answerer | null;
  readonly reason: AnswerReason;
}

/** Facts besides the words. */
export interface HeardBefore {
  /** The verdict so far; null if unknown. */
  readonly who: Answerer | null;
  /** The agent has said "Hello?" since, and the words may react to it. */
  readonly wasGreeted: boolean;
  readonly verdict: AnswerVerdict | null;
}

/** Most words of a person who answers the telephone, and fewest of a greeting without typical words. */
const mostOfPerson = 8;
const leastOfGreeting = 25;

/** The order in which typical words decide. A greeting may ask for the reason of the call, and a menu may offer to hold. */
const decided: readonly (readonly [CalleeSign, Answerer])[] = [
  ['voicemail', 'voicemail'],
  ['screener', 'screener'],
  ['menu', 'menu'],
  ['hold', 'hold'],
];

/** Decides by words, their number, and a verdict of LiveKit's detection. Words of a machine weigh more than the verdict. */
export function whoAnswered({ signs, words }: CalleeWords, { who, wasGreeted, verdict }: HeardBefore): Judgement {
  const machine = decided.find(([sign]) => signs.includes(sign));
  if (machine !== undefined) return { who: machine[1], reason: 'words' };
  if (verdict !== null) return { who: byVerdict[verdict], reason: 'detector' };
  const isLong = words > mostOfPerson;
  if (signs.includes('person') || (signs.includes('hello') && !isLong)) return { who: 'person', reason: 'words' };
  // The second half of a greeting. A person who picks up says hello.
  if (who === 'voicemail') return { who, reason: 'words' };
  const isAway = signs.includes('away');
  if (isAway && isLong) return { who: 'voicemail', reason: 'words' };
  if (words >= leastOfGreeting) return { who: 'voicemail', reason: 'long' };
  // A queue plays announcements.
  if (isLong && who !== null) return { who, reason: 'long' };
  if (!isLong && !isAway) return { who: 'person', reason: 'short' };
  return wasGreeted ? { who: 'person', reason: 'second-words' } : { who: null, reason: isLong ? 'long' : 'words' };
}

const byVerdict: Readonly<Record<AnswerVerdict, Answerer>> = {
  human: 'person',
  'machine-ivr': 'menu',
  'machine-vm': 'voicemail',
  'machine-unavailable': 'voicemail',
};

/** Checks whether words show that a machine is on a line that was taken for a person. */
export function showsMachine({ signs, words }: CalleeWords): boolean {
  return decided.some(([sign]) => signs.includes(sign)) || (signs.includes('away') && words > mostOfPerson);
}

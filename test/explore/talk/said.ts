import type { Json } from '../../../src/model/json.ts';

/** The meaning of a sentence: slot values, and the caller's wish. */
export interface Meaning {
  readonly slots?: Readonly<Record<string, Json>>;
  /** `agree`, `refuse`, or the name of a function. */
  readonly wants?: string;
}

export interface Said {
  readonly text: string;
  readonly means: Meaning;
  /** The telephone keys that are pressed instead of words. */
  readonly keys?: string;
}

export function said(text: string, means: Meaning = {}): Said {
  return { text, means };
}

export const yes = said('Yes.', { wants: 'agree' });
export const no = said('No.', { wants: 'refuse' });

/** A fact that a caller knows: its value, its words, and the pattern that recognises it in speech. */
export interface Fact {
  readonly value: Json;
  readonly words: string;
  readonly heardAs: RegExp;
}

export function fact(value: Json, words: string, heardAs: RegExp = new RegExp(words, 'i')): Fact {
  return { value, words, heardAs };
}

export type Facts = Readonly<Record<string, Fact>>;

/** Returns a caller's answer to a question; null if the rule does not match the question. */
export type Answer = (question: string, heard: string, facts: Facts) => Said | null;

/** Answers with the value of one slot, in its words. */
export function tells(when: RegExp, slot: string, wants?: string): Answer {
  return (question, _heard, facts) => {
    const known = facts[slot];
    if (!when.test(question) || known === undefined) return null;
    return said(`${known.words}.`, { slots: { [slot]: known.value }, ...(wants === undefined ? {} : { wants }) });
  };
}

/** Answers with the same words each time. */
export function says(when: RegExp, words: Said): Answer {
  return (question) => (when.test(question) ? words : null);
}

/** Agrees if the question contains all true values, else corrects a wrong one. */
export function agreesTo(when: RegExp, slots: readonly string[]): Answer {
  return (question, heard, facts) => {
    if (!when.test(question)) return null;
    const wrong = slots.find((slot) => facts[slot] !== undefined && !facts[slot].heardAs.test(heard));
    if (wrong === undefined) return yes;
    const right = facts[wrong] as Fact; // It was found above.
    return said(`No, ${right.words}.`, { slots: { [wrong]: right.value } });
  };
}

/** Agrees to a true read-back: of the fact in the question, else of any fact in the last read-back. */
export const readBack: Answer = (question, heard, facts) => {
  if (!/right\?|correct\?/i.test(question)) return null;
  // In "So: Pain level 0, is that right?", the subject follows the words of the repetition.
  const asked = question.replace(/^[^:,]+: /, '');
  const named = Object.keys(facts).find((name) => asked.toLowerCase().startsWith(`${name.replaceAll('_', ' ')} `));
  const value = named === undefined ? lastReadIn(heard) : asked.slice(named.length);
  // A number that is read digit by digit is the phone number.
  const about = named ?? (/\d(?: \d)+/.test(value) ? 'phone' : undefined);
  const known = Object.entries(facts).filter(([name]) => about === undefined || name === about);
  return known.some(([, { heardAs }]) => heardAs.test(value)) ? yes : no;
};

/** Returns the last sentence with a value, without the bare question and the words of a repetition. */
function lastReadIn(heard: string): string {
  const values = sentences(heard).filter((one) => !/(?:^|: )(?:is that|that is) (?:right|correct)\?$/i.test(one));
  return values.findLast((one) => !/^(?:Sorry|I am afraid|Let me|I did not|Are you|Hello)\b/.test(one)) ?? heard;
}

/** Splits a text into sentences, with their punctuation. */
export function sentences(text: string): readonly string[] {
  return text.match(/[^.!?]+[.!?]+/g)?.map((one) => one.trim()) ?? [];
}

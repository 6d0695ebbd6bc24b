import type { Json } from '../../../src/model/json.ts';

/** What a sentence of a caller means to whoever understands language: values of slots, and what the caller wants. */
export interface Meaning {
  readonly slots?: Readonly<Record<string, Json>>;
  /** `agree`, `refuse`, or the name of a function that is meant. */
  readonly wants?: string;
}

/** One sentence of a caller. */
export interface Said {
  readonly text: string;
  readonly means: Meaning;
}

export function said(text: string, means: Meaning = {}): Said {
  return { text, means };
}

export const yes = said('Yes.', { wants: 'agree' });
export const no = said('No.', { wants: 'refuse' });

/** A fact that a caller knows: its value, how they say it, and by what they recognise it when they hear it. */
export interface Fact {
  readonly value: Json;
  readonly words: string;
  readonly heardAs: RegExp;
}

export function fact(value: Json, words: string, heardAs: RegExp = new RegExp(words, 'i')): Fact {
  return { value, words, heardAs };
}

export type Facts = Readonly<Record<string, Fact>>;

/** What a caller says to a question that they have heard; null where the question is not this one. */
export type Answer = (question: string, heard: string, facts: Facts) => Said | null;

/** The value of one slot, said in its words. */
export function tells(when: RegExp, slot: string, wants?: string): Answer {
  return (question, _heard, facts) => {
    const known = facts[slot];
    if (!when.test(question) || known === undefined) return null;
    return said(`${known.words}.`, { slots: { [slot]: known.value }, ...(wants === undefined ? {} : { wants }) });
  };
}

/** The same words each time. */
export function says(when: RegExp, words: Said): Answer {
  return (question) => (when.test(question) ? words : null);
}

/** Agrees where everything that is true is heard in the question, else corrects what is not. */
export function agreesTo(when: RegExp, slots: readonly string[]): Answer {
  return (question, heard, facts) => {
    if (!when.test(question)) return null;
    const wrong = slots.find((slot) => facts[slot] !== undefined && !facts[slot].heardAs.test(heard));
    if (wrong === undefined) return yes;
    const right = facts[wrong] as Fact; // Seen to be there.
    return said(`No, ${right.words}.`, { slots: { [wrong]: right.value } });
  };
}

/** Agrees to a read-back of what is true: of the fact that it names, else of any that stands in what was read last. */
export const readBack: Answer = (question, heard, facts) => {
  if (!/right\?|correct\?/i.test(question)) return null;
  // "So: Pain level 0, is that right?" names what it is about behind what it is put again with.
  const asked = question.replace(/^[^:,]+: /, '');
  const named = Object.keys(facts).find((name) => asked.toLowerCase().startsWith(`${name.replaceAll('_', ' ')} `));
  const value = named === undefined ? lastReadIn(heard) : asked.slice(named.length);
  // A number that is read digit by digit is no other fact than the phone's.
  const about = named ?? (/\d(?: \d)+/.test(value) ? 'phone' : undefined);
  const known = Object.entries(facts).filter(([name]) => about === undefined || name === about);
  return known.some(([, { heardAs }]) => heardAs.test(value)) ? yes : no;
};

/** The last sentence that says a value: not the bare question about it, nor what it is put again with. */
function lastReadIn(heard: string): string {
  const values = sentences(heard).filter((one) => !/(?:^|: )(?:is that|that is) (?:right|correct)\?$/i.test(one));
  return values.findLast((one) => !/^(?:Sorry|I am afraid|Let me|I did not|Are you|Hello)\b/.test(one)) ?? heard;
}

/** The sentences of what was heard, with their ends. */
export function sentences(text: string): readonly string[] {
  return text.match(/[^.!?]+[.!?]+/g)?.map((one) => one.trim()) ?? [];
}

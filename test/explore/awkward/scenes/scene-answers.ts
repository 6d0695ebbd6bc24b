import { type Answer, type Fact, said, type Said, yes } from '../../talk/said.ts';
import type { Tools } from '../../talk/talk.ts';
import type { Phrases } from '../phrases.ts';
import type { Scene } from '../scene.ts';

/** Functions that return their arguments. */
export const done = (names: readonly string[]) => (): Tools =>
  Object.fromEntries(names.map((name) => [name, (args: unknown) => Promise.resolve({ status: 'done', args })]));

/** Agrees if the values of these slots are heard as the caller means them, else refuses with the right value. */
export function agrees(when: RegExp, slots: readonly string[], { refusal, yes: [plain] }: Phrases): Answer {
  return (question, heard, facts) => {
    if (!when.test(question)) return null;
    const wrong = slots.find((slot) => facts[slot] !== undefined && !facts[slot].heardAs.test(heard));
    if (wrong === undefined) return said(plain, yes.means);
    const right = facts[wrong] as Fact; // It was found above.
    return said(refusal(right.words), { slots: { [wrong]: right.value } });
  };
}

/** Answers a read-back by whether the slot's value is the caller's. */
export function readsBack(when: RegExp, values: Scene['values'], { no, yes: [plain] }: Phrases): Answer {
  return (question, heard, facts): Said | null => {
    if (!when.test(question)) return null;
    const about = Object.keys(values).find((slot) => values[slot]?.some(({ heardAs }) => heardAs.test(heard)));
    const isRight = about !== undefined && facts[about]?.heardAs.test(heard) === true;
    return isRight ? said(plain, yes.means) : said(no, { wants: 'refuse' });
  };
}

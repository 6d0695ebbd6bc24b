import type { Caller } from './caller.ts';

/** What a caller of the clinic answers to the agent's last question, and null where nothing is asked. */
function answerTo(heard: string): string | null {
  const asked = questions.flatMap(([question, answer]) => {
    const at = [...heard.matchAll(question)].at(-1)?.index;
    return at === undefined ? [] : [{ at, answer }];
  });
  const last = asked.toSorted((one, other) => other.at - one.at)[0];
  if (last === undefined) return null;
  return typeof last.answer === 'string' ? last.answer : last.answer(heard);
}

/** The first full hour that was offered, which is understood best. */
function anHourOf(heard: string): string {
  return `At ${/\b\d{1,2} [AP]M\b/.exec(heard)?.[0] ?? /\b[\d:]+ [AP]M\b/.exec(heard)?.[0] ?? '11 AM'}, please.`;
}

const questions: readonly (readonly [RegExp, string | ((heard: string) => string)])[] = [
  [/shall we start\?/gi, 'Yes, please.'],
  [/your full name\?/gi, 'My name is Robert Miller.'],
  [/is that right\?/gi, 'Yes, that is right.'],
  [/date of birth\?/gi, 'May the second, nineteen eighty five.'],
  [/birth date once more/gi, 'The second of May, nineteen eighty five.'],
  [/been here before\?/gi, 'No, it is my first time.'],
  [/brings you in\?/gi, 'I need a check up.'],
  [/a phone number, in case/gi, 'Four one five, five five five, zero one two three.'],
  [/which day would (suit )?you( like)?\?/gi, 'Next Tuesday.'],
  [/what time would you like\?/gi, anHourOf],
  [/shall I book it\?/gi, 'Yes, please.'],
];

/** Answers question after question until the agent says what is waited for; `answer` is how the caller speaks. */
export async function goThrough(
  caller: Caller,
  answer: (words: string) => Promise<void>,
  awaited: RegExp,
  limitMs: number,
): Promise<void> {
  const until = performance.now() + limitMs;
  await caller.until(() => caller.isAgentThere(), 'the agent');
  const isOver = (): boolean => awaited.test(caller.heard()) || !caller.isAgentThere();
  for (let read = 0; !isOver();) {
    const fresh = (): string => caller.heard().slice(read);
    const isAsked = (): boolean =>
      isOver() || (answerTo(fresh()) !== null && caller.agentAttributes()['lk.agent.state'] === 'listening');
    await caller.until(isAsked, 'a question', until - performance.now());
    const words = answerTo(fresh());
    read = caller.heard().length;
    if (!isOver() && words !== null) await answer(words);
  }
}

import type { Caller } from './caller.ts';
import { readLedger } from './ledger.ts';

/** The agent speaks fast, so that the call is over sooner; a caller by voice does not, who is to be understood. */
export const quickVoice = { TEST_PACE: '2' };

/** As the agent has it: days are those of this machine's time zone. */
const now = new Date();
const tuesday = 2;
/** On a Tuesday the word alone would leave open which Tuesday is meant. */
export const visitDay = now.getDay() === tuesday ? 'Wednesday' : 'Tuesday';

/** What a caller of the clinic answers to each of its questions, in words that the recogniser understands. */
const answers: readonly (readonly [RegExp, string | ((heard: string) => string)])[] = [
  [/shall we start\?/gi, 'Yes, please.'],
  [/your full name\?/gi, 'My name is Robert Miller.'],
  [
    /is that right\?/gi,
    (heard) => (/(?:Robert Miller, |0 1 2 3\. )is that right\?\s*$/i.test(heard) ? 'Yes, that is right.' : 'No.'),
  ],
  [/date of birth\?|birth date/gi, 'I was born on March fourth, nineteen eighty four.'],
  [/been here before\?/gi, 'No, it is my first time.'],
  [/brings you in\?/gi, 'I need a check up.'],
  [/phone number/gi, 'My number is four one five, five five five, zero one two three.'],
  [/which day would (suit )?you( like)?\?/gi, `On ${visitDay}, please.`],
  [/what time would you like\?/gi, 'At eleven in the morning, please.'],
  [/shall I book it\?/gi, 'Yes, please.'],
  // Asked of those who were misheard.
  [/shall we go on\?/gi, 'Yes, please.'],
  [/would you like to change\?/gi, 'Nothing, please book it.'],
];

/** What the answers come to. */
export const visit = {
  full_name: 'Robert Miller',
  birth_date: '1984-03-04',
  reason: 'checkup',
  phone: '+14155550123',
  day: comingDay(),
  visit_time: '11:00',
};

/** How the agent ends a call in which the visit was booked. */
export const lastWords = new RegExp(
  String.raw`You are booked for ${visitDay}.* at 11 AM\. Please come fifteen minutes early.*Goodbye`,
  's',
);

/** What a caller hears and sees of a call, wherever it is. */
export interface Talker extends Pick<Caller, 'heard' | 'isAgentThere' | 'agentAttributes' | 'until'> {
  sound(): Pick<ReturnType<Caller['sound']>, 'lastLoudAt'>;
}

/** How long a person waits for an answer before saying it again, and how often, whatever the machine is busy with. */
const patienceMs = 12_000;
const attempts = 5;

/**
 * Goes through the intake as a person does: answers the last question once the agent has fallen silent, and says it
 * again where nothing comes of it. `say` is how the caller speaks. Ends when the agent says what is waited for.
 */
export async function goThrough(caller: Talker, say: (words: string) => Promise<void>, awaited: RegExp): Promise<void> {
  const isOver = (): boolean => awaited.test(caller.heard()) || !caller.isAgentThere();
  await caller.until(() => caller.isAgentThere(), 'the agent', 90_000);
  let words: string | null = null;
  let attempt = 0;
  for (let read = 0; !isOver();) {
    const fresh = (): string => caller.heard().slice(read);
    const isAsked = (): boolean => isOver() || (answerTo(fresh()) !== null && isSilent(caller));
    await caller.until(isAsked, 'a question', words === null ? 60_000 : patienceMs).catch((error: unknown) => {
      // The same words once more, as often as a person would.
      if (words === null || (attempt += 1) === attempts) throw error;
    });
    if (isOver()) return;
    const answer = answerTo(fresh());
    // Nothing is said again into what the agent is saying.
    if (answer === null && !isSilent(caller)) continue;
    if (answer !== null) attempt = 0;
    words = answer ?? words;
    read = caller.heard().length;
    if (words !== null) await say(words);
  }
}

/** What was booked by a session, or by any. */
export function visitsIn(folder: string, session: string | null): readonly object[] {
  const booked = readLedger(folder).filter((entry) => entry.did === 'book_visit');
  const own = booked.filter((entry) => session === null || entry['session'] === session);
  return own.map(({ did: _did, session: _session, ...facts }) => facts);
}

/** What is to be answered to the question that was asked last; null where nothing is. */
function answerTo(heard: string): string | null {
  const asked = answers.flatMap(([question, answer]) => {
    const at = [...heard.matchAll(question)].at(-1)?.index;
    return at === undefined ? [] : [{ at, answer }];
  });
  const last = asked.toSorted((one, other) => other.at - one.at)[0];
  if (last === undefined) return null;
  return typeof last.answer === 'string' ? last.answer : last.answer(heard);
}

/** Pauses between two sentences are shorter. */
const silenceMs = 400;

function isSilent(caller: Talker): boolean {
  return (
    caller.agentAttributes()['lk.agent.state'] === 'listening' &&
    performance.now() - caller.sound().lastLoudAt > silenceMs
  );
}

function comingDay(): string {
  const ahead = visitDay === 'Wednesday' ? 1 : (tuesday - now.getDay() + 7) % 7;
  return new Date(Date.UTC(now.getFullYear(), now.getMonth(), now.getDate() + ahead)).toISOString().slice(0, 10);
}

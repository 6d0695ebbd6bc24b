import type { Caller } from './caller.ts';
import { readLedger } from './ledger.ts';

/** The agent speaks fast to shorten the call. A caller by voice speaks normally, so that they are understood. */
export const quickVoice = { TEST_PACE: '2' };

/** Days are in this machine's time zone, as for the agent. */
const now = new Date();
const tuesday = 2;
/** On a Tuesday, "Tuesday" would be ambiguous. */
export const visitDay = now.getDay() === tuesday ? 'Wednesday' : 'Tuesday';

/** A clinic caller's answer to each question, in words that the recogniser understands. */
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
  // Asked if the caller was misheard.
  [/shall we go on\?/gi, 'Yes, please.'],
  [/would you like to change\?/gi, 'Nothing, please book it.'],
];

/** The booked visit that results from the answers. */
export const visit = {
  full_name: 'Robert Miller',
  birth_date: '1984-03-04',
  reason: 'checkup',
  phone: '+14155550123',
  day: comingDay(),
  visit_time: '11:00',
};

/** The agent's last words after the visit was booked. */
export const lastWords = new RegExp(
  String.raw`You are booked for ${visitDay}.* at 11 AM\. Please come fifteen minutes early.*Goodbye`,
  's',
);

/** A caller's view of a call, in a room or elsewhere. */
export interface Talker extends Pick<Caller, 'heard' | 'isAgentThere' | 'agentAttributes' | 'until'> {
  sound(): Pick<ReturnType<Caller['sound']>, 'lastLoudAt'>;
}

/** How long a person waits for an answer before repeating it, and how often. Long enough for a busy machine. */
const patienceMs = 12_000;
const attempts = 5;

/**
 * Goes through the intake like a person: answers the last question once the agent is silent, and repeats the answer if
 * nothing happens. `say` speaks. Ends when the agent says the awaited words.
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
      // Repeats the same words, as often as a person would.
      if (words === null || (attempt += 1) === attempts) throw error;
    });
    if (isOver()) return;
    const answer = answerTo(fresh());
    // Does not repeat words while the agent speaks.
    if (answer === null && !isSilent(caller)) continue;
    if (answer !== null) attempt = 0;
    words = answer ?? words;
    read = caller.heard().length;
    if (words !== null) await say(words);
  }
}

/** Returns the visits booked by a session, or by any session. */
export function visitsIn(folder: string, session: string | null): readonly object[] {
  const booked = readLedger(folder).filter((entry) => entry.did === 'book_visit');
  const own = booked.filter((entry) => session === null || entry['session'] === session);
  return own.map(({ did: _did, session: _session, ...facts }) => facts);
}

/** Returns the answer to the last question; null if there is none. */
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

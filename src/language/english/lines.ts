import type { BuiltInLines, SpokenHelp } from '../../model/ports/reader.ts';

/** Built-in English lines. Several wordings rotate; `{question}`, `{choices}` and similar names are placeholders. */
export const lines = {
  /** The answer to a question was not understood, and no more is known. */
  again: [
    'Sorry, I did not get that. Could you say it again?',
    'I am afraid I did not understand. Could you say that in other words?',
    'I still did not get it. Could you say it in a few words?',
  ],
  /** Repeats the open question after words that were not understood. */
  againQuestion: [
    'Sorry, I did not get that. {question}',
    'I am afraid I did not understand. {question}',
    'Let me ask that again. {question}',
  ],
  /** After a refusal, if nothing else follows from it. */
  instead: ['What would you like to change?', 'What would you like instead?', 'What can I do for you instead?'],
  /** If no question is open and the model asks none. */
  goOn: ['What would you like me to do?', 'How would you like to go on?'],
  /** The open question once more, after silence. */
  stillThere: [
    'Are you still there? {question}',
    'I did not hear anything. {question}',
    'Hello, can you hear me? {question}',
  ],
  /** The open question once more, after the caller would not answer it. */
  neededAnyway: ['I do need this to go on. {question}', 'Without it I cannot go on. {question}'],
  /** The open question once more, after something else was answered. */
  putAgain: ['So: {question}', 'Back to my question: {question}', 'Now then: {question}'],
  /** While the session waits for another person or an event. */
  stillWaiting: ['I am still waiting for an answer. Thank you for your patience.', 'It should not take much longer.'],
  readBack: ['{value}, is that right?'],
  /** What can be said to a question that yes or no answers. */
  yesOrNo: ['Please just say yes or no: {question}', 'A yes or a no is enough. {question}'],
  youCanSay: ['You can say {choices}. {question}', 'Please say {choices}. {question}'],
  youCanSayBriefly: ['You can answer in a few words. {question}', 'A short answer is enough. {question}'],
  /** Before a call ends because the caller was not heard, or not understood. */
  endUnheard: ['I cannot hear you, so I have to end this conversation here. Goodbye.'],
  endNotUnderstood: ['I am sorry, I cannot help you any further here, so I have to end this conversation. Goodbye.'],
  endFailed: ['I am sorry, something went wrong here. I have to end this conversation.'],
  endLimit: ['I am sorry, I have to end this conversation here. Goodbye.'],
  /** Before another flow continues after a failure. */
  failedHere: ['Sorry, something went wrong there.'],
  /** First line after a new process takes over; the second wording is for a caller who was away. */
  recap: ['Sorry, I was gone for a moment.', 'Hello again.'],
  /** Before a call ends because the caller cannot be heard at all. */
  deaf: ['I am sorry, I cannot hear you. Please call again later.'],
  notPutThrough: ['I could not reach anybody there.'],
  takeYourTime: ['Of course, take your time.', 'Sure, I will wait.'],
  hello: ['Hello?'],
  working: ['One moment, please.'],
} as const satisfies BuiltInLines;

/** Help for a caller whose answer was rejected. */
export const help: SpokenHelp = {
  sayable: {
    name: 'the first and the last name, or spell it',
    date: 'a day, such as next Friday or March 4',
    time: 'a time, such as half past two in the afternoon',
    phone: 'the number digit by digit, with its area code',
    email: 'the address letter by letter, with "at" and "dot"',
    boolean: 'yes or no',
    number: 'a number',
    fromTo: 'a number from {least} to {most}',
    from: 'a number from {least} up',
    upTo: 'a number up to {most}',
  },
  reasons: {
    missing: 'The {part} is missing.',
    before: 'It must be before {bound}.',
    after: 'It must be after {bound}.',
    atLeast: 'It must be at least {bound}.',
    atMost: 'It must be at most {bound}.',
    ambiguous: 'That could mean more than one thing.',
    oneOf: 'That could mean {choices}.',
    notWhole: 'It must be a whole number.',
    digits: 'It must have {least} digits.',
    digitsFromTo: 'It must have {least} to {most} digits.',
    form: 'That does not have the right form.',
    phone: 'That is not a valid phone number.',
    email: 'That is not a valid email address.',
    date: 'There is no such day.',
    time: 'There is no such time.',
    impossible: 'That is not possible.',
  },
  words: { digits: 'rest of the number' },
};

/** Several things one of which can be said: `a, b or c`. */
export function anyOf(choices: readonly string[]): string {
  return joined(choices, 'or');
}

/** Several things together: `a, b and c`. */
export function allOf(things: readonly string[]): string {
  return joined(things, 'and');
}

/** A list as it is said, with a word before the last of several. */
export function joined(texts: readonly string[], word: string): string {
  return texts.length < 2 ? texts.join('') : `${texts.slice(0, -1).join(', ')} ${word} ${texts.at(-1) ?? ''}`;
}

import type { ConversationFlow } from '../../src/flow/document/document.ts';
import type { ModelScript, Script } from '../../src/testing/index.ts';

/** A desk that asks for a name and pays on request. */
export const desk: ConversationFlow = {
  initialNode: 'hello',
  slots: { name: { type: 'name', ask: 'What is your name?' } },
  nodes: {
    hello: {
      say: 'Welcome to the desk of the grand old harbour hotel.',
      taskMessages: [{ role: 'system', content: 'Help.' }],
      functions: [
        { name: 'check_in', transitionTo: 'details' },
        { name: 'leave', transitionTo: 'bye' },
      ],
    },
    details: { collect: ['name'], defaultTransition: 'bye' },
    bye: { say: 'Goodbye.', end: 'done' },
  },
};

/** So long that nobody comes too late to cut it off, however busy the machine is. */
export const story = `The house was built by a captain. ${Array.from(
  { length: 10 },
  (_, floor) =>
    `Room ${floor + 1} is named after a harbour in which he stayed, and looks out over the water to the east.`,
).join(' ')} Breakfast is served below deck.`;

/** What the model of the desk says. */
export const deskModel: ModelScript = {
  hello: [
    { when: /check in/i, calls: [{ name: 'check_in' }] },
    { when: /bye/i, calls: [{ name: 'leave' }] },
    { when: /tell/i, text: story },
    { when: 'slowly', text: 'Here it is.', delayMs: 1_200 },
    { text: 'Yes please?' },
  ],
  details: [
    { when: /Maria/i, calls: [{ name: 'record', arguments: { name: 'Maria Delgado' } }] },
    { text: 'Your name?' },
  ],
};

/** Conversations with the desk, for a simulation and for a real room; each with how long a guest is waited for. */
export const deskScripts: Readonly<Record<string, { readonly script: Script; readonly graceMs: number }>> = {
  'a guest checks in': {
    graceMs: 60_000,
    script: [
      { join: 'Ann' },
      { expect: { node: 'hello', said: 'welcome to the desk' } },
      { say: 'I want to check in' },
      { expect: { node: 'details', said: 'What is your name?', notSaid: 'welcome', requests: 1 } },
      { say: 'My name is Maria Delgado' },
      { expect: { slots: { name: 'Maria Delgado' }, ended: 'done', said: 'Goodbye.', requests: 1 } },
    ],
  },
  'a guest cuts in, after words and after a time': {
    graceMs: 60_000,
    script: [
      { join: true },
      { say: 'tell me more' },
      { interrupt: 'one question', afterWords: 4 },
      { expect: { said: ['/^The house was built/', 'Yes please?'], notSaid: 'Breakfast', requests: 2 } },
      { say: 'tell me more' },
      { interrupt: 'bye', afterMs: 1_500 },
      { expect: { ended: 'done', said: ['/^The house/', 'Goodbye.'], notSaid: 'Breakfast' } },
    ],
  },
  'only the guest is listened to: others are not, a message counts once, keys are one turn': {
    graceMs: 60_000,
    script: [
      { join: 'Ann' },
      { join: 'Ben' },
      { say: 'bye', from: 'Ben' },
      { expect: { node: 'hello', ended: false, requests: 0 } },
      { say: 'hello', id: 'm1' },
      { expect: { requests: 1, said: 'Yes please?' } },
      { say: 'hello', id: 'm1' },
      { expect: { requests: 1, notSaid: 'Yes please?' } },
      { dtmf: '42#' },
      { expect: { requests: 2, said: 'Yes please?' } },
    ],
  },
  'a guest drops out and comes back': {
    graceMs: 60_000,
    script: [
      { say: 'check in' },
      { leave: true },
      { silence: 1_000 },
      { rejoin: true },
      { expect: { node: 'details', said: ['Sorry, I was gone for a moment.', 'What is your name?'] } },
      { say: 'Maria Delgado' },
      { expect: { ended: 'done', slots: { name: 'Maria Delgado' } } },
    ],
  },
  'a guest stays away': {
    graceMs: 500,
    script: [{ leave: true }, { silence: 1_500 }, { expect: { ended: 'caller-left' } }],
  },
};

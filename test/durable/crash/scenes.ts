import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import * as clinic from '../../../flows/clinic-intake/tools.ts';
import * as restaurant from '../../../flows/restaurant-booking/tools.ts';
import * as support from '../../../flows/support-triage/tools.ts';
import type { JsonObject } from '../../../src/model/json.ts';
import type { ConversationFlow } from '../../../src/flow/document/document.ts';
import type { FlowSource } from '../../../src/flow/load/files/flow-library.ts';
import { flowTool } from '../../../src/livekit/tools/flow-tool.ts';
import type { FunctionTool } from '../../../src/livekit/tools/function-tool.ts';
import type { Handler } from '../../../src/livekit/tools/run-function.ts';
import type { ScriptedReply, ScriptedRequest } from '../../../src/testing/scripted-model.ts';
import type { RealtimeScript } from '../../livekit/realtime/fake-model.ts';
import { freeDesk, freeForm } from './free-writes.ts';
import { lesson } from './lesson.ts';

/** Noon of the day of all scenes. */
export const noon = Date.UTC(2026, 10, 21, 12);

/** The systems around an agent, which survive its crash. */
export interface World {
  readonly tools: readonly FunctionTool[];
  readonly handlers: Readonly<Record<string, Handler>>;
  /** The writes, sorted by text. */
  written(): readonly string[];
  /** Writes under two keys for the same words of the caller: the model repeated them because its context did not contain them. */
  doneTwice(): readonly string[];
}

/** A caller who answers questions whenever and however often they are asked. */
export interface Scene {
  readonly name: string;
  readonly flow: FlowSource;
  /** The flows that it may hand off to. */
  readonly flows?: Readonly<Record<string, FlowSource>>;
  /** The agent's questions with the caller's answers. */
  readonly answers: readonly (readonly [question: RegExp, words: string])[];
  openWorld(ledger: Ledger): World;
  /** The script of a realtime model, if the scene has one. */
  readonly realtime?: RealtimeScript;
  /** The replies of a pipeline model, which depend only on its context. Without any script the offline brain replies. */
  readonly script?: (request: ScriptedRequest, count: number) => ScriptedReply;
}

type Run = (args: unknown, call: { readonly key: string }) => Promise<unknown>;

const today = (): string => '2026-11-21';
const accounts = [{ phone: '+14155550123', name: 'Sam Reed', area: 'harbour', termEnds: '2027-06-30' }];

const realtimeDesk: ConversationFlow = {
  initialNode: 'offer',
  nodes: {
    offer: {
      taskMessages: [{ role: 'system', content: 'Which day?' }],
      functions: [
        { name: 'book', effect: 'write', confirm: 'Shall I book it?', saveAs: 'visit', transitionTo: 'more' },
      ],
    },
    more: {
      taskMessages: [{ role: 'system', content: 'Anything else?' }],
      functions: [{ name: 'leave', transitionTo: 'bye' }],
    },
    bye: { say: 'Goodbye.', end: 'done' },
  },
};

export const scenes: readonly Scene[] = [
  {
    name: 'clinic intake',
    flow: flowFile('clinic-intake'),
    answers: [
      [/Shall we start\?|agree to start/, 'Yes, please.'],
      [/full name\?/, 'Maria Delgado.'],
      [/is that right\?/i, 'Yes.'],
      [/date of birth\?/, 'March fourth, 1984.'],
      [/been here before\?/, 'Yes, I have.'],
      [/brings you in\?/, 'A checkup.'],
      [/phone number/, 'No, I would rather not.'],
      [/Which day would suit you\?/, 'December first.'],
      [/What time would you like\?/, 'Half past nine.'],
      [/Shall I book it\?/, 'Yes, please.'],
    ],
    openWorld: (ledger) => openWorld(clinic.createTools({ today }), ['book_visit', 'note_consent', 'ring'], ledger),
  },
  {
    name: 'restaurant booking',
    flow: flowFile('restaurant-booking'),
    answers: [
      [/like to book a table\?/, 'I would like to book a table for four on December first at seven in the evening.'],
      [/What name|your name|the name/i, 'Sam Reed.'],
      [/is that right/i, 'Yes.'],
      [/number/, '415 555 0123.'],
      [/the kitchen should know/, 'No, nothing.'],
      [/Shall I book it\?/, 'Yes, please.'],
    ],
    openWorld: (ledger) => openWorld(restaurant.createTools({ today }), ['book_table', 'text_guest', 'ring'], ledger),
  },
  {
    name: 'support triage',
    flow: flowFile('support-triage'),
    answers: [
      [/help you with\?/, 'My internet is down.'],
      [/phone number/, '415 555 0123.'],
      [/is that right/i, 'Yes.'],
      [/name on the account/, 'Sam Reed.'],
      [/slow or unstable/, 'It is gone altogether.'],
      [/medical device/, 'No.'],
      [/Does it work now/, 'No, it does not.'],
      [/Shall I/, 'Yes, please.'],
      [/(any|some)thing else/, 'No, that is all. Goodbye.'],
    ],
    openWorld: (ledger) => openWorld(support.createTools({ today, accounts }), ['open_ticket', 'ring'], ledger),
  },
  {
    name: 'lesson by generators',
    flow: lesson.tutor,
    flows: lesson,
    answers: [
      [/your name\?/, 'Ana.'],
      [/first sentence/, 'I go home.'],
      [/second sentence/, 'I went home.'],
      [/how many hours/, 'Three.'],
    ],
    openWorld: (ledger) =>
      openWorld(
        { keep_sentence: () => Promise.resolve('kept'), schedule_reminder: () => Promise.resolve('done') },
        ['keep_sentence', 'schedule_reminder'],
        ledger,
      ),
  },
  {
    name: 'desk on a realtime model',
    flow: realtimeDesk,
    realtime: ({ items, tools, instructions }) =>
      items.at(-1)?.startsWith('user:') === true ? { calls: [{ name: tools[0] ?? '' }] } : { text: instructions },
    answers: [
      [/Which day\?/, 'Tomorrow.'],
      [/Shall I book it\?/, 'Yes, please.'],
      [/Anything else\?/, 'No.'],
    ],
    openWorld: (ledger) => openWorld({ book: () => Promise.resolve({ id: 7 }) }, ['book'], ledger),
  },
  {
    ...freeDesk,
    openWorld: (ledger) => openWorld(writing('book', 'bill', 'pay'), ['book', 'bill', 'pay'], ledger),
  },
  { ...freeForm, openWorld: (ledger) => openWorld(writing('order', 'note'), ['order', 'note'], ledger) },
];

function writing(...names: readonly string[]): Readonly<Record<string, Run>> {
  return Object.fromEntries(names.map((name) => [name, () => Promise.resolve({ id: 7 })] satisfies [string, Run]));
}

function flowFile(folder: string): string {
  return join(import.meta.dirname, '../../../flows', folder, 'flow.yaml');
}

/** Executes each write once per key, like the systems around a real agent. */
function openWorld(run: Readonly<Record<string, Run>>, writes: readonly string[], ledger: Ledger): World {
  const execute = async (name: string, args: JsonObject, key: string): Promise<unknown> => {
    const done = ledger.find(key);
    if (done !== null) return done.result;
    const result = await run[name]?.(args, { key });
    if (writes.includes(name)) ledger.add({ key, what: `${name} ${JSON.stringify(args)}`, result });
    return result;
  };
  return {
    tools: Object.keys(run).map((name) =>
      flowTool({
        name,
        description: name,
        parameters: z.looseObject({}),
        execute: (args, { key }) => execute(name, args as JsonObject, key), // Arguments of a call are JSON.
      }),
    ),
    handlers: Object.fromEntries(
      Object.keys(run).map((name) => [name, (data, { key }) => execute(name, data, key)] satisfies [string, Handler]),
    ),
    written: () =>
      ledger
        .all()
        .map(({ what }) => what)
        .toSorted(),
    doneTwice: () => {
      const all = ledger.all();
      return all
        .filter((one, index) =>
          all.some((other, at) => at < index && other.turn === one.turn && other.what === one.what),
        )
        .map(({ turn, what }) => `${what} (turn ${turn})`);
    },
  };
}

/** The writes in the world. They outlive the process, in memory or in a file. */
export interface Ledger {
  find(key: string): Entry | null;
  add(entry: Omit<Entry, 'turn'>): void;
  all(): readonly Entry[];
}

interface Entry {
  readonly key: string;
  readonly what: string;
  readonly result: unknown;
  /** Number of the caller's turns before it. */
  readonly turn: number;
}

export function ledgerInMemory(turn: () => number = () => 0): Ledger {
  const entries: Entry[] = [];
  return {
    find: (key) => entries.find((one) => one.key === key) ?? null,
    add: (entry) => void entries.push({ ...entry, turn: turn() }),
    all: () => entries,
  };
}

export function ledgerInFile(file: string, turn: () => number): Ledger {
  const all = (): Entry[] =>
    existsSync(file)
      ? readFileSync(file, 'utf8')
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line) as Entry) // Written by `add`.
      : [];
  return {
    find: (key) => all().find((one) => one.key === key) ?? null,
    add: (entry) => appendFileSync(file, `${JSON.stringify({ ...entry, turn: turn() })}\n`),
    all,
  };
}

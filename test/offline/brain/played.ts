import { llm } from '@livekit/agents';
import type { Json, JsonObject } from '../../../src/model/json.ts';
import type { ConversationFlow } from '../../../src/flow/document/document.ts';
import { createRunner, type FlowRunner } from '../../../src/runner/flow-runner.ts';
import type { RunnerOptions } from '../../../src/runner/options/runner-options.ts';
import { createSharedFlows } from '../../../src/runner/shared-flows.ts';
import { flowTool } from '../../../src/livekit/tools/flow-tool.ts';
import { OfflineBrain } from '../../../src/offline/brain/offline-brain.ts';
import { createTextSession } from '../../../src/livekit/agent/text-session.ts';
import { ScriptedModel, type ScriptedCall } from '../../../src/testing/scripted-model.ts';
import { z } from 'zod';
import { clockAtNoon } from './clock-at-noon.ts';

/** The required changes of a sentence: slots (null: forgotten), the node, tools that ran, the end. Nothing else may change. */
export interface Change {
  readonly slots?: Readonly<Record<string, Json>>;
  readonly at?: string;
  readonly ran?: Readonly<Record<string, JsonObject>>;
  readonly ended?: string;
}

/** Words without an effect: the agent asks or answers, and the flow stays. */
export const asks: Change = {};

/** The way to a moment: the caller's plain words, and their scripted meaning, which does not involve the brain. */
export type Before = readonly [words: string, ...calls: readonly ScriptedCall[]];

export interface Moment {
  readonly before: readonly Before[];
  /** The caller's words at that moment, each in a separate conversation, and their required changes. */
  readonly says: readonly (readonly [words: string, change: Change])[];
}

export interface PlayedFlow {
  readonly flow: ConversationFlow;
  /** Results of the flow's tools for any arguments. */
  readonly results?: Readonly<Record<string, JsonObject>>;
  readonly moments: readonly Moment[];
}

export interface Played {
  /** Right: all as expected. Safe: less than expected, and nothing else. Wrong: an unexpected change. */
  readonly verdict: 'right' | 'safe' | 'wrong';
  readonly words: string;
  readonly change: Change;
  readonly heard: string;
}

/** Plays every sentence of a flow, each in a separate session, side by side. */
export function play(played: PlayedFlow): Promise<readonly Played[]> {
  const alike = {
    // Long enough that no reply is late on a busy machine.
    flow: { ...played.flow, replyTimeoutMs: 120_000 },
    shared: createSharedFlows(),
  };
  return Promise.all(
    played.moments.flatMap((moment) =>
      moment.says.map(([words, expected]) => playOne(played, alike, moment, words, expected)),
    ),
  );
}

async function playOne(
  { results = {} }: PlayedFlow,
  alike: Pick<RunnerOptions, 'flow' | 'shared'>,
  { before }: Moment,
  words: string,
  expected: Change,
): Promise<Played> {
  const model = new StagedModel();
  const session = createTextSession(model);
  const ran: Record<string, JsonObject> = {};
  const tools = Object.entries(results).map(([name, result]) =>
    flowTool({
      name,
      description: name,
      parameters: z.looseObject({}),
      execute: (input) => {
        ran[name] = input as JsonObject; // Parsed from the call's JSON.
        return result;
      },
    }),
  );
  const runner = createRunner({ ...alike, session, tools, clock: clockAtNoon, timeZone: 'UTC' });
  let ended: string | undefined;
  void runner.ended.then((reason) => (ended = reason));
  let heard: string[] = [];
  runner.onSpeech((text) => heard.push(text));
  try {
    await runner.start();
    await runner.idle();
    for (const [said, ...calls] of before) {
      model.next = calls;
      await runner.send(said);
      await runner.idle();
      // A certain answer to the flow's question is taken without the model.
      if (isTaken(model.next, runner)) model.next = [];
      if (model.next.length > 0) throw new Error(`"${said}" was not for the model.`);
    }
    const old = slotsOf(runner);
    const from = runner.state.position.node;
    for (const name of Object.keys(ran)) delete ran[name];
    heard = [];
    await runner.send(words);
    await runner.idle();
    await new Promise((resolve) => setImmediate(resolve));
    const change = changeFrom(old, slotsOf(runner), from, runner.state.position.node, ran, ended);
    return { words, change, heard: heard.join(' '), verdict: judge(change, expected, heard.length > 0) };
  } finally {
    await runner.stop();
    await session.close();
  }
}

/** Checks whether the rules alone did what the scripted calls mean: called the function or recorded the slots. */
function isTaken(calls: readonly ScriptedCall[], runner: FlowRunner): boolean {
  if (calls[0]?.name === runner.state.turn.answered) return true;
  const slots = slotsOf(runner);
  return calls.every(({ name, arguments: recorded = {} }) => name === 'record' && isPart(recorded, slots));
}

function slotsOf(runner: FlowRunner): Readonly<Record<string, Json>> {
  return Object.fromEntries(Object.entries(runner.state.knowledge.slots).map(([name, { value }]) => [name, value]));
}

function changeFrom(
  old: Readonly<Record<string, Json>>,
  now: Readonly<Record<string, Json>>,
  from: string,
  at: string,
  ran: Readonly<Record<string, JsonObject>>,
  ended: string | undefined,
): Change {
  const changed = Object.keys({ ...old, ...now }).filter((name) => old[name] !== now[name]);
  return {
    ...(changed.length > 0 && { slots: Object.fromEntries(changed.map((name) => [name, now[name] ?? null])) }),
    ...(at !== from && { at }),
    ...(Object.keys(ran).length > 0 && { ran: { ...ran } }),
    ...(ended !== undefined && { ended }),
  };
}

function judge(change: Change, expected: Change, isHeard: boolean): Played['verdict'] {
  if (!isHeard) return 'wrong';
  const { slots = {}, ran = {}, at, ended } = change;
  const within =
    isPart(slots, expected.slots ?? {}) &&
    isPart(ran, expected.ran ?? {}) &&
    (at === undefined || at === expected.at) &&
    (ended === undefined || ended === expected.ended);
  if (!within) return 'wrong';
  const isAll =
    isPart(expected.slots ?? {}, slots) &&
    isPart(expected.ran ?? {}, ran) &&
    at === expected.at &&
    ended === expected.ended;
  return isAll ? 'right' : 'safe';
}

function isPart(part: Readonly<Record<string, Json>>, whole: Readonly<Record<string, Json>>): boolean {
  return Object.entries(part).every(
    ([key, value]) => Object.hasOwn(whole, key) && canonical(value) === canonical(whole[key] ?? null),
  );
}

function canonical(value: Json): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return JSON.stringify(value);
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([key, each]) => `${key}:${canonical(each)}`).join()}}`;
}

/** The offline brain, except for the scripted replies on the way to a moment. */
class StagedModel extends llm.LLM {
  next: readonly ScriptedCall[] = [];
  readonly #brain = new OfflineBrain({ clock: clockAtNoon, timeZone: 'UTC' });
  readonly #scripted = new ScriptedModel(() => {
    const calls = this.next;
    this.next = [];
    return { calls };
  });

  override label(): string {
    return 'test.StagedModel';
  }

  override chat(options: Parameters<OfflineBrain['chat']>[0]): llm.LLMStream {
    return this.next.length > 0 ? this.#scripted.chat(options) : this.#brain.chat(options);
  }
}

import { setMaxListeners } from 'node:events';
import { z } from 'zod';
import { createMemoryStore } from '../../src/store/memory/store.ts';
import type { FlowSource } from '../../src/flow/load/files/flow-library.ts';
import type { LoggedSignal, Store } from '../../src/model/ports/store.ts';
import { createRunner, type FlowRunner } from '../../src/runner/flow-runner.ts';
import { flowTool } from '../../src/livekit/tools/flow-tool.ts';
import { createTextSession } from '../../src/livekit/agent/text-session.ts';
import { createCountingIds } from '../../src/testing/counting-ids.ts';
import { createPacedSpeech } from '../../src/testing/paced-speech.ts';
import { ScriptedModel, type ScriptedReply, type ScriptedRequest } from '../../src/testing/scripted-model.ts';
import { createVirtualClock, settleLiveKit } from '../../src/testing/virtual-clock.ts';
import type { Chance } from './chance.ts';
import type { Watch } from './watch.ts';

// LiveKit adds six listeners to a reply's signal and two for each call. Three concurrent calls would trigger Node's
// warning.
setMaxListeners(20);

/** A deliberate fault, to check that it is found. */
export interface InterruptionFault {
  readonly store?: (store: Store) => Store;
  /** Functions run twice. */
  readonly doubles?: boolean;
}

export interface InterruptedCallOptions {
  readonly flow: FlowSource;
  readonly tools: readonly string[];
  readonly reply: (request: ScriptedRequest) => ScriptedReply;
  readonly chance: Chance;
  readonly watch: Watch;
  readonly fault: InterruptionFault;
  /** Whether the caller's words replace work that has not begun. A generator first does what its last answer leads to. */
  readonly overtakes: boolean;
}

/** The result of a call with an interruption. */
export interface InterruptedCall {
  readonly runner: FlowRunner;
  /** The heard part of each speech, before and after the interruption. */
  readonly before: readonly { readonly text: string; readonly isWhole: boolean }[];
  readonly after: readonly string[];
  /** The node at the time of the interruption. */
  readonly nodeAtTurn: string;
  /** The function calls, in order. */
  readonly done: readonly string[];
  readonly log: readonly LoggedSignal[];
}

/** The caller's first words, and the words that interrupt the answer. */
export const firstWords = 'first';
export const secondWords = 'and now?';

/** Longer than anything here takes, in virtual milliseconds. */
const patienceMs = 60_000;

/**
 * Plays a call on a real AgentSession. The caller interrupts a turn at a random await: before, while or after the model
 * streams, functions run and the store commits.
 */
export async function interruptedCall(options: InterruptedCallOptions): Promise<InterruptedCall> {
  const { chance, watch, fault } = options;
  const clock = createVirtualClock(undefined, settleLiveKit);
  const pause = (ms: number): Promise<void> => new Promise((resolve) => void clock.schedule(ms, resolve));
  const memory = createMemoryStore({ clock });
  const slow: Store = {
    ...memory,
    steps: {
      ...memory.steps,
      create: async (commit) => {
        if (chance.often(0.3)) await pause(chance.pick([5, 60, 400]));
        await memory.steps.create(commit);
      },
    },
  };
  const done: string[] = [];
  let wasTaken = false;
  let nodeAtTurn = '';
  const toolOf = (name: string) =>
    flowTool({
      name,
      description: name,
      parameters: z.looseObject({}),
      execute: async () => {
        if (wasTaken && options.overtakes) watch.broken('nothing is begun after the interruption was taken', name);
        await pause(chance.pick([0, 40, 500, 2_500]));
        done.push(name, ...(fault.doubles === true ? [name] : []));
        return 'done';
      },
    });
  const model = new ScriptedModel(options.reply, { clock });
  const speech = createPacedSpeech(clock, () => 120);
  const session = createTextSession(model, speech);
  const runner = createRunner({
    session,
    flow: options.flow,
    sessionId: 's',
    timeZone: 'UTC',
    tools: options.tools.map(toolOf),
    store: fault.store?.(slow) ?? slow,
    clock,
    ids: createCountingIds(),
  });
  const before: { text: string; isWhole: boolean }[] = [];
  const after: string[] = [];
  let hasInterrupted = false;
  runner.onSpeech((text, interrupted) => {
    if (hasInterrupted && !interrupted) after.push(text);
    else before.push({ text, isWhole: !interrupted });
  });
  runner.hub.subscribe('*', (event) => {
    watch.note(`${event.type} ${JSON.stringify(event.data)}`, clock.now());
    if (event.type === 'response:failed') watch.broken('nothing fails', `${event.data.stage} ${event.data.reason}`);
    if (event.type !== 'turn:started' || event.data.eventId !== 'second') return;
    wasTaken = true;
    nodeAtTurn = runner.currentNode;
  });
  const interrupt = async (): Promise<void> => {
    // Any number of awaits later, at the same time.
    for (let hop = chance.below(40); hop > 0; hop -= 1) await Promise.resolve();
    watch.note('interrupts', clock.now());
    hasInterrupted = true;
    speech.cut();
    await runner.send(secondWords, { eventId: 'second' });
  };

  const underway = [runner.start()];
  await clock.advance(chance.pick([0, 300, 5_000]));
  underway.push(runner.send(firstWords, { eventId: 'first' }).then(() => undefined));
  clock.schedule(chance.below(6_000), () => void underway.push(interrupt()));
  await clock.advance(patienceMs);
  let isAtRest = false;
  void Promise.all(underway).then(() => (isAtRest = true));
  await clock.advance(0);
  if (!isAtRest) watch.broken('the agent comes to rest', 'somebody still waits');
  const stopped = runner.stop('explored');
  // The session closes after 0.5 s of wall-clock time. The test does not wait for it.
  void session.close().catch(() => undefined);
  speech.cut();
  await clock.advance(patienceMs);
  await stopped;
  return { runner, before, after, nodeAtTurn, done, log: await memory.steps.list('s') };
}

import { llm } from '@livekit/agents';
import { z } from 'zod';
import { assertOptions, has, optionShapes, type OptionShapes } from '../flow/document/problems/option-faults.ts';
import type { RunnerOptions } from '../runner/options/runner-options.ts';
import { createRunner } from '../runner/flow-runner.ts';
import { createTextSession } from '../livekit/agent/text-session.ts';
import { recordConversation, type SimulationResult } from './conversation-record.ts';
import { createCountingIds } from './counting-ids.ts';
import { OpenMicrophone } from './open-microphone.ts';
import { createPacedSpeech, type PacedSpeech } from './paced-speech.ts';
import { type Interruption, playScript, type Scene } from './play-script.ts';
import type { Script } from './script.ts';
import { type ModelScript, ScriptedModel } from './scripted-model.ts';
import { createSeededRandom } from './seeded-random.ts';
import { type StandIns, standInTools } from './stand-in.ts';
import { createVirtualClock, settleLiveKit, type VirtualClock } from './virtual-clock.ts';

/** Options of a simulation, besides its flow and script. */
export interface SimulationOptions extends Pick<
  RunnerOptions,
  | 'tools'
  | 'handlers'
  | 'catalog'
  | 'input'
  | 'store'
  | 'timeZone'
  | 'prices'
  | 'flows'
  | 'fallback'
  | 'user'
  | 'replyTarget'
  | 'resources'
> {
  /** The answers of the model: a script, or any LiveKit LLM. */
  readonly model: ModelScript | llm.LLM;
  readonly functions?: StandIns;
  /** When the conversation begins, in epoch milliseconds. Default: a Monday morning in 2030. */
  readonly now?: number;
  /** The agent's speed of speech. Default: 160. With 0 it says everything at once. */
  readonly wordsPerMinute?: number;
  /** Makes some words longer than others. The same seed gives the same conversation. */
  readonly seed?: number;
  /** How long the flow waits for a disconnected caller, in milliseconds. Default: 30,000. */
  readonly graceMs?: number;
}

/** The runner reports faults of other options. */
export const simulationShapes: OptionShapes<SimulationOptions> = {
  ...{
    tools: null,
    handlers: null,
    catalog: null,
    input: null,
    store: null,
    timeZone: null,
    prices: null,
    flows: null,
  },
  ...{ fallback: null, user: null, replyTarget: null, resources: null },
  model: ['a script, or a LiveKit LLM', has],
  functions: ['an object of functions by name', has],
  now: z.number(),
  wordsPerMinute: optionShapes.amount,
  seed: z.number(),
  graceMs: optionShapes.amount,
};

/**
 * Plays a script to a flow on a real `AgentSession` in virtual time: words, delays of a scripted model, time limits and
 * silence take no real time. Words arrive as text, and a silent caller is asked again as in a voice call. Before each
 * step but `interrupt` the agent finishes speaking. In a script that does not begin with `join` the caller joins first.
 * Failed expectations are part of the result. Throws `flow-invalid` for a broken flow, `script-invalid` for a script,
 * `config-invalid` for options of the wrong type.
 * @example
 * const script = [{ say: 'tulips' }, { expect: { slots: { flowers: 'tulips' } } }]; const { ok } = await
 * simulateRoom('order.yaml', script, { model: new OfflineBrain() });
 */
export async function simulateRoom(
  flow: NonNullable<RunnerOptions['flow']>,
  script: Script,
  options: SimulationOptions,
): Promise<SimulationResult> {
  assertOptions(options, simulationShapes, ['model']);
  return playScript(script, () => openSimulation(flow, options));
}

/**
 * Throws an error that lists the failures of a simulation, and shows the conversation.
 * @example
 * assertSimulation(await simulateRoom('order.yaml', [{ say: 'tulips' }], { model: new OfflineBrain() }));
 */
export function assertSimulation({ failures, transcript }: SimulationResult): void {
  if (failures.length === 0) return;
  const lines = transcript.map(({ who, text, interrupted }) => `  ${who}: ${text}${interrupted ? ' …' : ''}`);
  const faults = failures.map(({ step, message }) => `  step ${step}: ${message}`);
  throw new Error(
    `The conversation did not go as expected.\n${faults.join('\n')}\nWhat was said:\n${lines.join('\n')}`,
  );
}

/** The limit in virtual time for everything that the agent does. */
const patienceMs = 600_000;

const defaultWordsPerMinute = 160;
const defaultGraceMs = 30_000;

function openSimulation(flow: NonNullable<RunnerOptions['flow']>, options: SimulationOptions): Scene {
  const {
    model: given,
    functions = {},
    tools = [],
    now,
    wordsPerMinute = defaultWordsPerMinute,
    seed,
    graceMs = defaultGraceMs,
    timeZone = 'UTC',
    ...rest
  } = options;
  const clock = createVirtualClock(now, settleLiveKit);
  const model = given instanceof llm.LLM ? given : new ScriptedModel(given, { clock });
  const speech = createPacedSpeech(clock, wordDuration(wordsPerMinute, seed));
  const session = createTextSession(model, speech);
  session.input.audio = new OpenMicrophone();
  const runner = createRunner({
    ...rest,
    session,
    flow,
    timeZone,
    tools: standInTools(functions, tools),
    // A simulated room has no telephone: the person answers, and hangs up again.
    transfers: { begin: (_request, end) => void end({ outcome: 'answered' }) },
    clock,
    ids: createCountingIds(),
  });
  if (model instanceof ScriptedModel) model.nodeOf = () => runner.currentNode;

  const record = recordConversation(runner);
  let said: string[] = [];
  let cancelGrace = (): void => undefined;

  runner.onSpeech((text, interrupted) => {
    said.push(text);
    record.tell({ who: 'agent', text: text.trim(), at: speech.beganAt ?? clock.now(), interrupted });
    speech.restart();
  });

  return {
    record,
    get requests() {
      return model instanceof ScriptedModel ? model.requests : null;
    },
    now: () => clock.now(),
    async begin() {
      const starting = runner.start();
      await passes(clock, starting);
      await starting;
      return { work: runner.idle() };
    },
    async rest(work) {
      if (!(await passes(clock, work))) return `the agent did not come to rest within ${patienceMs / 1000} seconds`;
      await work;
      return null;
    },
    said: () => said,
    forgetSaid: () => void (said = []),
    say: (words, id) => runner.send(words, id === undefined ? {} : { eventId: id }),
    press: (keys) => runner.send(keys, { via: 'dtmf' }),
    listen: (interruption, isBusy) => listen(clock, speech, interruption, isBusy),
    async hush() {
      // LiveKit has received it. The current word is not waited for.
      await clock.advance(0);
      speech.cut();
    },
    leave() {
      runner.holdNoInput();
      cancelGrace = clock.schedule(graceMs, () => void runner.stop('caller-left'));
      return Promise.resolve();
    },
    rejoin() {
      cancelGrace();
      return runner.resume();
    },
    joinOther: () => Promise.resolve(),
    sayOther: () => Promise.resolve(),
    async pause(delayMs) {
      await clock.advance(delayMs);
      // The caller may interrupt what the agent says after the silence.
      return { work: runner.idle() };
    },
    // Everything that is about to happen has happened: only time is missing.
    soon: () => Promise.resolve(),
    async close() {
      cancelGrace();
      speech.cut();
      const closing = runner.stop('simulation-over').then(() => session.close());
      await passes(clock, closing);
      await closing;
    },
  };
}

/** Lets time pass until something is done, and returns whether it ended. */
async function passes(clock: VirtualClock, work: Promise<unknown>): Promise<boolean> {
  let isOver = false;
  const over = (): void => void (isOver = true);
  work.then(over, over);
  try {
    await clock.runUntil(() => isOver, patienceMs);
    // Events that follow the last words, such as the end, are reported a moment later.
    await clock.advance(0);
  } catch {
    return false;
  }
  return true;
}

/** Lets the agent speak until the moment of the interruption, or until it has finished. */
async function listen(
  clock: VirtualClock,
  speech: PacedSpeech,
  { afterWords = 1, afterMs }: Interruption,
  isBusy: () => boolean,
): Promise<void> {
  const hasCome = (): boolean => (afterMs === undefined ? speech.words >= afterWords : speech.beganAt !== null);
  await clock.runUntil(() => !isBusy() || hasCome(), patienceMs);
  if (afterMs !== undefined && speech.beganAt !== null)
    await clock.advance(Math.max(0, speech.beganAt + afterMs - clock.now()));
}

function wordDuration(wordsPerMinute: number, seed: number | undefined): () => number {
  const wordMs = wordsPerMinute > 0 ? 60_000 / wordsPerMinute : 0;
  if (seed === undefined) return () => wordMs;
  const random = createSeededRandom(seed);
  return () => wordMs * (0.6 + 0.8 * random.next());
}

import { llm } from '@livekit/agents';
import { z } from 'zod';
import type { Event } from '../events/event.ts';
import type { JsonObject } from '../events/json.ts';
import type { SessionState } from '../kernel/state.ts';
import { FlowRunner, type FlowRunnerOptions } from '../runner.ts';
import { type FlowToolContext, unregisteredTool } from '../session/flow-tool.ts';
import type { FunctionTool } from '../session/function-tool.ts';
import { createTextSession } from '../session/text-session.ts';
import { createCountingIds } from './counting-ids.ts';
import { unmet } from './expectations.ts';
import { createPacedSpeech, type PacedSpeech } from './paced-speech.ts';
import { parseScript, type Script, type ScriptStep } from './script.ts';
import { type ModelScript, ScriptedModel, type ScriptedRequest } from './scripted-model.ts';
import { createSeededRandom } from './seeded-random.ts';
import { createVirtualClock, settleLiveKit, type VirtualClock } from './virtual-clock.ts';

export interface SimulationOptions extends Pick<
  FlowRunnerOptions,
  'tools' | 'handlers' | 'nodeTypes' | 'input' | 'store' | 'timeZone'
> {
  /** What the model says: a script, or any LiveKit LLM. */
  readonly model: ModelScript | llm.LLM;
  /** Stand-ins for functions of the flow, by name; they take whatever arguments the flow declares. */
  readonly functions?: Readonly<Record<string, (input: JsonObject, context: FlowToolContext) => unknown>>;
  /** When the conversation begins, in epoch milliseconds; a Monday morning of 2030 where absent. */
  readonly now?: number;
  /** How fast the agent speaks; 160 where absent, 0 says everything at once. */
  readonly wordsPerMinute?: number;
  /** Makes some words longer than others; the same seed, the same conversation. */
  readonly seed?: number;
  /** How long the flow waits for a caller who dropped out, in milliseconds; 30,000 where absent. */
  readonly graceMs?: number;
}

/** Something that was said: by the agent as far as it was heard, by the caller, or by another participant. */
export interface TranscriptLine {
  readonly who: string;
  readonly text: string;
  /** When it began, in epoch milliseconds of the simulation. */
  readonly at: number;
  readonly interrupted: boolean;
}

export interface SimulationResult {
  readonly ok: boolean;
  /** What did not hold, by the number of the step, counted from 1. */
  readonly failures: readonly { readonly step: number; readonly message: string }[];
  readonly transcript: readonly TranscriptLine[];
  /** The nodes in which the flow was, in order. */
  readonly path: readonly string[];
  readonly events: readonly Event[];
  /** The session as the script left it. */
  readonly state: SessionState;
  /** What a scripted model was asked; empty for any other. */
  readonly requests: readonly ScriptedRequest[];
  /** Why the flow ended; null where it did not. */
  readonly ended: string | null;
}

/**
 * Plays a script to a flow on a real `AgentSession` in text, in virtual time: words, delays of a scripted model, time
 * limits and silence take no time of the machine. Before each step but `interrupt` the agent finishes speaking. A
 * script that does not begin with `join` lets the caller join first. What does not hold is part of the result; a broken
 * flow or script throws.
 */
export async function simulateRoom(
  flow: FlowRunnerOptions['flow'],
  script: Script,
  options: SimulationOptions,
): Promise<SimulationResult> {
  const steps = parseScript(script, 'the script');
  const room = openRoom(flow, options);
  try {
    await room.begin();
    for (const [index, step] of steps.entries()) await room.play(step, index + 1);
    return await room.result(steps.length);
  } finally {
    await room.close();
  }
}

/** Throws an error that lists what did not hold in a simulation, and how the conversation went. */
export function assertSimulation({ failures, transcript }: SimulationResult): void {
  if (failures.length === 0) return;
  const lines = transcript.map(({ who, text, interrupted }) => `  ${who}: ${text}${interrupted ? ' …' : ''}`);
  const faults = failures.map(({ step, message }) => `  step ${step}: ${message}`);
  throw new Error(
    `The conversation did not go as expected.\n${faults.join('\n')}\nWhat was said:\n${lines.join('\n')}`,
  );
}

/** Virtual time in which the agent must have finished whatever it does. */
const patienceMs = 600_000;

const defaultWordsPerMinute = 160;
const defaultGraceMs = 30_000;

interface Room {
  begin(): Promise<void>;
  play(step: ScriptStep, number: number): Promise<void>;
  result(lastStep: number): Promise<SimulationResult>;
  close(): Promise<void>;
}

function openRoom(flow: FlowRunnerOptions['flow'], options: SimulationOptions): Room {
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
  const runner = new FlowRunner({
    ...rest,
    session,
    flow,
    timeZone,
    tools: [...tools, ...Object.entries(functions).map(([name, run]) => standIn(name, run))],
    clock,
    ids: createCountingIds(),
  });
  if (model instanceof ScriptedModel) model.nodeOf = () => runner.currentNode;

  const transcript: TranscriptLine[] = [];
  const failures: { step: number; message: string }[] = [];
  const events: Event[] = [];
  const path: string[] = [];
  const heardIds = new Set<string>();
  let said: string[] = [];
  let ended: string | null = null;
  let caller: string | null = null;
  let isAway = false;
  let cancelGrace = (): void => undefined;
  /** What the agent is doing for the steps so far. */
  let underway: Promise<unknown> = Promise.resolve();

  runner.hub.subscribe('*', (event) => events.push(event));
  runner.on('transition:taken', ({ data }) => {
    if (path.length === 0) path.push(data.from);
    path.push(data.to);
  });
  runner.onSpeech((text, interrupted) => {
    said.push(text);
    transcript.push({ who: 'agent', text: text.trim(), at: speech.beganAt ?? clock.now(), interrupted });
    speech.restart();
  });
  void runner.ended.then((reason) => (ended = reason));

  const tell = (who: string, text: string): void =>
    void transcript.push({ who, text, at: clock.now(), interrupted: false });
  const finish = async (step: number): Promise<void> => {
    if (await passes(clock, underway)) await underway;
    else failures.push({ step, message: `the agent did not come to rest within ${patienceMs / 1000} seconds` });
  };
  /** Lets the caller act, unless nobody is there to act or to listen. */
  const act = (step: number, doing: () => Promise<unknown>): void => {
    if (ended !== null) failures.push({ step, message: `the conversation has ended before (${ended})` });
    else if (isAway) failures.push({ step, message: 'the caller is not in the room' });
    else {
      said = [];
      underway = Promise.all([underway, doing()]);
      // Whoever waits for it is told.
      underway.catch(() => undefined);
    }
  };
  const say = (text: string, id: string | undefined): Promise<unknown> => {
    if (id === undefined || !heardIds.has(id)) tell('caller', text);
    if (id !== undefined) heardIds.add(id);
    return runner.send(text, id === undefined ? {} : { eventId: id });
  };

  const play = async (step: ScriptStep, number: number): Promise<void> => {
    if ('interrupt' in step) {
      const isSpeaking = await listen(clock, speech, step, underway);
      if (!isSpeaking)
        failures.push({ step: number, message: 'the agent had finished before it could be interrupted' });
      act(number, () => say(step.interrupt, undefined));
      // LiveKit has taken note by now; the word that is being spoken is not waited for.
      await clock.advance(0);
      speech.cut();
      return;
    }
    // The agent speaks up on its own; who joins later is not the caller.
    if ('join' in step) {
      caller ??= typeof step.join === 'string' ? step.join : 'caller';
      return;
    }
    await finish(number);
    if ('say' in step) {
      if (step.from === undefined || step.from === caller) act(number, () => say(step.say, step.id));
      else tell(step.from, step.say);
    } else if ('dtmf' in step)
      act(number, () => {
        tell('caller', step.dtmf);
        return runner.send(step.dtmf, { via: 'dtmf' });
      });
    else if ('silence' in step) {
      said = [];
      await clock.advance(step.silence);
    } else if ('leave' in step)
      act(number, () => {
        isAway = true;
        cancelGrace = clock.schedule(graceMs, () => void runner.stop('caller-left'));
        return Promise.resolve();
      });
    else if ('rejoin' in step) {
      cancelGrace();
      if (ended === null && !isAway) failures.push({ step: number, message: 'the caller has not left' });
      else {
        isAway = false;
        act(number, () => runner.recap());
      }
    } else {
      const requests = model instanceof ScriptedModel ? model.requests.length : null;
      const observed = { state: runner.state, said, ended, requests };
      for (const message of unmet(step.expect, observed)) failures.push({ step: number, message });
    }
  };

  return {
    play,
    async begin() {
      const starting = runner.start();
      await passes(clock, starting);
      await starting;
      underway = runner.idle();
    },
    async result(lastStep) {
      await finish(lastStep);
      const { state } = runner;
      return {
        ok: failures.length === 0,
        failures,
        transcript: transcript.toSorted((one, other) => one.at - other.at),
        path: path.length === 0 ? [state.node] : path,
        events,
        state,
        requests: model instanceof ScriptedModel ? model.requests : [],
        ended,
      };
    },
    async close() {
      cancelGrace();
      speech.cut();
      const closing = runner.stop('simulation-over').then(() => session.close());
      await passes(clock, closing);
      await closing;
    },
  };
}

/** Lets time pass until something is done, and tells whether it came to an end. */
async function passes(clock: VirtualClock, work: Promise<unknown>): Promise<boolean> {
  let isOver = false;
  const over = (): void => void (isOver = true);
  work.then(over, over);
  try {
    await clock.runUntil(() => isOver, patienceMs);
    // What follows the last words by itself, such as the end, is told a moment later.
    await clock.advance(0);
  } catch {
    return false;
  }
  return true;
}

type Interruption = Extract<ScriptStep, { interrupt: string }>;

/** Lets the agent speak until the moment at which it is to be interrupted. False where it has finished by then. */
async function listen(
  clock: VirtualClock,
  speech: PacedSpeech,
  { afterWords = 1, afterMs }: Interruption,
  underway: Promise<unknown>,
): Promise<boolean> {
  let isOver = false;
  const over = (): void => void (isOver = true);
  underway.then(over, over);
  const hasCome = (): boolean => (afterMs === undefined ? speech.words >= afterWords : speech.beganAt !== null);
  await clock.runUntil(() => isOver || hasCome(), patienceMs);
  if (afterMs !== undefined && speech.beganAt !== null)
    await clock.advance(Math.max(0, speech.beganAt + afterMs - clock.now()));
  return !isOver;
}

function wordDuration(wordsPerMinute: number, seed: number | undefined): () => number {
  const wordMs = wordsPerMinute > 0 ? 60_000 / wordsPerMinute : 0;
  if (seed === undefined) return () => wordMs;
  const random = createSeededRandom(seed);
  return () => wordMs * (0.6 + 0.8 * random.next());
}

function standIn(name: string, run: NonNullable<SimulationOptions['functions']>[string]): FunctionTool {
  return unregisteredTool({
    name,
    description: name,
    parameters: z.looseObject({}),
    execute: (input, context) => run(input as JsonObject, context), // Arguments of a call come from JSON.
  });
}

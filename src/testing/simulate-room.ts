import { llm } from '@livekit/agents';
import { FlowRunner, type FlowRunnerOptions } from '../runner.ts';
import { createTextSession } from '../session/text-session.ts';
import { recordConversation, type SimulationResult } from './conversation-record.ts';
import { createCountingIds } from './counting-ids.ts';
import { createPacedSpeech, type PacedSpeech } from './paced-speech.ts';
import { parseScript, type Script, type ScriptStep } from './script.ts';
import { type ModelScript, ScriptedModel } from './scripted-model.ts';
import { createSeededRandom } from './seeded-random.ts';
import { type StandIns, standInTools } from './stand-in.ts';
import { createVirtualClock, settleLiveKit, type VirtualClock } from './virtual-clock.ts';

export interface SimulationOptions extends Pick<
  FlowRunnerOptions,
  | 'tools'
  | 'handlers'
  | 'nodeTypes'
  | 'input'
  | 'store'
  | 'timeZone'
  | 'flows'
  | 'fallback'
  | 'user'
  | 'replyTarget'
  | 'resources'
> {
  /** What the model says: a script, or any LiveKit LLM. */
  readonly model: ModelScript | llm.LLM;
  readonly functions?: StandIns;
  /** When the conversation begins, in epoch milliseconds; a Monday morning of 2030 where absent. */
  readonly now?: number;
  /** How fast the agent speaks; 160 where absent, 0 says everything at once. */
  readonly wordsPerMinute?: number;
  /** Makes some words longer than others; the same seed, the same conversation. */
  readonly seed?: number;
  /** How long the flow waits for a caller who dropped out, in milliseconds; 30,000 where absent. */
  readonly graceMs?: number;
}

/**
 * Plays a script to a flow on a real `AgentSession` in text, in virtual time: words, delays of a scripted model, time
 * limits and silence take no time of the machine. Before each step but `interrupt` the agent finishes speaking. A
 * script that does not begin with `join` lets the caller join first. What does not hold is part of the result; a broken
 * flow or script throws.
 */
export async function simulateRoom(
  flow: NonNullable<FlowRunnerOptions['flow']>,
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

function openRoom(flow: NonNullable<FlowRunnerOptions['flow']>, options: SimulationOptions): Room {
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
    tools: [...tools, ...standInTools(functions)],
    clock,
    ids: createCountingIds(),
  });
  if (model instanceof ScriptedModel) model.nodeOf = () => runner.currentNode;

  const record = recordConversation(runner);
  const heardIds = new Set<string>();
  let said: string[] = [];
  let caller: string | null = null;
  let isAway = false;
  let cancelGrace = (): void => undefined;
  /** What the agent is doing for the steps so far. */
  let underway: Promise<unknown> = Promise.resolve();

  runner.onSpeech((text, interrupted) => {
    said.push(text);
    record.tell({ who: 'agent', text: text.trim(), at: speech.beganAt ?? clock.now(), interrupted });
    speech.restart();
  });

  const tell = (who: string, text: string): void => record.tell({ who, text, at: clock.now(), interrupted: false });
  const finish = async (step: number): Promise<void> => {
    if (await passes(clock, underway)) await underway;
    else record.fail(step, `the agent did not come to rest within ${patienceMs / 1000} seconds`);
  };
  /** Lets the caller act, unless nobody is there to act or to listen. */
  const act = (step: number, doing: () => Promise<unknown>): void => {
    if (record.ended !== null) record.fail(step, `the conversation has ended before (${record.ended})`);
    else if (isAway) record.fail(step, 'the caller is not in the room');
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
      if (!isSpeaking) record.fail(number, 'the agent had finished before it could be interrupted');
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
      if (record.ended === null && !isAway) record.fail(number, 'the caller has not left');
      else {
        isAway = false;
        act(number, () => runner.recap());
      }
    } else {
      const requests = model instanceof ScriptedModel ? model.requests.length : null;
      record.expect(number, step.expect, { said, requests });
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
      return record.result(model instanceof ScriptedModel ? model.requests : []);
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

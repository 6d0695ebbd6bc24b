import { FlowError } from '../model/errors.ts';
import { assertOptions, has, optionShapes, type OptionShapes } from '../flow/document/problems/option-faults.ts';
import type { RunnerOptions } from '../runner/options/runner-options.ts';
import { systemClock, systemIds } from '../system.ts';
import { type Caller, joinRoom } from './caller.ts';
import { recordConversation, type SimulationResult } from './conversation-record.ts';
import { playScript, type Scene } from './play-script.ts';
import { createRoomAgent, type RoomAgentOptions } from './room-agent.ts';
import type { Script } from './script.ts';
import { simulationShapes } from './simulate-room.ts';

/** Options of a play in a room, besides its flow and script. */
export interface RoomPlayOptions extends RoomAgentOptions {
  /**
   * Converts the caller's words to samples of 16 kHz, for an agent with speech recognition. Without it the caller
   * types.
   */
  readonly speak?: (words: string) => Promise<Int16Array>;
}

const { now: _now, wordsPerMinute: _pace, seed: _seed, ...agentShapes } = simulationShapes;
const shapes: OptionShapes<RoomPlayOptions> = {
  ...agentShapes,
  server: ['an object with url, apiKey and apiSecret', has],
  speak: optionShapes.method,
  ...{ tts: null, stt: null },
};

/**
 * Plays a script of `simulateRoom` in a real LiveKit room: a caller who speaks or types, and an agent that this caller
 * hears, both in this process and in real time. Before each step but `interrupt` the agent finishes speaking, and the
 * caller has heard it. Failed expectations are part of the result. Throws `flow-invalid`, `script-invalid`,
 * `config-invalid` for options of the wrong type, and `room-silent` if nothing arrives from the room in time.
 * @example
 * const server = { url: 'ws://127.0.0.1:7880', apiKey: 'devkey', apiSecret: 'secret' }; const { ok } = await
 * playInRoom('order.yaml', [{ say: 'tulips' }], { server, model: new OfflineBrain() });
 */
export async function playInRoom(
  flow: NonNullable<RunnerOptions['flow']>,
  script: Script,
  options: RoomPlayOptions,
): Promise<SimulationResult> {
  assertOptions(options, shapes, ['model', 'server']);
  return await playScript(script, (caller) => openRoom(flow, caller, options));
}

/** The time limit for everything that the agent or the caller does, on a busy machine, in milliseconds. */
const patienceMs = 60_000;

/** When a caller who was not understood repeats the words, in milliseconds, and how often they are said. */
const againMs = 20_000;
const attempts = 3;

/** How long an expectation may take to hold, in milliseconds. */
const soonMs = 15_000;

/** How long it takes to be sure that the caller was not heard, in milliseconds. */
const unheardMs = 1_000;

async function openRoom(
  flow: NonNullable<RunnerOptions['flow']>,
  name: string,
  options: RoomPlayOptions,
): Promise<Scene> {
  const { server, speak, ...ofAgent } = options;
  const agent = await createRoomAgent(flow, { server, ...ofAgent });
  const { runner } = agent;
  const roomName = systemIds.create('room');
  const record = recordConversation(runner);
  const others = new Map<string, Caller>();
  let caller: Caller;
  /** The lines that the caller heard before the last absence. */
  let heardBefore: readonly string[] = [];
  /** The index of the first line since the last step. */
  let saidFrom = 0;
  /** When the last step began, in epoch milliseconds. */
  let actedAt = 0;
  /** The agent's words since the last step, from the agent itself, without interrupted parts. */
  let saidWhole: string[] = [];

  runner.onSpeech((text, interrupted) => {
    if (!interrupted) saidWhole.push(text);
    record.tell({ who: 'agent', text: text.trim(), at: agent.beganAt, interrupted });
  });
  const allHeard = (): readonly string[] => [
    ...heardBefore,
    ...caller.lines.flatMap(({ from, text }) => (from === 'agent' ? [text] : [])),
  ];
  const said = (): readonly string[] => allHeard().slice(saidFrom);
  const otherNamed = async (other: string): Promise<Caller> => {
    const known = others.get(other) ?? (await joinRoom(server, roomName, other));
    others.set(other, known);
    return known;
  };

  return {
    record,
    get requests() {
      return agent.requests;
    },
    now: () => systemClock.now(),
    async begin() {
      caller = await joinRoom(server, roomName, name);
      await agent.begin(roomName, name);
      return { work: runner.idle() };
    },
    async rest(work, isAway) {
      try {
        await inTime(work, 'the agent did not come to rest');
        if (['ending', 'ended'].includes(runner.state.status)) await inTime(runner.ended, 'the flow did not end');
        if (!isAway) await caller.until(() => holdsAll(said(), saidWhole), 'all that the agent said', patienceMs);
        return null;
      } catch (error) {
        return error instanceof Error ? error.message : 'an action of the agent has failed';
      }
    },
    said,
    forgetSaid() {
      saidFrom = allHeard().length;
      saidWhole = [];
      actedAt = systemClock.now();
    },
    async say(words, id) {
      const problem = 'the agent did not take what the caller said';
      // Only typed text has an id.
      if (speak === undefined || id !== undefined) {
        const answered = agent.next('send');
        await caller.type(words, id);
        await inTime(answered, problem);
        return;
      }
      const { understood, answered } = agent.nextSpoken();
      const samples = await speak(words);
      let isUnderstood = false;
      void understood.then(() => (isUnderstood = true));
      // A caller who is not understood repeats the words.
      for (let attempt = 1; attempt <= attempts && !isUnderstood; attempt += 1) {
        await caller.speak(samples);
        await caller.until(() => isUnderstood, 'the agent to understand', againMs).catch(() => undefined);
      }
      await inTime(answered, problem);
    },
    async press(keys) {
      const answered = agent.next('send');
      await caller.press(keys);
      await inTime(answered, 'the agent did not take what the caller pressed');
    },
    async listen({ afterWords = 1, afterMs }, isBusy) {
      const until = (holds: () => boolean): Promise<void> =>
        caller.until(() => !isBusy() || holds(), 'the agent to speak', patienceMs).catch(() => undefined);
      const words = (): number => wordsIn([...said(), caller.hearing()].join(' '));
      // Until the agent begins its reply, the caller hears the rest of the reply before, or a sound that is not speech.
      await until(() => agent.beganAt > actedAt);
      const before = words();
      await until(() => words() - before >= afterWords);
      if (afterMs === undefined) return;
      const { mark } = caller.sound();
      mark();
      await until(() => {
        const { firstLoudAt } = caller.sound();
        return firstLoudAt > 0 && performance.now() - firstLoudAt >= afterMs;
      });
    },
    hush: () => Promise.resolve(),
    async leave() {
      const noticed = agent.next('hush');
      await caller.leave();
      await inTime(noticed, 'the agent did not notice that the caller left');
    },
    async rejoin() {
      const noticed = agent.next('recap');
      const before = allHeard();
      caller = await joinRoom(server, roomName, name);
      heardBefore = before;
      await inTime(noticed, 'the agent did not notice that the caller came back');
    },
    joinOther: async (other) => void (await otherNamed(other)),
    async sayOther(other, words) {
      await (await otherNamed(other)).type(words);
      await pause(unheardMs);
    },
    async pause(delayMs) {
      await pause(delayMs);
      return { work: runner.idle() };
    },
    // Words that are heard late, and in two pieces, are answered after the answer to the first piece.
    soon: (holds) => caller.until(holds, 'what is expected', soonMs).catch(() => undefined),
    async close() {
      await agent.close();
      await Promise.all([caller, ...others.values()].map((one) => one.leave()));
    },
  };
}

/** Checks whether the caller heard each of the texts, regardless of how they were split into lines. */
function holdsAll(lines: readonly string[], texts: readonly string[]): boolean {
  const heard = plain(lines.join(' '));
  return texts.every((text) => heard.includes(plain(text)));
}

function plain(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

function wordsIn(text: string): number {
  return text.match(/\S+/g)?.length ?? 0;
}

async function inTime<Result>(work: Promise<Result>, problem: string): Promise<Result> {
  let cancel = (): void => undefined;
  const late = new Promise<never>((_resolve, reject) => {
    cancel = systemClock.schedule(patienceMs, () =>
      reject(new FlowError('room-silent', `${problem} within ${patienceMs / 1_000} seconds`)),
    );
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    cancel();
  }
}

function pause(delayMs: number): Promise<void> {
  return new Promise((resolve) => void systemClock.schedule(delayMs, resolve));
}

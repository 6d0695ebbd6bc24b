import { FlowError } from '../errors.ts';
import type { FlowRunnerOptions } from '../runner.ts';
import { systemClock, systemIds } from '../session/system.ts';
import { type Caller, joinRoom } from './caller.ts';
import { recordConversation, type SimulationResult } from './conversation-record.ts';
import { createRoomAgent, type RoomAgentOptions } from './room-agent.ts';
import { parseScript, type Script, type ScriptStep } from './script.ts';

export interface RoomPlayOptions extends RoomAgentOptions {
  /** Makes samples of 16 kHz of the caller's words, for an agent with ears; without it the caller types. */
  readonly speak?: (words: string) => Promise<Int16Array>;
}

/**
 * Plays a script of `simulateRoom` in a real LiveKit room: a caller who speaks or types, and an agent whom that caller
 * hears, both in this process and in real time. Before each step but `interrupt` the agent finishes speaking, and the
 * caller has heard it. What does not hold is part of the result; a broken flow or script throws.
 */
export async function playInRoom(
  flow: NonNullable<FlowRunnerOptions['flow']>,
  script: Script,
  options: RoomPlayOptions,
): Promise<SimulationResult> {
  const steps = parseScript(script, 'the script');
  const [first] = steps;
  const name = first !== undefined && 'join' in first && typeof first.join === 'string' ? first.join : 'caller';
  const room = await openRoom(flow, name, options);
  try {
    await room.begin();
    for (const [index, step] of steps.entries()) await room.play(step, index + 1);
    return await room.result(steps.length);
  } finally {
    await room.close();
  }
}

/** How long agent and caller may take for whatever they do, on a machine that is busy, in milliseconds. */
const patienceMs = 60_000;

/** How long it takes to be sure that somebody was not listened to, in milliseconds. */
const unheardMs = 1_000;

async function openRoom(flow: NonNullable<FlowRunnerOptions['flow']>, name: string, options: RoomPlayOptions) {
  const { server, speak, ...ofAgent } = options;
  const agent = await createRoomAgent(flow, { server, ...ofAgent });
  const { runner } = agent;
  const roomName = systemIds.create('room');
  const record = recordConversation(runner);
  const others = new Map<string, Caller>();
  const heardIds = new Set<string>();
  let caller: Caller;
  /** What the caller heard before the last absence. */
  let heardBefore: readonly string[] = [];
  /** From which line on it was said since the last step. */
  let saidFrom = 0;
  /** What the agent has said since the last step, as it knows itself, but for what was cut off. */
  let saidWhole: string[] = [];
  let isAway = false;
  /** What the agent is doing for the steps so far. */
  let underway: Promise<unknown> = Promise.resolve();
  let isBusy = false;

  runner.onSpeech((text, interrupted) => {
    if (!interrupted) saidWhole.push(text);
    record.tell({ who: 'agent', text: text.trim(), at: agent.beganAt, interrupted });
  });
  const tell = (who: string, text: string): void =>
    record.tell({ who, text, at: systemClock.now(), interrupted: false });
  const allHeard = (): readonly string[] => [
    ...heardBefore,
    ...caller.lines.flatMap(({ from, text }) => (from === 'agent' ? [text] : [])),
  ];
  const said = (): readonly string[] => allHeard().slice(saidFrom);
  const forgetSaid = (): void => {
    saidFrom = allHeard().length;
    saidWhole = [];
    caller.sound().mark();
  };
  const follow = (work: Promise<unknown>): void => {
    isBusy = true;
    const both = Promise.all([underway, work]);
    const over = (): void => {
      if (underway === both) isBusy = false;
    };
    both.then(over, over);
    underway = both;
  };
  const finish = async (step: number): Promise<void> => {
    try {
      await inTime(underway, 'the agent did not come to rest');
      if (['ending', 'ended'].includes(runner.state.status)) await inTime(runner.ended, 'the flow did not end');
      if (!isAway) await caller.until(() => holdsAll(said(), saidWhole), 'all that the agent said', patienceMs);
    } catch (error) {
      record.fail(step, error instanceof Error ? error.message : 'what the agent did has failed');
      underway = Promise.resolve();
    }
  };
  const act = (step: number, doing: () => Promise<unknown>): void => {
    if (record.ended !== null) record.fail(step, `the conversation has ended before (${record.ended})`);
    else if (isAway) record.fail(step, 'the caller is not in the room');
    else {
      forgetSaid();
      follow(doing());
    }
  };
  const say = async (words: string, id?: string): Promise<void> => {
    if (id === undefined || !heardIds.has(id)) tell(name, words);
    if (id !== undefined) heardIds.add(id);
    // Only what is typed has an id.
    const isSpoken = speak !== undefined && id === undefined;
    const answered = isSpoken ? agent.nextSpoken() : agent.next('send');
    if (isSpoken) await caller.speak(await speak(words));
    else await caller.type(words, id);
    await inTime(answered, 'the agent did not take what the caller said');
  };
  const interrupt = async (step: Extract<ScriptStep, { interrupt: string }>, number: number): Promise<void> => {
    const { afterWords = 1, afterMs } = step;
    const sound = caller.sound();
    const hasCome = (): boolean =>
      afterMs === undefined
        ? wordsIn([...said(), caller.hearing()].join(' ')) >= afterWords
        : caller.sound().firstLoudAt > 0 && performance.now() - caller.sound().firstLoudAt >= afterMs;
    await caller.until(() => !isBusy || hasCome(), 'the agent to speak', patienceMs).catch(() => undefined);
    if (!isBusy) record.fail(number, 'the agent had finished before it could be interrupted');
    sound.mark();
    act(number, () => say(step.interrupt));
  };

  const play = async (step: ScriptStep, number: number): Promise<void> => {
    if ('interrupt' in step) return await interrupt(step, number);
    if ('join' in step) {
      const joining = step.join === true ? 'caller' : step.join;
      if (number > 1 && joining !== name) others.set(joining, await joinRoom(server, roomName, joining));
      return;
    }
    await finish(number);
    if ('say' in step) {
      if (step.from === undefined || step.from === name) act(number, () => say(step.say, step.id));
      else {
        tell(step.from, step.say);
        const other = others.get(step.from) ?? (await joinRoom(server, roomName, step.from));
        others.set(step.from, other);
        await other.type(step.say);
        await pause(unheardMs);
      }
    } else if ('dtmf' in step)
      act(number, async () => {
        tell(name, step.dtmf);
        const answered = agent.next('send');
        await caller.press(step.dtmf);
        await inTime(answered, 'the agent did not take what the caller pressed');
      });
    else if ('silence' in step) {
      forgetSaid();
      await pause(step.silence);
    } else if ('leave' in step)
      act(number, async () => {
        isAway = true;
        const noticed = agent.next('hush');
        await caller.leave();
        await inTime(noticed, 'the agent did not notice that the caller left');
      });
    else if ('rejoin' in step) {
      if (record.ended === null && !isAway) return record.fail(number, 'the caller has not left');
      isAway = false;
      act(number, async () => {
        const noticed = agent.next('recap');
        const before = allHeard();
        caller = await joinRoom(server, roomName, name);
        heardBefore = before;
        await inTime(noticed, 'the agent did not notice that the caller came back');
      });
    } else record.expect(number, step.expect, { said: said(), requests: agent.requests?.length ?? null });
  };

  return {
    play,
    async begin() {
      caller = await joinRoom(server, roomName, name);
      await agent.begin(roomName, name);
      follow(runner.idle());
    },
    async result(lastStep: number) {
      await finish(lastStep);
      return record.result(agent.requests ?? []);
    },
    async close() {
      await agent.close();
      await Promise.all([caller, ...others.values()].map((one) => one.leave()));
    },
  };
}

/** Whether the caller heard each of the texts, however it was cut into lines. */
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

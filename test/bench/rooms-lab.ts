import { AgentDispatchClient } from 'livekit-server-sdk';
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { type Caller, joinRoom } from '../rooms/caller.ts';
import { type Leashed, startLeashed } from '../rooms/leashed.ts';
import { type LivekitServer, startLivekitServer } from '../rooms/livekit-server.ts';

/** The two compared agents: a flow's, and LiveKit alone. */
export type AgentName = 'flow' | 'bare';

/** A server with both workers. */
export interface Lab {
  /** Joins a new room with an agent and waits for its greeting. Tries another room if the agent is not heard. */
  call(agent: AgentName): Promise<Call>;
  close(): Promise<void>;
}

/** A running call with its measurements. */
export interface Call {
  /** Milliseconds from typed words to the first sound of the answer. Waits for its end. */
  chat(): Promise<number>;
  /** Milliseconds from the last sample of the caller's voice to the first sound of the answer. */
  speak(samples: Int16Array): Promise<number>;
  /** Resident memory of the job's process, in megabytes. */
  residentMb(): number;
  /** The whole heard audio, 16 kHz mono. */
  heard(): Int16Array;
  leave(): Promise<void>;
}

/** Starts a server and both workers, with a warm process for each of `mostRooms` rooms. */
export async function openLab(program: string, mostRooms: number): Promise<Lab> {
  const server = await startLivekitServer(program);
  const variables = { ...server.variables, BENCH_PROCESSES: String(mostRooms) };
  const root = join(import.meta.dirname, '../..');
  const config = join(import.meta.dirname, 'rooms-config.mjs');
  const workers: Record<AgentName, Leashed> = {
    bare: startLeashed(execPath, [join(import.meta.dirname, 'rooms-bare.mjs')], variables),
    flow: startLeashed(execPath, [join(root, 'dist/cli/main.js'), 'worker', '--config', config], variables),
  };
  for (const worker of Object.values(workers)) await worker.hasSaid(/registered worker/, 120_000);
  // The flow's worker opens its models once at the start, to check them.
  const used: Record<AgentName, number> = { bare: 0, flow: 1 };
  const untilReady = (agent: AgentName, spare: number): Promise<void> =>
    workers[agent].hasSaid(new RegExp(`("ready":[^]*?){${used[agent] + spare}}`), startMs);
  return {
    async call(agent) {
      for (let attempt = 1; ; attempt += 1) {
        used[agent] += 1;
        await untilReady(agent, 0);
        const call = await openCall(server, workers[agent], agent, `bench-${randomUUID()}`).catch((error: unknown) => {
          // LiveKit alone leaves an agent mute if its server is late. This does not count as a slow answer.
          if (attempt === attempts) throw error;
          return null;
        });
        // LiveKit at once starts the process for the next call, which would distort the measurement.
        await untilReady(agent, mostRooms);
        if (call !== null) return call;
      }
    },
    async close() {
      for (const worker of Object.values(workers)) await worker.kill();
      await server.stop();
    },
  };
}

/** Time limit for processes to be ready on a busy machine. */
const startMs = 300_000;
/** How long the agent is silent before the next turn, so that answers do not overlap. */
const silenceMs = 500;
const answerMs = 30_000;
/** Maximum attempts to start a call in which the agent is heard. */
const attempts = 3;

async function openCall(server: LivekitServer, worker: Leashed, agent: AgentName, room: string): Promise<Call> {
  const caller = await joinRoom(server, room);
  const dispatch = new AgentDispatchClient(server.url.replace(/^ws/, 'http'), server.apiKey, server.apiSecret);
  await dispatch.createDispatch(room, agent, { metadata: agent === 'flow' ? JSON.stringify({ sessionId: room }) : '' });
  try {
    await caller.until(() => caller.sound().firstLoudAt > 0, 'the greeting', 60_000);
    await untilQuiet(caller);
  } catch (error) {
    await caller.leave();
    throw error;
  }
  const pid = pidIn(worker.output(), room);
  const answered = async (since: number): Promise<number> => {
    await caller.until(() => caller.sound().firstLoudAt > 0, 'an answer', answerMs);
    const delayMs = caller.sound().firstLoudAt - since;
    await untilQuiet(caller);
    return delayMs;
  };
  return {
    async chat() {
      caller.sound().mark();
      const since = performance.now();
      await caller.type('hello there');
      return await answered(since);
    },
    async speak(samples) {
      caller.sound().mark();
      await caller.speak(samples);
      return await answered(performance.now());
    },
    residentMb: () => Number(spawnSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' }).stdout) / 1_024,
    heard: () => caller.sound().samples,
    leave: () => caller.leave(),
  };
}

async function untilQuiet(caller: Caller): Promise<void> {
  await caller.until(() => performance.now() - caller.sound().lastLoudAt > silenceMs, 'silence', answerMs);
}

/** Returns the process that has logged that it took the call of a room. */
function pidIn(output: string, room: string): number {
  const line = output.split('\n').find((one) => one.includes(`"takes":"${room}"`) || one.includes(`"${room}","event"`));
  const pid = /"pid":(\d+)/.exec(line ?? '')?.[1];
  if (pid === undefined) throw new Error(`No process has told that it takes the call of ${room}.`);
  return Number(pid);
}

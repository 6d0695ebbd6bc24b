import { randomUUID } from 'node:crypto';
import process from 'node:process';
import { speakSentence } from '../../src/session/offline-speech/flite.ts';
import { findLivekitServer, noServer } from '../rooms/livekit-server.ts';
import { median, type Measure } from './measure.ts';
import { bench, choiceIn } from './report.ts';
import { countGaps } from './rooms-gaps.ts';
import type { AgentName, Call, Lab } from './rooms-lab.ts';

const usage = 'npm run bench:rooms -- [--json] [--only PREFIX] [--strict]';
const output = { line: console.log, error: console.error };
const agents = ['bare', 'flow'] as const;
const turns = 15;
const turnsInTable = 6;
const roomCounts = [1, 2, 4];
const mostRooms = Math.max(...roomCounts);

try {
  process.exitCode = await main();
} catch (error) {
  output.error(`${error instanceof Error ? error.message : String(error)}\n${usage}`);
  process.exitCode = 1;
}

async function main(): Promise<number> {
  const choice = choiceIn(process.argv.slice(2));
  const program = findLivekitServer();
  if (program === null) throw new Error(`Nothing to measure in: ${noServer}.`);
  // LiveKit's client tells every step on stdout unless this is production, and looks when it is loaded.
  process.env['NODE_ENV'] ??= 'production';
  const { openLab } = await import('./rooms-lab.ts');
  const lab = await openLab(program, mostRooms);
  try {
    return await bench(measuresIn(lab), choice, output);
  } finally {
    await lab.close();
  }
}

function measuresIn(lab: Lab): Measure[] {
  const times = { unit: 'times', better: 'lower', limit: 1.1 } as const;
  return [
    { ...times, name: 'room.chat_to_audio_ratio', run: () => ratio(lab, (call) => call.chat()) },
    {
      ...times,
      name: 'room.speech_to_audio_ratio',
      async run() {
        const words = withoutSilence(await speakSentence('I would like to know more about it', 'rms'));
        return await ratio(lab, (call) => call.speak(words));
      },
    },
    { name: 'room.job_extra_mb', unit: 'MB', better: 'lower', run: () => extraMb(lab) },
    ...roomCounts.flatMap((count) => tableRows(lab, count)),
  ];
}

/** How many times as long the flow takes as LiveKit alone. Both calls are under way and answer by turns. */
async function ratio(lab: Lab, turn: (call: Call) => Promise<number>) {
  const calls = { bare: await lab.call('bare', newRoom()), flow: await lab.call('flow', newRoom()) };
  const found: Record<AgentName, number[]> = { bare: [], flow: [] };
  // The first turn of a call warms up what the others find ready.
  for (let round = 0; round <= turns; round += 1)
    for (const agent of round % 2 === 0 ? agents : agents.toReversed()) {
      const delayMs = await turn(calls[agent]);
      if (round > 0) found[agent].push(delayMs);
    }
  for (const agent of agents) await calls[agent].leave();
  const bareMs = median(found.bare);
  return { value: median(found.flow) / bareMs, baseline: `bare session, ${bareMs.toFixed(0)} ms`, runs: turns };
}

/** What the process of a flow's call holds in memory more than that of LiveKit alone. */
async function extraMb(lab: Lab) {
  const found: Record<AgentName, number[]> = { bare: [], flow: [] };
  for (let round = 0; round < mostRooms; round += 1)
    for (const agent of agents) {
      const call = await lab.call(agent, newRoom());
      for (let turn = 0; turn < 3; turn += 1) await call.chat();
      found[agent].push(call.residentMb());
      await call.leave();
    }
  const bareMb = median(found.bare);
  return { value: median(found.flow) - bareMb, baseline: `bare session, ${bareMb.toFixed(0)} MB`, runs: mostRooms };
}

/** Two rows for so many rooms at once: how long an answer takes, and how often the sound of one breaks off. */
function tableRows(lab: Lab, count: number): Measure[] {
  const found = Object.fromEntries(agents.map((agent) => [agent, once(() => talk(lab, agent, count))]));
  const row = async (read: (result: Talk) => number) => ({
    value: read((await found['flow']?.()) ?? nothing),
    baseline: read((await found['bare']?.()) ?? nothing),
    runs: count * turnsInTable,
  });
  return [
    {
      name: `room.chat_to_audio_ms/${count}`,
      unit: 'ms',
      better: 'lower',
      run: () => row(({ delaysMs }) => median(delaysMs)),
    },
    { name: `room.gaps/${count}`, unit: 'gaps', better: 'lower', run: () => row(({ gaps }) => gaps) },
  ];
}

interface Talk {
  readonly delaysMs: readonly number[];
  /** Pauses of more than 60 ms inside of lines, in all rooms. */
  readonly gaps: number;
}

const nothing: Talk = { delaysMs: [Number.NaN], gaps: Number.NaN };

async function talk(lab: Lab, agent: AgentName, count: number): Promise<Talk> {
  const calls = await Promise.all(Array.from({ length: count }, () => lab.call(agent, newRoom())));
  const delaysMs = await Promise.all(
    calls.map(async (call) => {
      const own: number[] = [];
      for (let turn = 0; turn < turnsInTable; turn += 1) own.push(await call.chat());
      return own;
    }),
  );
  const gaps = calls.reduce((sum, call) => sum + countGaps(call.heard()), 0);
  for (const call of calls) await call.leave();
  return { delaysMs: delaysMs.flat(), gaps };
}

function once<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let begun: Promise<Result> | undefined;
  return () => (begun ??= work());
}

function newRoom(): string {
  return `bench-${randomUUID()}`;
}

/** Without the quiet end, which the caller's last sample would be measured from. */
function withoutSilence(samples: Int16Array): Int16Array {
  const last = samples.findLastIndex((sample) => Math.abs(sample) > 500);
  return samples.slice(0, last + 1);
}

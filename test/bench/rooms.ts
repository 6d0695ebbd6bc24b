import process from 'node:process';
import { speakSentence } from '../../src/offline/voice/flite.ts';
import { findLivekitServer, noServer } from '../rooms/livekit-server.ts';
import { median, type Measure, type Reading } from './measure.ts';
import { bench, choiceIn } from './report.ts';
import { countGaps } from './rooms-gaps.ts';
import type { AgentName, Call, Lab } from './rooms-lab.ts';

const usage = 'npm run bench:rooms -- [--json] [--only PREFIX] [--strict]';
const output = { line: console.log, error: console.error };
const agents = ['bare', 'flow'] as const;
/** Pairs of calls to compare, two at a time. Several, because jitter buffers vary. */
const pairs = 3;
const turns = { chat: 5, speech: 4 };
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
  // In other environments LiveKit's client logs every step to stdout. It reads the variable when it is loaded.
  process.env['NODE_ENV'] ??= 'production';
  const { openLab } = await import('./rooms-lab.ts');
  const { approvalToSpeech } = await import('./rooms-approval.ts');
  let opened: Lab | null = null;
  const lab = once(async () => (opened = await openLab(program, mostRooms)));
  const approval: Measure = {
    ...{ name: 'approval.to_speech_ms', unit: 'ms', better: 'lower', limit: 1_000 },
    run: () => approvalToSpeech(program),
  };
  try {
    return await bench([approval, ...measuresIn(lab)], choice, output);
  } finally {
    await (opened as Lab | null)?.close();
    const { dispose } = await import('@livekit/rtc-node');
    await dispose();
  }
}

function measuresIn(lab: () => Promise<Lab>): Measure[] {
  const times = { unit: 'times', better: 'lower', limit: 1.1 } as const;
  const chat = once(async () => compare(await lab(), turns.chat, (call) => call.chat()));
  return [
    { ...times, name: 'room.chat_to_audio_ratio', run: async () => ratioOf(await chat()) },
    {
      ...times,
      name: 'room.speech_to_audio_ratio',
      async run() {
        const words = withoutSilence(await speakSentence('Tell me more about it', 'rms'));
        return ratioOf(await compare(await lab(), turns.speech, (call) => call.speak(words)));
      },
    },
    { name: 'room.job_extra_mb', unit: 'MB', better: 'lower', run: async () => extraMb(await chat()) },
    ...roomCounts.flatMap((count) => tableRows(lab, count)),
  ];
}

/** Measurements in calls of both agents. */
interface Comparison {
  /** Rounds in which both answered in sequence, with the time of each. */
  readonly rounds: readonly Readonly<Record<AgentName, number>>[];
  /** Resident memory of each call's process. */
  readonly residentMb: Readonly<Record<AgentName, readonly number[]>>;
}

/** Runs calls of both agents, which answer alternately, so that other load affects both. */
async function compare(lab: Lab, count: number, turn: (call: Call) => Promise<number>): Promise<Comparison> {
  const rounds: Record<AgentName, number>[] = [];
  const residentMb: Record<AgentName, number[]> = { bare: [], flow: [] };
  for (let pair = 0; pair < pairs; pair += 1) {
    const calls = { bare: await lab.call('bare'), flow: await lab.call('flow') };
    // The first turn of a call is a warm-up.
    for (let round = 0; round <= count; round += 1) {
      const delaysMs: Record<AgentName, number> = { bare: 0, flow: 0 };
      for (const agent of round % 2 === 0 ? agents : agents.toReversed()) delaysMs[agent] = await turn(calls[agent]);
      if (round > 0) rounds.push(delaysMs);
    }
    for (const agent of agents) {
      residentMb[agent].push(calls[agent].residentMb());
      await calls[agent].leave();
    }
  }
  return { rounds, residentMb };
}

/** Returns how many times longer the flow takes than LiveKit alone in the same round. */
function ratioOf({ rounds }: Comparison): Reading {
  const bareMs = median(rounds.map(({ bare }) => bare));
  return {
    value: median(rounds.map(({ flow, bare }) => flow / bare)),
    baseline: `bare session, ${bareMs.toFixed(0)} ms`,
    runs: rounds.length,
  };
}

/** Returns how much more resident memory a flow's call has than one of LiveKit alone. */
function extraMb({ residentMb }: Comparison): Reading {
  const bareMb = median(residentMb.bare);
  return { value: median(residentMb.flow) - bareMb, baseline: `bare session, ${bareMb.toFixed(0)} MB`, runs: pairs };
}

/** Two rows for a number of concurrent rooms: the time of an answer, and the gaps in its sound. */
function tableRows(lab: () => Promise<Lab>, count: number): Measure[] {
  const found = Object.fromEntries(agents.map((agent) => [agent, once(async () => talk(await lab(), agent, count))]));
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
  /** Pauses of more than 60 ms within lines, in all rooms. */
  readonly gaps: number;
}

const nothing: Talk = { delaysMs: [Number.NaN], gaps: Number.NaN };

async function talk(lab: Lab, agent: AgentName, count: number): Promise<Talk> {
  const calls: Call[] = [];
  while (calls.length < count) calls.push(await lab.call(agent));
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

/** Removes trailing silence, because the time is measured from the caller's last sample. */
function withoutSilence(samples: Int16Array): Int16Array {
  const last = samples.findLastIndex((sample) => Math.abs(sample) > 500);
  return samples.slice(0, last + 1);
}

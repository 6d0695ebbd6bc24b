import { llm, voice } from '@livekit/agents';
import { cpuUsage } from 'node:process';
// The built package, because tsx would name every closure of the sources, but none of LiveKit’s.
import { FlowRunner } from '../../dist/runner/flow-runner.js';
import { flowTool } from '../../dist/livekit/tools/flow-tool.js';
import { createTextSession } from '../../dist/livekit/agent/text-session.js';
import { ScriptedModel } from '../../dist/testing/scripted-model.js';
import { assertOpen, rateRatio } from './busy-calls.ts';
import { heapHeld } from './heap.ts';
import type { Measure } from './measure.ts';
import { rounds } from './rounds.ts';

/** One caller: each turn is one request, one call of a tool, and one request for the reply after it. */
interface Caller {
  turn(): Promise<unknown>;
  close(): Promise<void>;
}

const sessions = rounds(200);
const turnsASession = 4;
const repetitions = rounds(7);
/** A model's time to its first word in milliseconds, for measures of wall-clock time as callers experience it. */
const pacedModelMs = rounds(300);
const turnsForTheHeap = 5;
const heapRuns = 3;

const instructions = 'You are the receptionist of a small clinic. Ask one question at a time and be brief.';
const words = 'I would like to go on, please.';

/** Creates a model per session, as in a worker. It does not record its requests. */
function createModel(delayMs: number): ScriptedModel {
  const model = new ScriptedModel(({ userText }) => {
    model.requests.length = 0;
    return { delayMs, ...(userText === '' ? { text: 'Fine, thank you.' } : { calls: [{ name: 'work' }] }) };
  });
  return model;
}

const description = 'Do the work.';
const work = flowTool({ name: 'work', description, execute: () => ({ ok: true }) });

/** A flow that alternates between two nodes. */
async function flowCaller(delayMs = 0): Promise<Caller> {
  const node = (next: string, respondImmediately: boolean) => ({
    taskMessages: [{ role: 'system' as const, content: instructions }],
    respondImmediately,
    functions: [{ name: 'work', transitionTo: next }],
  });
  const session = createTextSession(createModel(delayMs));
  const runner = new FlowRunner({
    session,
    flow: { initialNode: 'start', nodes: { start: node('a', false), a: node('b', true), b: node('a', true) } },
    tools: [work],
  });
  await runner.start();
  return {
    async turn() {
      await runner.send(words);
      assertOpen(runner);
    },
    close: async () => {
      await runner.stop();
      await session.close();
    },
  };
}

/** The same requests and calls with LiveKit alone. */
async function bareCaller(delayMs = 0): Promise<Caller> {
  const session = createTextSession(createModel(delayMs));
  const tool = llm.tool({ name: 'work', description, execute: async () => ({ ok: true }) });
  await session.start({ agent: voice.Agent.create({ instructions, tools: [tool] }) });
  return {
    turn: () => session.generateReply({ userInput: words }).waitForPlayout(),
    close: () => session.close(),
  };
}

async function open(create: () => Promise<Caller>): Promise<Caller[]> {
  const callers: Caller[] = [];
  for (let count = 0; count < sessions; count += 1) callers.push(await create());
  return callers;
}

async function talk(callers: readonly Caller[], turns: number): Promise<void> {
  const all = async (caller: Caller): Promise<void> => {
    for (let turn = 0; turn < turns; turn += 1) await caller.turn();
  };
  await Promise.all(callers.map(all));
}

/** Starts a measurement. The returned function returns the seconds since then. */
type Stopwatch = () => () => number;

/** CPU time, so that other work on the machine does not count. The measured work never waits. */
const processorTime: Stopwatch = () => {
  const started = cpuUsage();
  return () => {
    const { user, system } = cpuUsage(started);
    return (user + system) / 1e6;
  };
};

const wallTime: Stopwatch = () => {
  const started = performance.now();
  return () => (performance.now() - started) / 1000;
};

/** Returns the turns per second of many concurrent sessions. */
async function turnsPerSecond(create: () => Promise<Caller>, stopwatch: Stopwatch): Promise<number> {
  const callers = await open(create);
  await talk(callers, 1);
  const elapsed = stopwatch();
  await talk(callers, turnsASession);
  const seconds = elapsed();
  await Promise.all(callers.map((caller) => caller.close()));
  return (sessions * turnsASession) / seconds;
}

async function turnsRatio(modelMs: number, stopwatch: Stopwatch): ReturnType<Measure['run']> {
  return await rateRatio({
    candidate: () => turnsPerSecond(() => flowCaller(modelMs), stopwatch),
    baseline: () => turnsPerSecond(() => bareCaller(modelMs), stopwatch),
    ...{ baselineName: 'bare AgentSessions', repetitions },
  });
}

async function talkedWith(create: () => Promise<Caller>): Promise<Caller[]> {
  const callers = await open(create);
  await talk(callers, turnsForTheHeap);
  return callers;
}

/** Sessions with a flow after some turns. */
export const flowsThatTalked = (): Promise<Caller[]> => talkedWith(() => flowCaller());

/** Sessions without a flow after the same turns. */
export const baresThatTalked = (): Promise<Caller[]> => talkedWith(() => bareCaller());

async function heapExtra(): ReturnType<Measure['run']> {
  const kibASession = async (exportName: string): Promise<number> => {
    const { value } = await heapHeld(import.meta.url, exportName, heapRuns);
    return value / sessions / 1024;
  };
  const bare = await kibASession('baresThatTalked');
  const flow = await kibASession('flowsThatTalked');
  return { value: flow - bare, baseline: `bare AgentSessions, ${bare.toPrecision(3)} KiB each`, runs: heapRuns };
}

export const measures: Measure[] = [
  {
    name: 'sessions200.turns_ratio',
    unit: 'times',
    better: 'higher',
    limit: 0.95,
    run: () => turnsRatio(0, processorTime),
  },
  {
    name: 'sessions200.paced_turns_ratio',
    unit: 'times',
    better: 'higher',
    run: () => turnsRatio(pacedModelMs, wallTime),
  },
  { name: 'sessions200.heap_extra_kib', unit: 'KiB', better: 'lower', limit: 64, run: heapExtra },
];

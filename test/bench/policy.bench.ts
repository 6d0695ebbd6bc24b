import type { ConversationFlow } from '../../dist/flow/document/document.js';
import type { FlowRunnerOptions } from '../../dist/runner/options/flow-runner-options.js';
import { FlowRunner } from '../../dist/runner/flow-runner.js';
import { flowTool } from '../../dist/livekit/tools/flow-tool.js';
import { createTextSession } from '../../dist/livekit/agent/text-session.js';
import { ScriptedModel } from '../../dist/testing/scripted-model.js';
import { interruptAll } from '../explore/interruption.ts';
import { type Measure, median, type Reading } from './measure.ts';
import { assertOpen } from './busy-calls.ts';
import { rounds } from './rounds.ts';

const warmUpTurns = rounds(30, 0);
const turnsASession = 60;
const turns = rounds(200, 20);

/** A session in which each turn of the caller is one reply of the model. */
interface Talk {
  /** Runs one turn. Returns the time from the caller's words to the first word of the answer, in milliseconds. */
  turn(): Promise<number>;
  close(): Promise<void>;
}

const instructions = 'You are the receptionist of a small clinic. Ask one question at a time and be brief.';
const flow: ConversationFlow = {
  initialNode: 'desk',
  nodes: {
    desk: {
      taskMessages: [{ role: 'system', content: instructions }],
      respondImmediately: false,
      functions: [{ name: 'leave', transitionTo: 'bye' }],
    },
    bye: { say: 'Goodbye.', end: true },
  },
};

/** The prompt gets a function too, so that both models receive the same number. */
const leave = flowTool({ name: 'leave', description: 'Leave.', execute: () => 'left' });

async function openTalk(what: Pick<FlowRunnerOptions, 'flow' | 'agent' | 'tools'>): Promise<Talk> {
  // A new text each time: a model that repeats itself ends the conversation.
  let answers = 0;
  const model = new ScriptedModel(() => ({ text: `How can I help you with matter ${(answers += 1)}?` }));
  let heardAt = 0;
  const write = async (): Promise<void> => void (heardAt ||= performance.now());
  const session = createTextSession(model, { write, end: () => undefined });
  const runner = new FlowRunner({ session, ...what, settings: { onEnd: 'keep' } });
  await runner.start();
  return {
    async turn() {
      model.requests.length = 0;
      heardAt = 0;
      const began = performance.now();
      await runner.send('Go on.');
      if (heardAt === 0) throw new Error('Nothing was answered.');
      assertOpen(runner);
      return heardAt - began;
    },
    async close() {
      await runner.stop();
      await session.close();
    },
  };
}

/** Measures both alternately, in fresh sessions from time to time, so that both have the same length of history. */
async function flowOverClassic(): Promise<Reading> {
  const flowMs: number[] = [];
  const classicMs: number[] = [];
  for (let round = -warmUpTurns; round < turns;) {
    const talks = [
      await openTalk({ flow }),
      await openTalk({ agent: { prompt: instructions }, tools: [leave] }),
    ] as const;
    for (let turn = 0; turn < turnsASession && round < turns; turn += 1, round += 1) {
      const order = round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const);
      for (const which of order) {
        const ms = await talks[which].turn();
        if (round >= 0) (which === 0 ? flowMs : classicMs).push(ms);
      }
    }
    for (const talk of talks) await talk.close();
  }
  const reference = median(classicMs);
  return {
    value: median(flowMs) / reference,
    baseline: `a turn of the prompt alone, ${reference.toPrecision(3)} ms`,
    runs: flowMs.length,
  };
}

const seeds = rounds(1_000);

async function recoveryRate(): Promise<Reading> {
  const lost = await interruptAll(seeds);
  return { value: 1 - lost.length / seeds, baseline: 'interruptions at a random await', runs: seeds };
}

export const measures: Measure[] = [
  { name: 'turn.flow_over_classic_ratio', unit: 'times', better: 'lower', run: flowOverClassic },
  { name: 'interruption.recovery_rate', unit: 'of 1', better: 'higher', limit: 1, run: recoveryRate },
];

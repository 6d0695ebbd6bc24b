import { initializeLogger, loggerOptions, voice } from '@livekit/agents';
import type { llm } from '@livekit/agents';
import { afterAll, onTestFinished } from 'vitest';
import type { ConversationFlow } from '../../src/flow/document.ts';
import type { FlowSource } from '../../src/load/flow-library.ts';
import { FlowRunner, type FlowRunnerOptions } from '../../src/runner.ts';
import { FakeRealtimeModel, type RealtimeScript } from './fake-realtime-model.ts';
import { until } from './voice-rig.ts';

export const prompt = (content: string) => [{ role: 'system' as const, content }];

// Closing takes LiveKit half a second, so the next test does not wait for it.
const closing: Promise<void>[] = [];
afterAll(() => Promise.all(closing));

/** A flow, or with null the classic path, on a real AgentSession whose model is a realtime one, in text. */
export async function realtimeCall(
  flow: FlowSource | null,
  script: RealtimeScript,
  capabilities: Partial<llm.RealtimeCapabilities> = {},
  options: Partial<FlowRunnerOptions> = {},
) {
  if (loggerOptions() === undefined) initializeLogger({ pretty: false, level: process.env['LIVEKIT_LOG'] ?? 'silent' });
  const model = new FakeRealtimeModel(script, capabilities);
  const session = new voice.AgentSession({
    llm: model,
    vad: null,
    turnHandling: { turnDetection: null },
    userAwayTimeout: null,
  });
  const runner = new FlowRunner({ session, ...(flow === null ? {} : { flow }), timeZone: 'UTC', ...options });
  const heard: string[] = [];
  const path: string[] = [];
  const troubles: string[] = [];
  runner.onSpeech((text) => void heard.push(text));
  runner.on('transition:taken', ({ data }) => void path.push(`${data.from} -> ${data.to}`));
  runner.on('response:failed', ({ data }) => void troubles.push(`${data.stage} ${data.reason}`));
  onTestFinished(() => void closing.push(runner.stop().then(() => session.close())));
  await runner.start();
  const hasHeard = (count: number): Promise<void> =>
    until(
      () => heard.length >= count,
      () => `line ${count}; heard were ${JSON.stringify(heard)}, told was ${JSON.stringify(troubles)}`,
    );
  return { model, session, runner, heard, path, troubles, hasHeard };
}

export const twoNodes: ConversationFlow = {
  initialNode: 'a',
  nodes: {
    a: { taskMessages: prompt('Node A.'), functions: [{ name: 'to_b', transitionTo: 'b' }] },
    b: { taskMessages: prompt('Node B.'), functions: [{ name: 'to_a', transitionTo: 'a' }] },
  },
};

/** Greets, calls what it is offered when the caller speaks, and tells where it is when a call has been answered. */
export const walks: RealtimeScript = ({ items, tools, instructions }) =>
  (items.at(-1) ?? '').startsWith('user:') && items.at(-1) !== 'user:hm'
    ? { calls: [{ name: tools[0] ?? '' }] }
    : { text: `Here is ${instructions}` };

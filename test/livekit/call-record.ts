import { initializeLogger, loggerOptions } from '@livekit/agents';
import process from 'node:process';
import { afterAll, onTestFinished } from 'vitest';
import type { FlowRunner } from '../../src/runner/flow-runner.ts';
import { until } from './until.ts';

/** What a call comes to, as a test reads it. */
export interface CallRecord {
  /** What was heard of the agent, a line for each of its turns to speak. */
  readonly heard: readonly string[];
  /** `from -> to` of every transition taken. */
  readonly path: readonly string[];
  /** `stage reason` of every trouble that was told. */
  readonly troubles: readonly string[];
  /** Every event type with its data, in order. */
  readonly events: readonly { readonly type: string; readonly data: unknown }[];
  /** Resolves when so many lines were heard. */
  readonly hasHeard: (count: number) => Promise<void>;
}

/** Writes down what a call comes to, from before it starts. */
export function recordCall(runner: FlowRunner): CallRecord {
  const heard: string[] = [];
  const path: string[] = [];
  const troubles: string[] = [];
  const events: { type: string; data: unknown }[] = [];
  runner.onSpeech((text) => void heard.push(text));
  runner.on('transition:taken', ({ data }) => void path.push(`${data.from} -> ${data.to}`));
  runner.on('response:failed', ({ data }) => void troubles.push(`${data.stage} ${data.reason}`));
  runner.hub.subscribe('*', ({ type, data }) => void events.push({ type, data }));
  const hasHeard = (count: number): Promise<void> =>
    until(
      () => heard.length >= count,
      () => `line ${count}; heard were ${JSON.stringify(heard)}, told was ${JSON.stringify(troubles)}`,
    );
  return { heard, path, troubles, events, hasHeard };
}

const closing: Promise<unknown>[] = [];
afterAll(() => Promise.all(closing));

/** Ends a call when its test is over: LiveKit takes half a second for that, for which the next test does not wait. */
export function closeLater(close: () => Promise<unknown>): void {
  onTestFinished(() => void closing.push(close()));
}

/** LiveKit writes nothing, unless LIVEKIT_LOG names a level. */
export function silenceLivekit(): void {
  if (loggerOptions() === undefined) initializeLogger({ pretty: false, level: process.env['LIVEKIT_LOG'] ?? 'silent' });
}

import { initializeLogger, loggerOptions } from '@livekit/agents';
import process from 'node:process';
import { afterAll, onTestFinished } from 'vitest';
import type { FlowRunner } from '../../src/runner/flow-runner.ts';
import { until } from './until.ts';

/** The results of a call for assertions. */
export interface CallRecord {
  /** The heard lines, one per turn of the agent. */
  readonly heard: readonly string[];
  /** `from -> to` of every transition. */
  readonly path: readonly string[];
  /** `stage reason` of every reported problem. */
  readonly troubles: readonly string[];
  /** Every event type with its data, in order. */
  readonly events: readonly { readonly type: string; readonly data: unknown }[];
  /** Resolves when this many lines were heard. */
  readonly hasHeard: (count: number) => Promise<void>;
}

/** Records a call. Must be called before the call starts. */
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

/** Closes a call after its test. LiveKit takes 0.5 s for it, which the next test does not wait for. */
export function closeLater(close: () => Promise<unknown>): void {
  onTestFinished(() => void closing.push(close()));
}

/** Silences LiveKit's logger, unless LIVEKIT_LOG names a level. */
export function silenceLivekit(): void {
  if (loggerOptions() === undefined) initializeLogger({ pretty: false, level: process.env['LIVEKIT_LOG'] ?? 'silent' });
}

import { onTestFinished } from 'vitest';
import type { RunnerOptions } from '../../../src/runner/options/runner-options.ts';
import { createRunner, type FlowRunner } from '../../../src/runner/flow-runner.ts';
import { OfflineBrain } from '../../../src/offline/brain/offline-brain.ts';
import { createTextSession } from '../../../src/livekit/agent/text-session.ts';
import { clockAtNoon } from './clock-at-noon.ts';

export interface Talk {
  readonly runner: FlowRunner;
  /** The lines that the caller hears, from the greeting on, one text for each turn. */
  readonly heard: readonly string[];
  /** `name arguments` of each call of the brain that ran, in order. */
  readonly calls: readonly string[];
  /** Says words and returns the answer. */
  say(words: string): Promise<string>;
}

/** Starts a whole conversation on a real AgentSession with the offline brain as its model. */
export async function talk(options: Omit<RunnerOptions, 'session' | 'clock' | 'timeZone'>): Promise<Talk> {
  const session = createTextSession(new OfflineBrain({ clock: clockAtNoon, timeZone: 'UTC' }));
  const runner = createRunner({ session, clock: clockAtNoon, timeZone: 'UTC', ...options });
  const heard: string[] = [];
  const calls: string[] = [];
  let spoken: string[] = [];
  runner.onSpeech((text) => spoken.push(text));
  session.on(
    'function_tools_executed' as never,
    ((event: { functionCalls: { name: string; args: string }[] }) => {
      for (const { name, args } of event.functionCalls) calls.push(`${name} ${args}`);
    }) as never,
  );
  onTestFinished(async () => {
    await runner.stop();
    await session.close();
  });
  const take = (): string => {
    const text = spoken.join(' ').replaceAll(/\s+/g, ' ').trim();
    spoken = [];
    heard.push(text);
    return text;
  };
  await runner.start();
  await runner.idle();
  take();
  return {
    runner,
    heard,
    calls,
    say: async (words) => {
      await runner.send(words);
      await runner.idle();
      return take();
    },
  };
}

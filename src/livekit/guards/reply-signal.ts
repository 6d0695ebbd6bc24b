// `@livekit/agents` 1.9.0: each inference and function of a reply listens to the reply's one signal, and
// some never stop. With more than ten listeners Node 20 warns of a memory leak, although the signal is
// released with the reply. Upstream: not reported. Reproduced in test/livekit/guards/reply-signal.test.ts.
import type { voice } from '@livekit/agents';
import { setMaxListeners } from 'node:events';

/** LiveKit methods that receive the signal of a reply. */
const takesSignal = ['pipelineReplyTask', 'realtimeGenerationTask', 'ttsTask'] as const;

/** Allows any number of listeners on the signal of a reply. Call it once the agent is in a session. */
export function guardReplySignal(agent: voice.Agent): void {
  const activity = agent._agentActivity as unknown;
  if (typeof activity !== 'object' || activity === null) return;
  for (const name of takesSignal) {
    const work: unknown = Reflect.get(activity, name);
    if (typeof work !== 'function') continue;
    Reflect.set(activity, name, (...given: readonly unknown[]): unknown => {
      for (const one of given) if (one instanceof AbortController) setMaxListeners(0, one.signal);
      const result: unknown = Reflect.apply(work, activity, given);
      return result;
    });
  }
}

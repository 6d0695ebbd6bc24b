// `@livekit/agents` 1.9.0: a reply has one signal to which each of its inferences and functions listens, and some never stop.
// With more than ten of them Node 20 warns of a memory leak, which there is not: the signal goes with the reply.
// Upstream: not reported.
// The fault itself: test/livekit/guards/reply-signal.test.ts.
import type { voice } from '@livekit/agents';
import { setMaxListeners } from 'node:events';

/** What of LiveKit is given the signal of a reply. */
const takesSignal = ['pipelineReplyTask', 'realtimeGenerationTask', 'ttsTask'] as const;

/** Lets any number of inferences and functions listen to the signal of a reply. To be called once the agent is in a session. */
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

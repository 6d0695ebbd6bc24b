import type { log } from '@livekit/agents';
import type { Event } from '../events/event.ts';
import type { FlowRunner } from '../runner.ts';

/** Logs how a call goes, without anything that was said, known or passed to a function. */
export function logEvents(runner: FlowRunner, logger: ReturnType<typeof log>): () => void {
  return runner.hub.subscribe('*', (event) => {
    const facts = factsOf(event);
    if (facts === null) return;
    const entry = { sessionId: runner.sessionId, event: event.type, ...facts };
    if (event.type === 'response:failed' || event.type === 'flow:stuck') logger.warn(entry, 'flow');
    else logger.info(entry, 'flow');
  });
}

/** What may be told of an event: the structure of the flow and reasons. Null where it is of no interest. */
function factsOf(event: Event): Readonly<Record<string, unknown>> | null {
  switch (event.type) {
    case 'flow:started':
      return { flow: event.data.flow };
    case 'transition:taken':
      return { from: event.data.from, to: event.data.to, cause: event.data.cause };
    case 'tool:settled':
      return { function: event.data.function, state: event.data.state };
    case 'flow:stuck':
    case 'flow:ended':
      return { reason: event.data.reason };
    case 'response:failed':
      return { stage: event.data.stage, reason: event.data.reason };
    default:
      return null;
  }
}

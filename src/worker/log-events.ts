import type { Event } from '../model/events/event.ts';
import type { FlowRunner } from '../runner/flow-runner.ts';
import { namedSession } from '../livekit/guards/content-free-line.ts';
import { turnLine } from '../livekit/traces/turn-line.ts';
import type { WorkerLog } from './worker-log.ts';

/** Logs the progress of a call, without speech, values or arguments. */
export function logEvents(runner: FlowRunner, logger: WorkerLog): () => void {
  return runner.hub.subscribe('*', (event) => {
    if (event.type === 'turn:completed') {
      logTurn(event, logger);
      return;
    }
    const facts = factsOf(event);
    if (facts === null) return;
    const node = (event.nodeId ?? '') === '' ? {} : { node: event.nodeId };
    const entry = { sessionId: runner.sessionId, event: event.type, ...facts, ...node };
    if (isTrouble(event)) logger.warn(entry, messageOf(event));
    else logger.info(entry, messageOf(event));
  });
}

/** Logs a turn as one readable line: its nodes, its cost and its outcome. `nameOf` replaces session ids that are telephone numbers. */
export function logTurn(
  { sessionId, turnId = '', flowId, data }: Extract<Event, { type: 'turn:completed' }>,
  logger: Pick<WorkerLog, 'info' | 'warn'>,
  nameOf: (telephone: string) => string = (telephone) => telephone,
): void {
  const { inferences, transitions, ms, outcome } = data;
  const turn = Number(turnId.slice(turnId.lastIndexOf('/') + 1));
  const facts = {
    sessionId: namedSession(sessionId, nameOf),
    event: 'turn',
    turn,
    flow: flowId,
    inferences,
    transitions,
    ms,
    outcome,
  };
  if (outcome === 'failed') logger.warn(facts, turnLine(data));
  else logger.info(facts, turnLine(data));
}

const troubles: ReadonlySet<Event['type']> = new Set([
  'response:failed',
  'effect:settled',
  'flow:stuck',
  'text:too-long',
  'confirm:replaced',
  'language:ignored',
]);

function isTrouble(event: Event): boolean {
  return troubles.has(event.type) || (event.type === 'tool:settled' && event.data.state === 'failed');
}

/** Returns one line for a reader of the log, with names of the flow and reasons. */
function messageOf(event: Event): string {
  switch (event.type) {
    case 'flow:started':
      return `flow ${event.data.flow} began`;
    case 'transition:taken':
      return `${event.data.from} -> ${event.data.to}`;
    case 'decision:retaken':
      return `node ${event.data.node} decides anew: ${event.data.to}`;
    case 'tool:settled':
      return `function ${event.data.function}: ${event.data.state}${event.data.reason === undefined ? '' : ` (${event.data.reason})`}`;
    case 'language:changed':
      return `the language is ${event.data.to}`;
    case 'language:ignored':
      return `the language ${event.data.language} is not one of the flow's`;
    case 'confirm:replaced':
      return `the confirm text of ${event.data.function} was replaced: ${event.data.reason}`;
    case 'text:too-long':
      return `text ${event.data.name} is too long`;
    case 'flow:stuck':
      return `the flow is stuck: ${event.data.reason}`;
    case 'transfer:started':
      return `the caller is put through (${event.data.mode}, ${event.data.to})`;
    case 'transfer:ended':
      return `the transfer has ended: ${event.data.outcome}`;
    case 'takeover:started':
      return 'a person talks to the caller';
    case 'takeover:heard':
      return 'words of that person were heard';
    case 'takeover:ended':
      return 'the agent talks to the caller again';
    case 'wait:opened':
      return `wait ${event.data.wait} is open`;
    case 'wait:resolved':
      return `wait ${event.data.wait} is resolved`;
    case 'wait:expired':
      return `wait ${event.data.wait} has expired: ${event.data.act}`;
    case 'flow:ended':
      return `the flow ended: ${event.data.reason}`;
    case 'response:failed':
      return `the ${event.data.stage} failed: ${event.data.reason}`;
    case 'effect:settled':
      return 'a reply failed';
    default:
      return event.type;
  }
}

/** Returns the members of an event that may be logged: names of the flow and reasons. Null for events that are not logged. */
function factsOf(event: Event): Readonly<Record<string, unknown>> | null {
  switch (event.type) {
    case 'flow:started':
      return { flow: event.data.flow };
    case 'transition:taken':
      return { from: event.data.from, to: event.data.to, cause: event.data.cause };
    case 'decision:retaken':
      return { of: event.data.node, from: event.data.from, to: event.data.to };
    case 'tool:settled':
      return {
        function: event.data.function,
        state: event.data.state,
        ...(event.data.reason === undefined ? {} : { reason: event.data.reason }),
      };
    case 'language:changed':
      return { to: event.data.to, by: event.data.by };
    case 'language:ignored':
      return { language: event.data.language, by: event.data.by };
    case 'confirm:replaced':
      return { function: event.data.function, reason: event.data.reason, names: event.data.names };
    case 'text:too-long':
      return { name: event.data.name };
    case 'flow:stuck': {
      const { reason, code } = event.data;
      return { reason, ...(code === undefined ? {} : { code }) };
    }
    case 'transfer:started':
      return { to: event.data.to, mode: event.data.mode };
    case 'transfer:ended':
      return { outcome: event.data.outcome };
    case 'takeover:started':
    case 'takeover:heard':
    case 'takeover:ended':
      return {};
    case 'wait:opened':
    case 'wait:resolved':
      return { wait: event.data.wait };
    case 'wait:expired':
      return { wait: event.data.wait, act: event.data.act };
    case 'flow:ended':
      return { reason: event.data.reason };
    case 'response:failed':
      return { stage: event.data.stage, reason: event.data.reason };
    // A model that was silent or gave an unusable answer emits no error itself.
    case 'effect:settled':
      return event.data.kind === 'reply' && event.data.state === 'failed' ? { effect: 'reply', state: 'failed' } : null;
    default:
      return null;
  }
}

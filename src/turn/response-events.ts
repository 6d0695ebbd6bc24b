import { FlowError } from '../errors.ts';
import type { Event } from '../events/event.ts';
import type { Hub } from '../ports/hub.ts';
import type { Engine } from './engine.ts';
import type { ResponseSource } from './hooks.ts';
import type { TurnRecord } from './responses.ts';
import type { Route } from './router.ts';

/** Tells what is decided about turns and what becomes of their replies, each with the ids of its turn (spec 3 §9). */
export interface ResponseEvents {
  /** Where the reply of the turn under way comes from. */
  readonly source: ResponseSource;
  readonly hitlState: 'none' | 'pending_confirm';
  tell(type: 'response:prepared' | 'response:sent' | 'response:persisted'): void;
  /** Something about a reply did not succeed: the stage and the kind of failure, never its text. */
  fail(stage: string, reason: string): void;
  /** A function's handler threw. */
  toolFailed(name: string, attempt: number, error: unknown): void;
  /** Where a router leads the caller, and why where it was not sure. */
  routed(route: Route): void;
  /** A flow was chosen that cannot begin. */
  fellBack(mode: string): void;
}

export interface ResponseEventParts {
  readonly hub: Hub;
  readonly turn: TurnRecord;
  readonly engine: () => Engine;
}

export function createResponseEvents({ hub, turn, engine }: ResponseEventParts): ResponseEvents {
  const about = () => {
    const { sessionId, requestId, state } = engine();
    const ids = { sessionId, requestId, flowId: state.flow.id, nodeId: state.node };
    // What is decided about words before they are a turn is of no turn yet.
    const hasBegun = turn.inbound === null || turn.inbound.eventId === state.lastFlowEventId;
    return hasBegun ? { ...ids, turnId: `${sessionId}/${state.turn}` } : ids;
  };
  const events: ResponseEvents = {
    get source() {
      if (turn.isShortCircuit) return 'short_circuit';
      return engine().activeFlow === null ? 'classic' : 'flow';
    },
    get hitlState() {
      return Object.values(engine().state.effects).some(({ kind }) => kind === 'wait') ? 'pending_confirm' : 'none';
    },
    tell: (type) => hub.emit(type, data(), about()),
    fail: (stage, reason) => hub.emit('response:failed', { ...data(), stage, reason }, about()),
    toolFailed(name, attempt, error) {
      const reason = error instanceof FlowError ? error.code : error instanceof Error ? error.name : 'unknown';
      hub.emit('tool:failed', { function: name, attempt, reason }, about());
    },
    routed({ mode, to, fallback }) {
      if (fallback !== undefined) hub.emit('route:fallback', { mode, reason: fallback }, about());
      hub.emit('route:selected', { mode, to }, about());
    },
    fellBack: (mode) => hub.emit('route:fallback', { mode, reason: 'unknown-flow' }, about()),
  };
  const data = (): Extract<Event, { type: 'response:sent' }>['data'] => {
    const { source, hitlState } = events;
    return { source, ...turn.policy, ...(hitlState === 'none' ? {} : { hitlState }) };
  };
  return events;
}

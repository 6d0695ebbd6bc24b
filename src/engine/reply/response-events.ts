import { errorKind } from '../../model/errors.ts';
import type { Correlation } from '../../model/events/envelope.ts';
import type { Event } from '../../model/events/event.ts';
import type { EntryCorrelation } from '../../model/inbox.ts';
import { type Hitl, hitlOf } from '../../kernel/wait/hitl.ts';
import type { Hub } from '../../model/ports/hub.ts';
import type { Engine } from '../engine.ts';
import { belongsTo, createSharedIds } from '../commit/shared-ids.ts';
import type { ResponseSource } from '../policy/hooks.ts';
import type { TurnRecord } from './responses.ts';
import type { Route } from '../policy/router.ts';

/** Publishes decisions about turns and outcomes of replies, with the ids of their turn. */
export interface ResponseEvents {
  /** Returns the flow and node of the words being said. */
  origin(): ReplyOrigin;
  /** Returns a snapshot of the current reply. `saidBy`: the origin of its words; the current flow by default. */
  facts(
    of: Pick<ResponseFacts, 'interrupted' | 'handoffFrom'> & { readonly saidBy?: ReplyOrigin | undefined },
  ): ResponseFacts;
  tell(type: 'response:prepared' | 'response:sent' | 'response:persisted', facts?: ResponseFacts): void;
  /** Publishes that a decision suppressed the whole reply. */
  suppress(stage: NonNullable<TurnRecord['suppressed']>, facts: ResponseFacts): void;
  /** Publishes that parts of a hook's decision could not be used. */
  trimmed(stage: string, action: string, keys: readonly string[]): void;
  /** Publishes a failure of a reply: the stage and the kind of failure, never its text. */
  fail(stage: string, reason: string, facts?: ResponseFacts): void;
  /** Publishes that a function's handler threw. */
  toolFailed(name: string, attempt: number, error: unknown): void;
  /** Publishes the flow that the router chose, and the reason for a fallback. */
  routed(route: Route): void;
  /** Publishes that a chosen flow cannot start. */
  fellBack(mode: string, reason: string): void;
}

/** The flow and node that words of a reply come from. */
export interface ReplyOrigin {
  readonly source: ResponseSource;
  readonly flowId: string;
  readonly nodeId: string;
}

/** The facts of one response. */
export interface ResponseFacts {
  readonly source: ResponseSource;
  readonly flowId: string;
  readonly hitl: Hitl;
  /** Ids that the turn belongs to, besides its session. */
  readonly belongsTo: EntryCorrelation;
  readonly interrupted: boolean;
  /** The flow that handed the conversation over in this turn. */
  readonly handoffFrom: string | undefined;
  readonly about: Partial<Correlation>;
  readonly data: ResponseData;
}

type ResponseData = Extract<Event, { type: 'response:sent' }>['data'];

export interface ResponseEventParts {
  readonly hub: Hub;
  readonly turn: TurnRecord;
  readonly engine: () => Engine;
  /** Whether a task waits for the caller's answer. */
  readonly isAsked?: () => boolean;
}

export function createResponseEvents({ hub, turn, engine, isAsked = () => false }: ResponseEventParts): ResponseEvents {
  const shared = createSharedIds();
  const about = (): Partial<Correlation> => {
    const { sessionId, requestId, state } = engine();
    const { node: nodeId, flow } = state.position;
    const more = belongsTo(state);
    // A decision about words that are not yet a turn is published without a turn id.
    const hasBegun = turn.inbound === null || turn.inbound.eventId === state.turn.lastFlowEventId;
    if (!hasBegun) return shared.like({ sessionId, requestId, flowId: flow.id, nodeId, ...more });
    const turnId = shared.turnId(sessionId, state.turn.number);
    // In one literal, because V8 gives each object that is copied to add an id a separate shape.
    return shared.like({ sessionId, requestId, flowId: flow.id, nodeId, turnId, ...more });
  };
  const source = (): ResponseSource => {
    // The first turn of a run has no words.
    const isFirst = turn.begunBy === 'start' || turn.begunBy === 'resume';
    const isRun = isFirst && engine().state.turn.correlation?.triggerType !== undefined;
    if (turn.inbound?.via === 'scheduled' || isRun) return 'scheduled';
    if (turn.isShortCircuit) return 'short_circuit';
    return engine().activeFlow() === null ? 'classic' : 'flow';
  };
  const hitl = (): Hitl => {
    const known = hitlOf(engine().state);
    return known.hitlState === 'none' && isAsked() ? { ...known, hitlState: 'pending_confirm' } : known;
  };
  const origin = (): ReplyOrigin => {
    const { flow, node } = engine().state.position;
    return { source: source(), flowId: flow.id, nodeId: node };
  };
  const data = (from = source(), { hitlState } = hitl()): ResponseData => {
    const { reason, ...policy } = turn.policy;
    return {
      source: from,
      ...policy,
      ...(reason === undefined ? {} : { policyReason: reason }),
      ...(hitlState === 'none' ? {} : { hitlState }),
    };
  };
  return {
    origin,
    facts({ interrupted, handoffFrom, saidBy }) {
      const { state } = engine();
      const now = origin();
      // Within one flow, the reply is reported with the node it led to.
      const { source: from, flowId, nodeId } = saidBy === undefined || saidBy.flowId === now.flowId ? now : saidBy;
      const known = hitl();
      const shown = { source: from, flowId, hitl: known, belongsTo: belongsTo(state) };
      const more = interrupted ? ({ interrupted } as const) : {};
      return {
        ...shown,
        ...{ interrupted, handoffFrom },
        about: { ...about(), flowId, nodeId },
        data: { ...data(from, known), ...more },
      };
    },
    tell: (type, facts) => hub.emit(type, facts?.data ?? data(), facts?.about ?? about()),
    suppress: (stage, facts) => hub.emit('response:suppressed', { ...facts.data, stage }, facts.about),
    trimmed: (stage, action, keys) => hub.emit('decision:trimmed', { stage, action, keys }, about()),
    fail(stage, reason, facts) {
      engine().tracer.failed();
      hub.emit('response:failed', { ...(facts?.data ?? data()), stage, reason }, facts?.about ?? about());
    },
    toolFailed(name, attempt, error) {
      hub.emit('tool:failed', { function: name, attempt, reason: errorKind(error) }, about());
    },
    routed({ mode, to, fallback }) {
      if (fallback !== undefined) hub.emit('route:fallback', { mode, reason: fallback }, about());
      hub.emit('route:selected', { mode, to }, about());
    },
    fellBack: (mode, reason) => hub.emit('route:fallback', { mode, reason }, about()),
  };
}

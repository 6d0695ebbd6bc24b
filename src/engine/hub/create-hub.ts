import type { Correlation } from '../../model/events/envelope.ts';
import type { Event, EventType } from '../../model/events/event.ts';
import type { EventPattern, Hub, PublishedEvent } from '../../model/ports/hub.ts';
import type { Clock, Ids } from '../../model/ports/time.ts';
import { createEventStream, type EventStream } from './event-stream.ts';

export interface HubOptions {
  readonly clock: Clock;
  readonly ids: Ids;
  /** Session of events that name none; generated if absent. */
  readonly sessionId?: string;
  /** Number of events buffered for replay; default 1,000. */
  readonly keep?: number;
  /** Receives the first failure of a listener; later failures of the same subscription are not reported. */
  readonly onListenerError?: (failure: ListenerFailure) => void;
}

/** A failed listener and its event. Contains neither the event's data nor the error's message. */
export interface ListenerFailure {
  readonly pattern: EventPattern;
  readonly type: EventType;
  readonly eventId: string;
  readonly error: string;
  /** The line of code that threw, from the stack; empty if unknown. */
  readonly thrownAt: string;
}

/** A hub with streams, and with scopes that add ids to emitted events. */
export interface EventHub extends Hub {
  /**
   * Returns the events of a pattern as a stream, starting with this call. It buffers at most `limit` unread events
   * (default 1,000); the oldest are dropped and counted in `dropped`.
   */
  events(pattern: EventPattern, options?: { fromSeq?: number; limit?: number }): EventStream;
  /** Returns the same hub with default ids for emitted events. */
  scoped(correlation: Partial<Correlation>): EventHub;
}

/**
 * Creates a hub. Every listener receives events one at a time, in the order of emission; an event that a listener emits
 * comes after the earlier ones. `seq` counts within each session from 1. A replay delivers the buffered events from
 * `fromSeq` before `subscribe` returns; if the first `seq` is greater, older events are gone. Outside a listener,
 * `emit` returns after every listener was called; returned promises are not awaited.
 */
export function createHub(options: HubOptions): EventHub {
  const { clock, ids, keep = 1000, onListenerError } = options;
  const lastSeq = new Map<string, number>();
  const held: Held[] = [];
  const subscriptions = new Set<Subscription>();
  const recorders = new Map<string, (told: PublishedEvent) => void>();
  const deliveries: { readonly subscription: Subscription; readonly event: Event }[] = [];
  let isDelivering = false;

  const publish = (
    type: EventType,
    data: Event['data'],
    source: Source,
    correlation: Partial<Correlation> | undefined,
  ): void => {
    const sessionId = correlation?.sessionId ?? source.scope.sessionId;
    const seq = (lastSeq.get(sessionId) ?? 0) + 1;
    lastSeq.set(sessionId, seq);
    const one = new Held(source, { type, seq, time: clock.now(), correlation, data: { ...data } });
    held.push(one);
    if (held.length > keep) held.shift();
    // A recovered event was recorded the first time.
    if (!('recovered' in data)) recorders.get(sessionId)?.(one);
    for (const subscription of subscriptions) if (fits(subscription, type)) offer(subscription, one);
    if (deliveries.length > 0) deliver();
  };

  const offer = (subscription: Subscription, one: Held): void => {
    deliveries.push({ subscription, event: one.read() });
  };

  const deliver = (): void => {
    if (isDelivering) return;
    isDelivering = true;
    // The list grows while listeners emit and subscribe.
    for (const { subscription, event } of deliveries) if (subscriptions.has(subscription)) call(subscription, event);
    deliveries.length = 0;
    isDelivering = false;
  };

  const call = (subscription: Subscription, event: Event): void => {
    try {
      const returned: unknown = subscription.listener(event);
      if (returned instanceof Promise) returned.catch((error: unknown) => report(subscription, event, error));
    } catch (error) {
      report(subscription, event, error);
    }
  };

  const report = (subscription: Subscription, event: Event, error: unknown): void => {
    if (subscription.hasFailed) return;
    subscription.hasFailed = true;
    const { pattern } = subscription;
    try {
      onListenerError?.({ pattern, type: event.type, eventId: event.id, ...contentFree(error) });
    } catch {
      // The failure handler itself failed: the error cannot be reported.
    }
  };

  const subscribe: Hub['subscribe'] = (pattern, listener, { fromSeq } = {}) => {
    const family = pattern.endsWith(':*') ? pattern.slice(0, -1) : null;
    const subscription = { pattern, family, listener, hasFailed: false };
    if (fromSeq !== undefined)
      for (const one of held) if (one.seq >= fromSeq && fits(subscription, one.type)) offer(subscription, one);
    subscriptions.add(subscription);
    deliver();
    return () => void subscriptions.delete(subscription);
  };

  const hubOf = (source: Source): EventHub => ({
    emit: (type, data, correlation) => publish(type, data, source, correlation),
    record(sessionId, recordedSeq, record) {
      lastSeq.set(sessionId, Math.max(lastSeq.get(sessionId) ?? 0, recordedSeq));
      recorders.set(sessionId, record);
      return () => void (recorders.get(sessionId) === record && recorders.delete(sessionId));
    },
    subscribe,
    events: (pattern, { fromSeq, limit = 1000 } = {}) =>
      createEventStream(limit, (listener) => subscribe(pattern, listener, fromSeq === undefined ? {} : { fromSeq })),
    scoped: (correlation) => hubOf({ ids, scope: { ...source.scope, ...correlation } }),
  });
  // Events outside a request share the hub's request id.
  const scope = { sessionId: options.sessionId ?? ids.create('session'), requestId: ids.create('req') };
  return hubOf({ ids, scope });
}

interface Emitted {
  readonly type: EventType;
  readonly seq: number;
  readonly time: number;
  readonly correlation: Partial<Correlation> | undefined;
  readonly data: Event['data'];
}

/** The common context of events emitted through one hub. */
interface Source {
  readonly ids: Ids;
  readonly scope: Correlation;
}

/** An emitted event in a single object: hubs and memory stores hold hundreds per session. */
class Held implements PublishedEvent {
  readonly type: EventType;
  readonly seq: number;
  readonly #source: Source;
  readonly #time: number;
  readonly #correlation: Partial<Correlation> | undefined;
  readonly #data: Event['data'];
  #event: Event | null;

  constructor(source: Source, { type, seq, time, correlation, data }: Emitted) {
    this.type = type;
    this.seq = seq;
    this.#source = source;
    this.#time = time;
    this.#correlation = correlation;
    this.#data = data;
    this.#event = null;
  }

  read(): Event {
    this.#event ??= this.#made();
    return this.#event;
  }

  #made(): Event {
    const { type, seq } = this;
    const time = this.#time;
    const data = this.#data;
    const { ids, scope } = this.#source;
    const id = ids.create('event');
    Object.freeze(data);
    // The signature of `emit` matches type and data, which the union cannot express. With the ids first, V8 takes ten
    // times as long.
    return Object.freeze({ id, seq, time, type, data, ...scope, ...this.#correlation }) as Event;
  }
}

interface Subscription {
  readonly pattern: EventPattern;
  /** The beginning of the types of a family of events; null for one type or all. */
  readonly family: string | null;
  readonly listener: (event: Event) => void;
  hasFailed: boolean;
}

function fits({ pattern, family }: Subscription, type: EventType): boolean {
  return pattern === '*' || (family === null ? type === pattern : type.startsWith(family));
}

function contentFree(error: unknown): Pick<ListenerFailure, 'error' | 'thrownAt'> {
  if (!(error instanceof Error)) return { error: typeof error, thrownAt: '' };
  const frame = error.stack?.split('\n').find((line) => /^\s+at .*:\d+:\d+\)?$/.test(line));
  return { error: error.name, thrownAt: frame?.trim() ?? '' };
}

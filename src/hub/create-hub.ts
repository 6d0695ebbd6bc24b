import type { Correlation } from '../events/envelope.ts';
import type { Event, EventType } from '../events/event.ts';
import type { EventPattern, Hub, Told } from '../ports/hub.ts';
import type { Clock, Ids } from '../ports/time.ts';
import { createEventStream, type EventStream } from './event-stream.ts';

export interface HubOptions {
  readonly clock: Clock;
  readonly ids: Ids;
  /** The session of events that name none; without it the hub mints one. */
  readonly sessionId?: string;
  /** How many events are held for replay; 1,000 unless told. */
  readonly keep?: number;
  /** Hears of a listener's first failure, and of no other of the same subscription. */
  readonly onListenerError?: (failure: ListenerFailure) => void;
}

/** Which listener failed at which event. It holds nothing of the event's data, nor the error's message. */
export interface ListenerFailure {
  readonly pattern: EventPattern;
  readonly type: EventType;
  readonly eventId: string;
  readonly error: string;
  /** The line of code that threw, as the stack names it; empty where it is not known. */
  readonly thrownAt: string;
}

/** A hub with streams, and with scopes that fill in the ids of what is emitted through them. */
export interface EventHub extends Hub {
  /**
   * The events of a pattern as a stream. It begins with this call, and keeps at most `limit` unread events (1,000
   * unless told): the oldest then give way, and `dropped` counts them.
   */
  events(pattern: EventPattern, options?: { fromSeq?: number; limit?: number }): EventStream;
  /** The same hub; what is emitted through it carries these ids, unless it names its own. */
  scoped(correlation: Partial<Correlation>): EventHub;
}

/**
 * Makes a hub. Every listener gets events in the order of emitting, one at a time: what a listener emits comes after
 * what was emitted before. `seq` counts within each session from 1. A replay delivers what is still held of each
 * session from `fromSeq` on before `subscribe` returns; a first `seq` above it tells that older ones are gone.
 * Outside of a listener, `emit` returns when every listener was called; a promise that one returns is not awaited.
 */
export function createHub(options: HubOptions): EventHub {
  const { clock, ids, keep = 1000, onListenerError } = options;
  const lastSeq = new Map<string, number>();
  const held: Held[] = [];
  const subscriptions = new Set<Subscription>();
  const recorders = new Map<string, (told: Told) => void>();
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
    // What happened before was recorded then.
    if (!('recovered' in data)) recorders.get(sessionId)?.(one);
    for (const subscription of subscriptions) offer(subscription, one);
    deliver();
  };

  const offer = (subscription: Subscription, one: Held): void => {
    if (subscription.matches(one.type)) deliveries.push({ subscription, event: one.read() });
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
      // Whoever reports failures has failed: there is nobody left to tell.
    }
  };

  const subscribe: Hub['subscribe'] = (pattern, listener, { fromSeq } = {}) => {
    const subscription = { pattern, matches: matcherOf(pattern), listener, hasFailed: false };
    if (fromSeq !== undefined) for (const one of held) if (one.seq >= fromSeq) offer(subscription, one);
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
  // What is emitted outside of any request shares the hub's own request id.
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

/** What all events have in common that are emitted through the same hub. */
interface Source {
  readonly ids: Ids;
  readonly scope: Correlation;
}

/** What was emitted, in a single object: a hub, and a store in memory, hold hundreds of them a session. */
class Held implements Told {
  readonly type: EventType;
  readonly seq: number;
  readonly #source: Source;
  readonly #time: number;
  readonly #correlation: Partial<Correlation> | undefined;
  readonly #data: Event['data'];
  #event: Event | null = null;

  constructor(source: Source, { type, seq, time, correlation, data }: Emitted) {
    this.type = type;
    this.seq = seq;
    this.#source = source;
    this.#time = time;
    this.#correlation = correlation;
    this.#data = data;
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
    // The signature of `emit` has matched type and data, which the union cannot see any more. With the ids before the other
    // members V8 takes ten times as long.
    return Object.freeze({ id, seq, time, type, data, ...scope, ...this.#correlation }) as Event;
  }
}

interface Subscription {
  readonly pattern: EventPattern;
  readonly matches: (type: EventType) => boolean;
  readonly listener: (event: Event) => void;
  hasFailed: boolean;
}

function matcherOf(pattern: EventPattern): (type: EventType) => boolean {
  if (pattern === '*') return () => true;
  if (!pattern.endsWith(':*')) return (type) => type === pattern;
  const family = pattern.slice(0, -1);
  return (type) => type.startsWith(family);
}

function contentFree(error: unknown): Pick<ListenerFailure, 'error' | 'thrownAt'> {
  if (!(error instanceof Error)) return { error: typeof error, thrownAt: '' };
  const frame = error.stack?.split('\n').find((line) => /^\s+at .*:\d+:\d+\)?$/.test(line));
  return { error: error.name, thrownAt: frame?.trim() ?? '' };
}

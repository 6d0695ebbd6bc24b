import type { Correlation } from '../events/envelope.ts';
import type { Event, EventType } from '../events/event.ts';

/** `*`, an exact type, or a family such as `agent:*`. */
export type EventPattern = '*' | EventType | `${string}:*`;

/** Something that was told. Its event is made for whoever reads it first: of most that happens nobody does. */
export interface Told {
  read(): Event;
}

/** Carries events to whoever listens; a listener that throws or is slow never harms the one that emits. */
export interface Hub {
  emit<Type extends EventType>(
    type: Type,
    data: Extract<Event, { type: Type }>['data'],
    correlation?: Partial<Correlation>,
  ): void;
  /**
   * Hands on all that is told of a session, before anybody hears of it. What is told again as `recovered` is not handed on. A session has one recorder, the last one. `lastSeq` is that of an
   * event recorded before: numbers go on from there.
   * Returns what ends it.
   */
  record(sessionId: string, lastSeq: number, keep: (told: Told) => void): () => void;
  /** Returns what ends the subscription. `fromSeq` first replays what the hub still holds from that number on. */
  subscribe(pattern: EventPattern, listener: (event: Event) => void, options?: { fromSeq?: number }): () => void;
}

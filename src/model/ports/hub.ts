import type { Correlation } from '../events/envelope.ts';
import type { Event, EventType } from '../events/event.ts';

/** `*`, an exact type, or a family such as `agent:*`. */
export type EventPattern = '*' | EventType | `${string}:*`;

/** A published event. The envelope is built on first `read`, because most events have no reader. */
export interface PublishedEvent {
  read(): Event;
}

/** Delivers events to listeners. A listener that throws or is slow does not affect the emitter. */
export interface Hub {
  emit<Type extends EventType>(
    type: Type,
    data: Extract<Event, { type: Type }>['data'],
    correlation?: Partial<Correlation>,
  ): void;
  /**
   * Passes each event of a session to the recorder before any listener receives it, except those repeated as
   * `recovered`. A session has one recorder, the latest. Numbering continues after `lastSeq`, the sequence of the last
   * recorded event. Returns a function that stops the recording.
   */
  record(sessionId: string, lastSeq: number, keep: (told: PublishedEvent) => void): () => void;
  /**
   * Subscribes a listener and returns a function that ends the subscription. `fromSeq` first replays the buffered
   * events from that number on.
   */
  subscribe(pattern: EventPattern, listener: (event: Event) => void, options?: { fromSeq?: number }): () => void;
}

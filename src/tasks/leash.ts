import type { Correlation } from '../events/envelope.ts';
import type { Event, EventType } from '../events/event.ts';
import type { Hub } from '../ports/hub.ts';
import type { Clock } from '../ports/time.ts';

/** A hub and a clock for somebody who may not clean up. */
export interface Leash {
  readonly hub: Hub;
  readonly clock: Clock;
  /** Whether a run of an agent has been told to begin, and not to end. */
  readonly hasOpenAgent: boolean;
  /** Cancels every timer and listener that is left; nothing is emitted or scheduled through it from now on. */
  release(): void;
}

/** Emits with the id of the task, unless the event names another. */
export function createLeash(hub: Hub, nodeId: string, clock: Clock): Leash {
  // The signature of `emit` has matched type and data, which a generic caller cannot show.
  const emit: (type: EventType, data: Event['data'], ids: Partial<Correlation>) => void = hub.emit.bind(hub);
  const ends = new Set<() => void>();
  let isOver = false;
  let hasOpenAgent = false;
  /** What ends something, and is forgotten once it has. */
  const held = (end: () => void): (() => void) => {
    const once = (): void => {
      if (ends.delete(once)) end();
    };
    ends.add(once);
    return once;
  };
  return {
    hub: {
      emit(type, data, ids) {
        if (isOver) return;
        if (type === 'agent:start') hasOpenAgent = true;
        else if (type === 'agent:complete') hasOpenAgent = false;
        emit(type, data, { nodeId, ...ids });
      },
      record: (...recorder) => (isOver ? nothing : held(hub.record(...recorder))),
      subscribe: (...subscription) => (isOver ? nothing : held(hub.subscribe(...subscription))),
    },
    clock: {
      now: () => clock.now(),
      schedule(delayMs, task) {
        if (isOver) return nothing;
        const cancel = clock.schedule(delayMs, () => {
          ends.delete(stop);
          task();
        });
        const stop = held(cancel);
        return stop;
      },
    },
    get hasOpenAgent() {
      return hasOpenAgent;
    },
    release() {
      isOver = true;
      hasOpenAgent = false;
      for (const end of ends) end();
    },
  };
}

function nothing(): void {
  // There is nothing to end.
}

import type { Correlation } from '../../model/events/envelope.ts';
import type { Event, EventType } from '../../model/events/event.ts';
import type { Hub } from '../../model/ports/hub.ts';
import type { Clock } from '../../model/ports/time.ts';

/** A hub and a clock for code that may not clean up after itself. */
export interface ScopedResources {
  readonly hub: Hub;
  readonly clock: Clock;
  /** Whether an agent run began without an end event. */
  readonly hasOpenAgent: boolean;
  /** Cancels all remaining timers and listeners. Later emits and schedules are ignored. */
  release(): void;
}

/** Creates a leash. Emitted events get the task's id unless they name another. */
export function createScopedResources(hub: Hub, nodeId: string, clock: Clock): ScopedResources {
  // The signature of `emit` matches type and data, which a generic caller cannot express.
  const emit: (type: EventType, data: Event['data'], ids: Partial<Correlation>) => void = hub.emit.bind(hub);
  const ends = new Set<() => void>();
  let isOver = false;
  let hasOpenAgent = false;
  /** Tracks a cleanup function until it has run. */
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
  // Intentionally empty.
}

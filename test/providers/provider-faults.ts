import type { Clock } from '../../src/model/ports/time.ts';
import type { Fault } from './local-server.ts';

/** Faults of a provider, by their results. */
export const providerFaults = {
  crowded: { fault: 'status', status: 429, retryAfter: 1 },
  broken: { fault: 'status', status: 500 },
  locked: { fault: 'status', status: 401 },
  garbled: { fault: 'garbage' },
  severed: { fault: 'cut' },
  stalling: { fault: 'stall', ms: 10_000 },
} as const satisfies Readonly<Record<string, Fault>>;

/** A clock that gives a flow little patience during a fault, and enough for any machine after it. */
export function patientOnce(isMended: () => boolean, patienceMs: number, clock: Clock): Clock {
  return {
    now: clock.now,
    schedule: (delayMs, task) => clock.schedule(delayMs === patienceMs && isMended() ? 60_000 : delayMs, task),
  };
}

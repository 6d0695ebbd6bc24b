import type { Fault } from './local-server.ts';

/** What a provider may do instead of answering, by what it is then. */
export const providerFaults = {
  crowded: { fault: 'status', status: 429, retryAfter: 1 },
  broken: { fault: 'status', status: 500 },
  locked: { fault: 'status', status: 401 },
  garbled: { fault: 'garbage' },
  severed: { fault: 'cut' },
  stalling: { fault: 'stall', ms: 10_000 },
} as const satisfies Readonly<Record<string, Fault>>;

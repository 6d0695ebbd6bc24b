import { ownValue } from '../flow/expression/own-value.ts';
import type { Store } from '../model/ports/store.ts';

/** The session that asks a person: its flow, its time zone, and whether it has ended. */
export interface Asker {
  readonly flow: string;
  readonly zone: string;
  readonly hasEnded: boolean;
}

/** Reads the asker from the store. Missing members are empty; the default zone is UTC. */
export async function askerOf(store: Store, sessionId: string): Promise<Asker> {
  const state = (await store.sessions.get(sessionId))?.state ?? null;
  const flow = ownValue(ownValue(state, 'flow') ?? ownValue(state, 'taskFlow'), 'id');
  const zone = ownValue(state, 'timeZone');
  const status = ownValue(state, 'status');
  return {
    flow: typeof flow === 'string' ? flow : '',
    zone: typeof zone === 'string' ? zone : 'UTC',
    hasEnded: status === 'ended' || status === 'complete' || status === 'failed',
  };
}

import type { Effect } from '../../src/model/effect.ts';
import type { DeadlinePolicy } from '../../src/model/outside-wait.ts';
import type { Json, JsonObject } from '../../src/model/json.ts';
import { newSession } from '../../src/kernel/state/state.ts';
import type { Store } from '../../src/model/ports/store.ts';

/** The members of a test's wait that differ from the defaults. */
export interface AskedWait {
  readonly key?: string;
  readonly state?: Effect['state'];
  readonly question?: string;
  readonly facts?: JsonObject;
  readonly factsHash?: string;
  /** Empty if words are expected. */
  readonly options?: readonly string[];
  readonly deadline?: number;
  /** Whether words are an answer in addition to the options. */
  readonly takesWords?: boolean;
  /** The name of the awaited event. */
  readonly event?: string;
  /** The action at the deadline. */
  readonly atDeadline?: 'go_to' | 'remind';
  readonly policy?: DeadlinePolicy;
  /** The session's time zone. */
  readonly timeZone?: string;
}

const leaseMs = 60_000;

/** Commits a wait to a session like the engine, also for an existing session in another state. */
export async function commitWait(store: Store, sessionId: string, asked: AskedWait = {}): Promise<void> {
  const lease = await store.leases.acquire({ sessionId, owner: 'test', ttlMs: leaseMs });
  if (lease === null) throw new Error(`session ${sessionId} is owned`);
  const kept = await store.sessions.get(sessionId);
  const { key = `${sessionId}/5/1`, state = 'intended', facts = { amount: 12 }, factsHash = 'f1' } = asked;
  const {
    timeZone,
    question = 'Refund 12 to <Ada>?',
    options = ['approve', 'reject'],
    deadline,
    atDeadline = 'go_to',
    takesWords = options.length === 0,
  } = asked;
  const [wait, member] = options.length === 0 ? ['proxy_input', 'text'] : ['admin_resolution', 'decision'];
  const words = takesWords ? { text: { type: 'string', pattern: '\\S' } } : {};
  const properties = { decision: { enum: options }, comment: { type: 'string' }, ...words };
  const anyOf = [{ required: [member] }, ...(takesWords ? [{ required: ['text'] }] : [])];
  const schema = { type: 'object', properties, anyOf };
  const effect = {
    ...{ key, kind: 'wait', state, node: 'approve', visit: 1 },
    ...(deadline === undefined ? {} : { deadline }),
    payload: {
      ...{
        wait,
        to: 'refunds',
        question,
        facts,
        factsHash,
        options,
        schema,
        ...(asked.event === undefined ? {} : { event: asked.event }),
      },
      ...{ version: 1, policy: asked.policy ?? { act: atDeadline }, later: [], reach: 'wait' },
    },
  } as unknown as Effect;
  await store.steps.create({
    ...{ lease, baseSeq: kept?.seq ?? 0, inputKeys: [], signals: [], effects: [effect], events: () => [] },
    ...{
      state: kept?.state ?? { ...runState, ...(timeZone === undefined ? {} : { timeZone }) },
      stateVersion: 1,
      graphHash: 'g1',
    },
  });
  await store.leases.release(lease);
}

/** Commits a conversation without an owner, in a flow whose only node is `done`. */
export async function commitTalk(
  store: Store,
  sessionId: string,
  status: 'active' | 'ending' | 'ended' = 'active',
): Promise<void> {
  const lease = await store.leases.acquire({ sessionId, owner: 'test', ttlMs: leaseMs });
  if (lease === null) throw new Error(`session ${sessionId} is owned`);
  const kept = await store.sessions.get(sessionId);
  await store.graphs.save('g2', { nodes: [{ id: 'done' }] });
  await store.steps.create({
    ...{ lease, baseSeq: kept?.seq ?? 0, inputKeys: [], signals: [], effects: [], events: () => [] },
    state: { ...newSession(sessionId), status } as unknown as Json, // A state is JSON.
    ...{ stateVersion: 1, graphHash: 'g2' },
  });
  await store.leases.release(lease);
}

/** The simplest session: a run of a task flow. */
const runState = { stateVersion: 1, taskFlow: { id: 'refunds', hash: 'g1' }, status: 'running' };

/** Returns everything that a refused request must not change. Audit records of refused requests are left out. */
export async function kept(store: Store): Promise<unknown> {
  const sessions = await store.sessions.list({ limit: 100 });
  const audit = await store.audit.list({ limit: 1_000 });
  return {
    sessions,
    effects: await Promise.all(sessions.map(({ sessionId }) => store.effects.list(sessionId))),
    entries: await store.inbox.list({ limit: 1_000 }),
    allowed: audit.filter(({ outcome }) => outcome === 'allowed'),
  };
}

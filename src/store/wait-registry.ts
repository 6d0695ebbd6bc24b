import { FlowError } from '../model/errors.ts';
import { isJsonObject, type Json, type JsonObject } from '../model/json.ts';
import { hashOf } from '../flow/graph/hash.ts';
import { schemaCheck } from '../flow/graph/schema-check.ts';
import { readableState } from '../kernel/state/upgrade.ts';
import type { WaitRecord, WaitRegistry } from './durable-contracts.ts';
import type { OpenEffect, Store } from '../model/ports/store.ts';
import type { Clock } from '../model/ports/time.ts';
import { type FlatStore, storeOf } from './flat-store.ts';
import { effectOfWait, waitOfEffect } from './effect-views.ts';
import { addressOf } from './sql/inbox-texts.ts';
import { toJsonText } from './json-text.ts';
import { settleHostEffects } from './sql/settle-host-effects.ts';

/** Length of the lease for opening a wait, in milliseconds. */
const leaseMs = 10_000;

/** Limit of open waits per query. */
const allWaits = 100_000;

/**
 * Creates a wait registry as a view of the effects and the inbox. Registering a wait that the session already has changes
 * nothing. A new wait is opened under the owner's name, or, with a `clock`, posted to the process that owns the session,
 * which opens it soon after. Throws `session-unknown`, and `session-taken` if that process does not open it. A resolution is
 * posted to the session, whichever process owns it, and settles the wait when it is folded, or at once over a host's own
 * checkpoint. The first resolution counts and is audited under the owner's name. A value that is not an object is wrapped as
 * `{ value }`. Throws `resolution-mismatch` if it does not meet the wait's schema, and `wait-of-session` for a question that
 * the session asks its caller. `timeoutDue` returns unanswered waits whose deadline has passed.
 *
 * @example
 * const waits = createWaitRegistry(await openStore('memory'), 'desk-1');
 */
export function createWaitRegistry(given: Store | FlatStore, owner: string, clock: Clock | null = null): WaitRegistry {
  const store = storeOf(given);
  /** Posts a wait to the owner of its session. Resolves once it is open. */
  const postTo = async (wait: WaitRecord, isKnown: () => Promise<boolean>): Promise<void> => {
    const { sessionId, waitId: key, type, deadline } = wait;
    const { payload } = effectOfWait(wait);
    const entryKey = `register/${key}`;
    const about = { ...payload } as unknown as JsonObject; // Payloads are JSON.
    const signal = { type: 'wait:registered', key, wait: type, payload: about } as const;
    const timed = deadline === undefined ? signal : { ...signal, deadline };
    const rest = { reach: 'wait', correlation: {}, actor: { id: owner } } as const;
    await store.inbox.post([{ key: entryKey, sessionId, dueAt: 0, signal: timed, ...rest }]);
    for (let looks = 0; looks < mostLooks; looks += 1) {
      if (await isKnown()) return;
      await new Promise<void>((resolve) => void clock?.schedule(lookEveryMs, resolve));
    }
    await store.inbox.withdraw(entryKey);
    if (!(await isKnown())) throw taken(sessionId);
  };
  return {
    async register(wait) {
      const { sessionId, waitId } = wait;
      const isKnown = async (): Promise<boolean> =>
        (await store.effects.list(sessionId)).some(({ key }) => key === waitId);
      if (await isKnown()) return;
      const lease = await store.leases.acquire({ sessionId, owner, ttlMs: leaseMs });
      if (lease === null) {
        if (clock === null) throw taken(sessionId);
        return await postTo(wait, isKnown);
      }
      try {
        if (await isKnown()) return;
        const kept = await store.sessions.get(sessionId);
        if (kept === null)
          throw new FlowError('session-unknown', `there is no session "${sessionId}". Begin it before it waits.`);
        const { seq: baseSeq, state, stateVersion, graphHash } = kept;
        const rest = { state, stateVersion, graphHash, effects: [effectOfWait(wait)], events: () => [] };
        await store.steps.create({ lease, baseSeq, inputKeys: [], signals: [], ...rest });
      } finally {
        await store.leases.release(lease);
      }
    },
    async resolve(waitId, payload) {
      const open = await store.effects.listOpen({ kind: 'wait', limit: allWaits });
      const found = open.find(({ effect }) => effect.key === waitId);
      // The wait was answered, perhaps at the same moment.
      if (found === undefined) return;
      const resolution = resolutionOf(found, payload);
      const signal = { type: 'wait:resolved', key: waitId, resolution } as const;
      const rest = { ...addressOf(found.effect.payload as unknown as Json), actor: { id: owner } };
      const key = `resolve/${waitId}/${hashOf(resolution)}`;
      const { sessionId } = found;
      const details = { key: waitId, resolutionHash: hashOf(resolution) };
      const record = { actor: rest.actor, action: 'wait:resolve', outcome: 'allowed' as const, sessionId, details };
      await store.inbox.post([{ key, sessionId, dueAt: 0, signal, ...rest }], [record], [decidedKey(waitId)]);
      await settleHostEffects(store, sessionId, owner);
    },
    async timeoutDue(now, limit) {
      const due = await store.effects.listOpen({ kind: 'wait', dueBy: now.getTime(), limit: allWaits });
      const found = [];
      for (const wait of due) {
        if (found.length === limit) break;
        if (await store.inbox.isConsumed(decidedKey(wait.effect.key))) continue;
        found.push({ ...(await belongingTo(store, wait)), ...waitOfEffect(wait) });
      }
      return found;
    },
  };
}

/** Interval and number of checks for a wait that an owner should open. */
const lookEveryMs = 25;
const mostLooks = 200;

function taken(sessionId: string): FlowError {
  return new FlowError('session-taken', `session "${sessionId}" is owned by another process. Ask that one.`);
}

/** Returns the key that the first answer to a wait consumes. */
function decidedKey(waitId: string): string {
  return `decided/${waitId}`;
}

function resolutionOf({ sessionId, effect }: OpenEffect, payload: unknown): JsonObject {
  if ('subject' in effect.payload)
    throw new FlowError(
      'wait-of-session',
      `session "${sessionId}" asks its caller "${effect.key}" itself, and only the caller's words answer it.`,
    );
  toJsonText(payload, 'a resolution');
  const given = payload as Json; // toJsonText has checked it.
  const resolution = isJsonObject(given) ? given : { value: given };
  const schema = 'schema' in effect.payload ? effect.payload.schema : null;
  const [first] = schema === null ? [] : schemaCheck(schema).violations(resolution);
  if (first !== undefined)
    throw new FlowError(
      'resolution-mismatch',
      `the resolution of wait "${effect.key}" does not fit: ${['resolution', ...first.path].join('.')}: ${first.message}. Give what its schema asks for.`,
    );
  return resolution;
}

/** Returns the ids of a flow's wait: its flow, and the wait itself if a person is asked. */
async function belongingTo(
  store: Store,
  { sessionId, effect }: OpenEffect,
): Promise<Pick<WaitRecord, 'flowId' | 'escalationId' | 'proxyId'>> {
  // A host's waits contain their own ids.
  if (effect.kind !== 'wait' || effect.node === '') return {};
  const isAsked = 'to' in effect.payload && effect.payload.to !== null;
  const flowId = flowIn((await store.sessions.get(sessionId))?.state ?? null);
  const isForWords = effect.payload.wait === 'proxy_input';
  return {
    ...(flowId === null ? {} : { flowId }),
    ...(isAsked ? { escalationId: effect.key } : {}),
    ...(isForWords ? { proxyId: effect.key } : {}),
  };
}

/** Returns the flow of a state of a conversation or a run. */
function flowIn(state: Json): string | null {
  const flow = isJsonObject(state) ? (state['taskFlow'] ?? null) : null;
  if (isJsonObject(flow) && typeof flow['id'] === 'string') return flow['id'];
  return readableState(state)?.position.flow.id ?? null;
}

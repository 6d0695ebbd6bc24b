import type { Effect, EffectKey } from '../events/effect.ts';
import type { Json } from '../events/json.ts';
import { FlowError } from '../errors.ts';
import type { Lease, LoggedSignal, SessionSnapshot, StepCommit, Store } from '../ports/store.ts';
import type { Clock } from '../ports/time.ts';
import { toJsonText } from './json-text.ts';

export interface MemoryStore extends Store {
  /** How many commits were taken so far. */
  readonly transactions: number;
}

/**
 * A store that lives and dies with its object. It keeps JSON texts, as a database does, so that no caller can change
 * what is kept.
 *
 * A lease that has run out still commits until another owner takes it: its token tells who was first. An effect is what
 * the last commit that named its key said: whoever settles one names it again in its final state. Events are not kept,
 * for the port has nothing that reads them.
 */
export function createMemoryStore({ clock }: { readonly clock: Clock }): MemoryStore {
  // Each text is parsed as what it was made of.
  const sessions = new Map<string, Session>();
  const consumed = new Set<string>();
  const graphs = new Map<string, string>();
  let transactions = 0;
  let isClosed = false;

  const assertOpen = (): void => {
    if (isClosed) throw new FlowError('store-closed', 'the store is closed. Open a new one to go on.');
  };
  const sessionOf = (sessionId: string): Session => {
    const found = sessions.get(sessionId);
    if (found !== undefined) return found;
    const session: Session = { lease: null, token: 0, kept: null, log: [], effects: new Map() };
    sessions.set(sessionId, session);
    return session;
  };

  return {
    get transactions() {
      return transactions;
    },
    async acquireLease(sessionId, owner, ttlMs) {
      assertOpen();
      const session = sessionOf(sessionId);
      const now = clock.now();
      const isRenewal = session.lease?.owner === owner;
      if (session.lease !== null && !isRenewal && session.lease.expiresAt > now) return null;
      if (!isRenewal) session.token += 1;
      session.lease = Object.freeze({ sessionId, owner, token: session.token, expiresAt: now + ttlMs });
      return session.lease;
    },
    async releaseLease(lease) {
      assertOpen();
      const session = sessions.get(lease.sessionId);
      if (session?.lease?.token === lease.token) session.lease = null;
    },
    async wasConsumed(inputKey) {
      assertOpen();
      return consumed.has(inputKey);
    },
    async loadSnapshot(sessionId) {
      assertOpen();
      const session = sessions.get(sessionId);
      if (session === undefined || session.kept === null) return null;
      const { state, ...rest } = session.kept;
      return { sessionId, seq: session.log.length, ...rest, state: JSON.parse(state) as Json };
    },
    async loadEffects(sessionId) {
      assertOpen();
      return [...(sessions.get(sessionId)?.effects.values() ?? [])].map((text) => JSON.parse(text) as Effect);
    },
    async readLog(sessionId, fromSeq = 1) {
      assertOpen();
      const log = sessions.get(sessionId)?.log ?? [];
      return log.slice(Math.max(fromSeq, 1) - 1).map((text) => JSON.parse(text) as LoggedSignal);
    },
    async commit(commit) {
      assertOpen();
      const signals = commit.signals.map((signal) => toJsonText(signal, 'a signal'));
      const effects = commit.effects.map((effect) => [effect.key, toJsonText(effect, 'an effect')] as const);
      for (const event of commit.events) toJsonText(event, 'an event');
      const state = toJsonText(commit.state, 'the state');
      const session = sessionOf(commit.lease.sessionId);
      refuseLost(commit, session);
      refuseConflict(commit, session.log.length, consumed);

      session.log.push(...signals);
      for (const [key, text] of effects) session.effects.set(key, text);
      session.kept = { state, stateVersion: commit.stateVersion, graphHash: commit.graphHash };
      for (const key of commit.inputKeys) consumed.add(key);
      transactions += 1;
    },
    async saveGraph(hash, document) {
      assertOpen();
      const text = toJsonText(document, 'the flow');
      if (!graphs.has(hash)) graphs.set(hash, text);
    },
    async loadGraph(hash) {
      assertOpen();
      const text = graphs.get(hash);
      return text === undefined ? null : (JSON.parse(text) as Json);
    },
    async close() {
      isClosed = true;
    },
  };
}

interface Session {
  lease: Lease | null;
  /** The last token given; it outlives the lease. */
  token: number;
  kept: (Pick<SessionSnapshot, 'stateVersion' | 'graphHash'> & { readonly state: string }) | null;
  /** The signal of seq n stands at n - 1. */
  readonly log: string[];
  readonly effects: Map<EffectKey, string>;
}

function refuseLost({ lease }: StepCommit, session: Session): void {
  if (session.lease?.token === lease.token) return;
  throw new FlowError(
    'lease-lost',
    `session "${lease.sessionId}" is not owned under this lease any more. Stop speaking and writing for it.`,
  );
}

function refuseConflict({ lease, baseSeq, signals, inputKeys }: StepCommit, seq: number, consumed: Set<string>): void {
  const { sessionId } = lease;
  const remedy = 'Load the session again and go on from there.';
  if (baseSeq !== seq)
    throw new FlowError('store-conflict', `session "${sessionId}" stands at ${seq}, not at ${baseSeq}. ${remedy}`);
  if (signals.some((signal, index) => signal.seq !== baseSeq + index + 1))
    throw new FlowError('store-conflict', `the signals for session "${sessionId}" leave a gap in its log. ${remedy}`);
  if (inputKeys.some((key) => consumed.has(key)))
    throw new FlowError('store-conflict', `an input for session "${sessionId}" was consumed before. ${remedy}`);
}

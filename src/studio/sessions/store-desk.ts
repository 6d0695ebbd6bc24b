import { maskPersonal } from '../../store/mask-personal.ts';
import { FlowError } from '../../model/errors.ts';
import type { JsonObject } from '../../model/json.ts';
import { readableState } from '../../kernel/state/upgrade.ts';
import type { SessionSummary, Store } from '../../model/ports/store.ts';
import type { Clock } from '../../model/ports/time.ts';
import type { StudioBackend } from './desk.ts';
import { flowShown } from '../../flow/picture/show-flow.ts';
import { flowsOfSteps } from './flows-of-steps.ts';
import { inboxOf } from '../inbox.ts';
import { isConversation } from './is-conversation.ts';
import { createEventStream } from '../event-stream.ts';
import type { FlowShown } from '../../flow/picture/flow-shown.ts';
import type { SessionShown, StepShown } from '../protocol/session-shown.ts';
import { createSeenSession, lookEveryMs, type SeenSession } from './seen-session.ts';
import { sessionShown } from './session-record.ts';
import { graphOfKept } from './steps.ts';

/** Parts of a studio of a store. */
export interface StoreDeskOptions {
  readonly store: Store;
  readonly clock: Clock;
}

const mostListed = 200;
/** Maximum number of sessions kept in memory for returning pages. */
const mostHeld = 50;

/**
 * Creates a read-only view of a store's sessions. Pages get masked steps with states, because a masked log would fold
 * to another path. Personal values are sent only with a reveal key.
 */
export function createStoreDesk({ store, clock }: StoreDeskOptions): StudioBackend {
  const listNews = createEventStream();
  const seen = new Map<string, SeenSession>();
  const documentOf = oncePerHash((hash) => store.graphs.get(hash));
  const graphOf = oncePerHash((hash) => documentOf(hash).then(graphOfKept));
  const seenOf = (sessionId: string, isRevealed: boolean): SeenSession => {
    const key = keyOf(sessionId, isRevealed);
    const known = seen.get(key);
    if (known !== undefined) return known;
    const made = createSeenSession({ sessionId, isRevealed, store, clock, graphOf, documentOf });
    seen.set(key, made);
    // Removes the oldest session without readers.
    if (seen.size > mostHeld)
      for (const [old, { readers }] of seen) if (readers === 0 && old !== key) return (seen.delete(old), made);
    return made;
  };
  const lineOf = async (summary: SessionSummary, shown: readonly StepShown[] | null): Promise<SessionShown | null> => {
    const { sessionId, seq, graphHash, updatedAt, lease } = summary;
    const snapshot = await store.sessions.get(sessionId);
    if (snapshot === null || !isConversation(snapshot.state)) return null;
    const document = await documentOf(graphHash);
    const last = shown?.at(-1)?.state ?? maskPersonal(snapshot.state, document === null ? [] : [document]);
    const state = readableState(last);
    const isOver = state?.status === 'ended';
    const isOwned = lease !== null && lease.expiresAt > clock.now();
    const { flow = null, node = '' } = state?.position ?? {};
    const step = {
      seq,
      state: state as unknown as JsonObject | null, // States are JSON.
      node,
      flowHash: graphHash,
      effects: [],
      facts: [],
      signal: { type: 'flow:returned' as const, at: updatedAt },
    };
    return sessionShown(
      { sessionId, steps: [step] },
      { title: flow?.id ?? '', live: isOver ? 'over' : isOwned ? 'elsewhere' : 'away', updatedAt },
    );
  };
  const list = async (): Promise<readonly SessionShown[]> => {
    const all = await store.sessions.list({ limit: mostListed });
    const lines = await Promise.all(all.map((one) => lineOf(one, null)));
    return lines.filter((line) => line !== null);
  };

  let listReaders = 0;
  let cancelList = (): void => undefined;
  const listed = new Map<string, string>();
  const lookAtList = (): void => {
    cancelList = clock.schedule(lookEveryMs, () => {
      void (async () => {
        for (const summary of await store.sessions.list({ limit: 20 })) {
          const mark = JSON.stringify([summary.seq, summary.lease?.token ?? null]);
          if (listed.get(summary.sessionId) === mark) continue;
          const line = await lineOf(summary, null);
          listed.set(summary.sessionId, mark);
          if (line !== null) listNews.put({ type: 'session', data: line });
        }
      })()
        .catch(() => undefined) // If the store cannot be reached, it is read again.
        .then(() => (listReaders > 0 ? lookAtList() : undefined));
    });
  };
  const followList = (): (() => void) => {
    listReaders += 1;
    if (listReaders === 1) lookAtList();
    return () => {
      listReaders -= 1;
      if (listReaders === 0) cancelList();
    };
  };
  const flowOf = async (hash: string): Promise<FlowShown | null> => {
    const graph = await graphOf(hash);
    return graph === null ? null : flowShown(graph, null, false);
  };

  return {
    live: null,
    connects: [],
    flow: flowOf,
    sessions: list,
    inbox: (sessionId) => inboxOf(store, sessionId),
    newsOf: (sessionId, isRevealed) => (sessionId === null ? listNews : seenOf(sessionId, isRevealed).news),
    async about() {
      return {
        ...{ mode: 'store', flow: null, flows: [], model: null, pretended: [], notes: [] },
        voice: { by: 'browser', how: 'This studio only looks at sessions.' },
        may: { talk: false, edit: false, fork: false, reveal: true, saveTest: false },
      };
    },
    async detail(sessionId, isRevealed) {
      const one = seenOf(sessionId, isRevealed);
      const summary = await one.catchUp();
      // The session was deleted, so the view is dropped as well.
      if (summary === null) return (seen.delete(keyOf(sessionId, isRevealed)), null);
      const { shown, lines, turns, events } = one;
      const session = await lineOf(summary, shown);
      if (session === null) return null;
      const flows = await flowsOfSteps(shown, flowOf);
      return {
        ...{ session, folds: 'server', isMasked: !isRevealed, steps: [...shown], flows, events: [...events] },
        ...{ lines, turns, swaps: [] },
      };
    },
    follow: (sessionId, isRevealed) => (sessionId === null ? followList() : seenOf(sessionId, isRevealed).follow()),
    against() {
      return Promise.reject(
        new FlowError('not-allowed', 'this studio has no flow file to compare with. Use roomflow replay --against.'),
      );
    },
  };
}

/** The key of a reader's view of a session. */
function keyOf(sessionId: string, isRevealed: boolean): string {
  return JSON.stringify([sessionId, isRevealed]);
}

/** Caches values that never change for a hash; failed loads are retried. */
function oncePerHash<Found>(load: (hash: string) => Promise<Found>): (hash: string) => Promise<Found> {
  const loaded = new Map<string, Promise<Found>>();
  return (hash) => {
    const known = loaded.get(hash);
    if (known !== undefined) return known;
    const made = load(hash);
    loaded.set(hash, made);
    void made.catch(() => loaded.delete(hash));
    return made;
  };
}

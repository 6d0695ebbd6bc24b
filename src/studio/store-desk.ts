import { maskPersonal } from '../durable/mask-personal.ts';
import { FlowError } from '../errors.ts';
import type { Event } from '../events/event.ts';
import { isJsonObject, type Json } from '../events/json.ts';
import type { Graph } from '../graph/graph.ts';
import { planStand } from '../people/plan-stand.ts';
import type { SessionSnapshot, SessionSummary, Store } from '../ports/store.ts';
import type { Clock } from '../ports/time.ts';
import { taskRunState } from '../runner/task-run-state.ts';
import type { Desk } from './desk.ts';
import { flowShown } from './flow-shown.ts';
import { inboxOf } from './inbox.ts';
import { createNews, type News } from './news.ts';
import type { FlowShown, SessionShown, StepShown } from './protocol.ts';
import { sessionShown } from './session-record.ts';
import { createSteps, graphOfKept, type Steps } from './steps.ts';
import { createTalk, type Talk } from './talk.ts';
import { createTurns, type Turns } from './turns.ts';

/** What a studio over a store is made of. */
export interface StoreDeskOptions {
  readonly store: Store;
  readonly clock: Clock;
}

/** How often a store is looked at for what is new while a page is open, in milliseconds. */
const lookEveryMs = 1_000;
const mostListed = 200;
/** More sessions are not held for pages that come back. */
const mostHeld = 50;

/** A session as one kind of reader sees it, and its stream. */
interface Seen {
  readonly news: News;
  readonly steps: Steps;
  /** What is told of them: the same, or masked. */
  shown: StepShown[];
  talk: Talk;
  readonly turns: Turns;
  events: readonly Event[];
  readers: number;
  cancel: () => void;
  work: Promise<void>;
}

/**
 * The sessions of a store, to look at: a page is sent what is masked, step by step, since a masked log would fold to another
 * path; and what is personal only where somebody who may has asked for it.
 */
export function createStoreDesk({ store, clock }: StoreDeskOptions): Desk {
  const listNews = createNews();
  const seen = new Map<string, Seen>();
  const graphs = new Map<string, Promise<Graph | null>>();
  const documents = new Map<string, Promise<Json | null>>();
  const documentOf = (hash: string): Promise<Json | null> => {
    const known = documents.get(hash) ?? store.loadGraph(hash);
    documents.set(hash, known);
    return known;
  };
  const graphOf = (hash: string): Promise<Graph | null> => {
    const known = graphs.get(hash) ?? documentOf(hash).then(graphOfKept);
    graphs.set(hash, known);
    return known;
  };
  const documentsOf = async (steps: readonly StepShown[]): Promise<readonly Json[]> => {
    const hashes = new Set(steps.map(({ flowHash }) => flowHash));
    const all = await Promise.all([...hashes].map(documentOf));
    return all.filter((one) => one !== null);
  };
  const seenOf = (sessionId: string, isRevealed: boolean): Seen => {
    const key = JSON.stringify([sessionId, isRevealed]);
    const known = seen.get(key);
    if (known !== undefined) return known;
    const made: Seen = {
      ...{
        news: createNews(2_000),
        steps: createSteps(sessionId, graphOf),
        shown: [],
        talk: createTalk(),
        turns: createTurns(),
      },
      ...{ events: [], readers: 0, cancel: () => undefined, work: Promise.resolve() },
    };
    seen.set(key, made);
    // The oldest that nobody looks at gives way.
    if (seen.size > mostHeld)
      for (const [old, { readers }] of seen) if (readers === 0 && old !== key) return (seen.delete(old), made);
    return made;
  };
  /** Reads what is new of a session, and tells it. */
  const catchUp = async (sessionId: string, isRevealed: boolean): Promise<SessionSnapshot | null> => {
    const snapshot = await store.loadSnapshot(sessionId);
    if (snapshot === null || !isConversation(snapshot.state)) return null;
    const one = seenOf(sessionId, isRevealed);
    const from = (one.steps.shown.at(-1)?.seq ?? 0) + 1;
    // The trace of a turn is kept by a commit after its last step, which may hold no step of its own.
    const last = one.turns.turns.at(-1);
    const isTraceDue = last === undefined || (last.trace === null && last.kept === null);
    if (snapshot.seq < from && !isTraceDue) return snapshot;
    const fresh = snapshot.seq < from ? [] : await one.steps.take(await store.readLog(sessionId, from), snapshot.state);
    if (fresh.length === 0 && !isTraceDue) return snapshot;
    const events = await store.readEvents(sessionId);
    const kept = { steps: one.steps.shown, events };
    const flows = await documentsOf(kept.steps);
    // Masking keeps the shape, and all of it is JSON.
    const told = isRevealed ? kept : (maskPersonal(kept as unknown as Json, flows) as unknown as typeof kept);
    const known = new Set(one.events.map(({ id }) => id));
    one.shown = [...told.steps];
    one.events = told.events;
    for (const step of told.steps.slice(told.steps.length - fresh.length)) {
      one.news.put({ type: 'step', data: { ...step, sessionId } });
      for (const line of one.talk.step(step)) one.news.put({ type: 'line', data: { ...line, sessionId } });
    }
    for (const event of told.events) {
      if (known.has(event.id)) continue;
      one.turns.told(event);
      one.news.put({ type: 'told', data: { sessionId, event } });
    }
    for (const turn of one.turns.changed()) one.news.put({ type: 'turn', data: { ...turn, sessionId } });
    return snapshot;
  };
  /** One look after the other: two would tell the same twice. */
  const upToDate = (sessionId: string, isRevealed: boolean): Promise<SessionSnapshot | null> => {
    const one = seenOf(sessionId, isRevealed);
    const done = one.work.then(() => catchUp(sessionId, isRevealed));
    one.work = done.then(
      () => undefined,
      () => undefined,
    );
    return done;
  };
  const lineOf = async (summary: SessionSummary, shown: readonly StepShown[] | null): Promise<SessionShown | null> => {
    const { sessionId, seq, graphHash, updatedAt, lease } = summary;
    const snapshot = await store.loadSnapshot(sessionId);
    if (snapshot === null || !isConversation(snapshot.state)) return null;
    const document = await documentOf(graphHash);
    const last = shown?.at(-1)?.state ?? maskPersonal(snapshot.state, document === null ? [] : [document]);
    const state = isJsonObject(last) ? last : {};
    const isOver = state['status'] === 'ended';
    const isOwned = lease !== null && lease.expiresAt > clock.now();
    const node = typeof state['node'] === 'string' ? state['node'] : '';
    const step = {
      seq,
      state,
      node,
      flowHash: graphHash,
      effects: [],
      facts: [],
      signal: { type: 'flow:returned' as const, at: updatedAt },
    };
    const { id = '' } = (isJsonObject(state['flow'] ?? null) ? state['flow'] : {}) as { readonly id?: string }; // The kernel's.
    return sessionShown(
      { sessionId, steps: [step] },
      { title: id, live: isOver ? 'over' : isOwned ? 'elsewhere' : 'away', updatedAt },
    );
  };
  const list = async (): Promise<readonly SessionShown[]> => {
    const all = await store.listSessions(mostListed);
    const lines = await Promise.all(all.map((one) => lineOf(one, null)));
    return lines.filter((line) => line !== null);
  };

  let listReaders = 0;
  let cancelList = (): void => undefined;
  const listed = new Map<string, string>();
  const lookAtList = (): void => {
    cancelList = clock.schedule(lookEveryMs, () => {
      void (async () => {
        for (const summary of await store.listSessions(20)) {
          const mark = JSON.stringify([summary.seq, summary.lease?.token ?? null]);
          if (listed.get(summary.sessionId) === mark) continue;
          const line = await lineOf(summary, null);
          listed.set(summary.sessionId, mark);
          if (line !== null) listNews.put({ type: 'session', data: line });
        }
      })()
        .catch(() => undefined) // A store that cannot be reached is asked again.
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
      const snapshot = await upToDate(sessionId, isRevealed);
      const [summary] = await store.listSessions(1, { id: sessionId });
      if (snapshot === null || summary === undefined) return null;
      const { shown, talk, turns, events } = seenOf(sessionId, isRevealed);
      const session = await lineOf(summary, shown);
      if (session === null) return null;
      const flows: Record<string, FlowShown> = {};
      for (const hash of new Set(shown.map(({ flowHash }) => flowHash))) {
        const flow = await flowOf(hash);
        if (flow !== null) flows[hash] = flow;
      }
      return {
        ...{ session, folds: 'server', isMasked: !isRevealed, steps: shown, flows, events },
        ...{ lines: talk.lines, turns: turns.turns, swaps: [] },
      };
    },
    follow(sessionId, isRevealed) {
      if (sessionId === null) return followList();
      const one = seenOf(sessionId, isRevealed);
      one.readers += 1;
      const look = (): void => {
        one.cancel = clock.schedule(lookEveryMs, () => {
          void upToDate(sessionId, isRevealed)
            .catch(() => null) // A store that cannot be reached is asked again.
            .then(() => (one.readers > 0 ? look() : undefined));
        });
      };
      if (one.readers === 1) look();
      return () => {
        one.readers -= 1;
        if (one.readers === 0) one.cancel();
      };
    },
    against() {
      return Promise.reject(
        new FlowError(
          'not-allowed',
          'there is no file here that a session could be replayed on. Use roomflow replay --against.',
        ),
      );
    },
  };
}

/** Runs of task flows, schedules and campaigns are kept in the same store. */
function isConversation(state: Json): boolean {
  return taskRunState(state) === null && planStand(state) === null;
}

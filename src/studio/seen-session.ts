import { createMask } from '../durable/mask-personal.ts';
import type { Event } from '../events/event.ts';
import type { Json } from '../events/json.ts';
import type { Graph } from '../graph/graph.ts';
import type { SessionSummary, Store } from '../ports/store.ts';
import type { Clock } from '../ports/time.ts';
import { isConversation } from './is-conversation.ts';
import { createNews, type News } from './news.ts';
import type { StepShown, TalkLine } from './protocol/session-shown.ts';
import type { TurnShown } from './protocol/turn-shown.ts';
import { createSteps } from './steps.ts';
import { createTalk } from './talk.ts';
import { createTurns } from './turns.ts';

/** A session of a store as one kind of reader sees it, and its stream. */
export interface SeenSession {
  readonly news: News;
  /** What is told of its steps: the same, or masked. */
  readonly shown: readonly StepShown[];
  readonly events: readonly Event[];
  readonly lines: readonly TalkLine[];
  readonly turns: readonly TurnShown[];
  /** How many follow it. */
  readonly readers: number;
  /** Reads what is new and tells it; null where the store has no such conversation. */
  catchUp(): Promise<SessionSummary | null>;
  /** Catches up by itself until the function that is returned is called. */
  follow(): () => void;
}

export interface SeenSessionOptions {
  readonly sessionId: string;
  /** With what is personal. */
  readonly isRevealed: boolean;
  readonly store: Store;
  readonly clock: Clock;
  readonly graphOf: (hash: string) => Promise<Graph | null>;
  readonly documentOf: (hash: string) => Promise<Json | null>;
}

/** How often a store is looked at for what is new while a page is open, in milliseconds. */
export const lookEveryMs = 1_000;
/** News of one session that a page may have missed. */
const mostNews = 2_000;

/** Begins with nothing read. A look reads what came after the last one, and masks that alone unless more is personal by now. */
export function createSeenSession(options: SeenSessionOptions): SeenSession {
  const { sessionId, isRevealed, store, clock, graphOf, documentOf } = options;
  const news = createNews(mostNews);
  const steps = createSteps(sessionId, graphOf);
  const turns = createTurns();
  const mask = createMask();
  const kept: Event[] = [];
  const known = new Set<string>();
  let shown: StepShown[] = [];
  let events: Event[] = [];
  let talk = createTalk();
  let readers = 0;
  let cancel = (): void => undefined;
  let work: Promise<unknown> = Promise.resolve();

  /** Masks what is new; all of it where more is personal than at the last look. */
  const take = async (freshSteps: readonly StepShown[], freshEvents: readonly Event[]): Promise<void> => {
    if (isRevealed) {
      shown.push(...freshSteps);
      events.push(...freshEvents);
      return;
    }
    const hashes = [...new Set(freshSteps.map(({ flowHash }) => flowHash))];
    const flows = (await Promise.all(hashes.map(documentOf))).filter((one) => one !== null);
    const all = { steps: steps.shown, events: kept } as unknown as Json; // All of it is JSON.
    const isMorePersonal = mask.learn([...freshSteps, ...freshEvents] as unknown as Json, all, flows);
    const masked = <Item>(items: readonly Item[]): Item[] => mask.of(items as unknown as Json) as unknown as Item[]; // Its shape stays.
    if (!isMorePersonal) {
      shown.push(...masked(freshSteps));
      events.push(...masked(freshEvents));
      return;
    }
    shown = [...masked(steps.shown)];
    events = [...masked(kept)];
    talk = createTalk();
    for (const step of shown.slice(0, shown.length - freshSteps.length)) talk.step(step);
  };
  const look = async (): Promise<SessionSummary | null> => {
    const [summary] = await store.listSessions(1, { id: sessionId });
    // Owned, and nothing of it is kept yet.
    if (summary === undefined || summary.graphHash === '') return null;
    const last = steps.shown.at(-1)?.seq ?? 0;
    // The trace of a turn is kept by a commit after its last step, which may hold no step of its own.
    const lastTurn = turns.turns.at(-1);
    const isTraceDue = lastTurn === undefined || (lastTurn.trace === null && lastTurn.kept === null);
    // A look that failed half way has read more than it told.
    const isAllTold = shown.length === steps.shown.length && events.length === kept.length;
    const isOlder = summary.seq <= last;
    if (isOlder && !isTraceDue && isAllTold) return summary;
    const snapshot = isOlder ? null : await store.loadSnapshot(sessionId);
    if (snapshot !== null && !isConversation(snapshot.state)) return null;
    if (snapshot !== null) await steps.take(await store.readLog(sessionId, last + 1), snapshot.state);
    for (const event of await store.readEvents(sessionId, last)) {
      if (known.has(event.id)) continue;
      known.add(event.id);
      kept.push(event);
    }
    const freshSteps = steps.shown.slice(shown.length);
    const freshEvents = kept.slice(events.length);
    await take(freshSteps, freshEvents);
    for (const step of shown.slice(shown.length - freshSteps.length)) {
      news.put({ type: 'step', data: { ...step, sessionId } });
      for (const line of talk.step(step)) news.put({ type: 'line', data: { ...line, sessionId } });
    }
    for (const event of events.slice(events.length - freshEvents.length)) {
      turns.told(event);
      news.put({ type: 'told', data: { sessionId, event } });
    }
    for (const turn of turns.changed()) news.put({ type: 'turn', data: { ...turn, sessionId } });
    return summary;
  };
  /** One look after the other: two would tell the same twice. */
  const catchUp = (): Promise<SessionSummary | null> => {
    const done = work.then(look);
    work = done.catch(() => null);
    return done;
  };
  const lookAgain = (): void => {
    cancel = clock.schedule(lookEveryMs, () => {
      void catchUp()
        .catch(() => null) // A store that cannot be reached is asked again.
        .then(() => (readers > 0 ? lookAgain() : undefined));
    });
  };
  return {
    news,
    get shown() {
      return shown;
    },
    get events() {
      return events;
    },
    get lines() {
      return talk.lines;
    },
    get turns() {
      return turns.turns;
    },
    get readers() {
      return readers;
    },
    catchUp,
    follow() {
      readers += 1;
      if (readers === 1) lookAgain();
      return () => {
        readers -= 1;
        if (readers === 0) cancel();
      };
    },
  };
}

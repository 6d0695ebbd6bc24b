import { builtInLinesOf } from '../../runner/conversation/built-in-lines.ts';
import { createMask } from '../../store/mask-personal.ts';
import type { Event } from '../../model/events/event.ts';
import type { Json } from '../../model/json.ts';
import type { Graph } from '../../flow/graph/graph.ts';
import type { SessionSummary, Store } from '../../model/ports/store.ts';
import type { Clock } from '../../model/ports/time.ts';
import { isConversation } from './is-conversation.ts';
import { createEventStream, type EventStream } from '../event-stream.ts';
import type { StepShown, TalkLine } from '../protocol/session-shown.ts';
import type { TurnShown } from '../protocol/turn-shown.ts';
import { createSteps } from './steps.ts';
import { createTalk } from '../talk.ts';
import { createTurns } from './turns.ts';

/** A stored session as seen by one kind of reader, with its event stream. */
export interface SeenSession {
  readonly news: EventStream;
  /** The shown steps, masked unless revealed. */
  readonly shown: readonly StepShown[];
  readonly events: readonly Event[];
  readonly lines: readonly TalkLine[];
  readonly turns: readonly TurnShown[];
  /** The number of followers. */
  readonly readers: number;
  /** Reads and publishes new data; null if the store has no such conversation. */
  catchUp(): Promise<SessionSummary | null>;
  /** Polls until the returned function is called. */
  follow(): () => void;
}

export interface SeenSessionOptions {
  readonly sessionId: string;
  /** Whether personal values are included. */
  readonly isRevealed: boolean;
  readonly store: Store;
  readonly clock: Clock;
  readonly graphOf: (hash: string) => Promise<Graph | null>;
  readonly documentOf: (hash: string) => Promise<Json | null>;
}

/** Polling interval of the store while a page is open, in milliseconds. */
export const lookEveryMs = 1_000;
/** Number of events stored for pages of one session. */
const mostNews = 2_000;

/** Creates the view without data. Each read loads and masks only what is new, unless more values became personal. */
export function createSeenSession(options: SeenSessionOptions): SeenSession {
  const { sessionId, isRevealed, store, clock, graphOf, documentOf } = options;
  const news = createEventStream(mostNews);
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

  /** Masks new data; masks everything again if more values are personal than before. */
  const take = async (freshSteps: readonly StepShown[], freshEvents: readonly Event[]): Promise<void> => {
    if (isRevealed) {
      shown.push(...freshSteps);
      events.push(...freshEvents);
      return;
    }
    const hashes = [...new Set(freshSteps.map(({ flowHash }) => flowHash))];
    const documents = await Promise.all(hashes.map(documentOf));
    const flows = documents.flatMap((one) => (one === null ? [] : [one, builtInLinesOf(one)]));
    const all = { steps: steps.shown, events: kept } as unknown as Json; // All of it is JSON.
    const isMorePersonal = mask.learn([...freshSteps, ...freshEvents] as unknown as Json, all, flows);
    const masked = <Item>(items: readonly Item[]): Item[] => mask.of(items as unknown as Json) as unknown as Item[]; // The mask keeps the shape.
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
    const [summary] = await store.sessions.list({ limit: 1, id: sessionId });
    // The session is owned, but has no data yet.
    if (summary === undefined || summary.graphHash === '') return null;
    const last = steps.shown.at(-1)?.seq ?? 0;
    // The trace of a turn is stored by a later commit, which may contain no step.
    const lastTurn = turns.turns.at(-1);
    const isTraceDue = lastTurn === undefined || (lastTurn.trace === null && lastTurn.kept === null);
    // A failed read may have loaded more than it published.
    const isAllTold = shown.length === steps.shown.length && events.length === kept.length;
    const isOlder = summary.seq <= last;
    if (isOlder && !isTraceDue && isAllTold) return summary;
    const snapshot = isOlder ? null : await store.sessions.get(sessionId);
    if (snapshot !== null && !isConversation(snapshot.state)) return null;
    if (snapshot !== null) await steps.take(await store.steps.list(sessionId, last + 1), snapshot.state);
    for (const event of await store.steps.listEvents(sessionId, last)) {
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
  /** Serialized, because parallel reads would publish twice. */
  const catchUp = (): Promise<SessionSummary | null> => {
    const done = work.then(look);
    work = done.catch(() => null);
    return done;
  };
  const lookAgain = (): void => {
    cancel = clock.schedule(lookEveryMs, () => {
      void catchUp()
        .catch(() => null) // If the store cannot be reached, it is read again.
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

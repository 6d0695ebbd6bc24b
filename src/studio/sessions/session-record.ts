import type { Event } from '../../model/events/event.ts';
import { isJsonObject, type Json } from '../../model/json.ts';
import type { Graph } from '../../flow/graph/graph.ts';
import { waitingIn } from '../../kernel/state/draft.ts';
import type { SessionState } from '../../kernel/state/state.ts';
import type { Waiting } from '../../model/effect.ts';
import type { LoggedSignal } from '../../model/ports/store.ts';
import type { Clock } from '../../model/ports/time.ts';
import type { EventStream } from '../event-stream.ts';
import type { PageTiming, RequestMark, TurnShown } from '../protocol/turn-shown.ts';
import type { SessionShown, StepShown, SwapOutcome, TalkLine, WaitShown } from '../protocol/session-shown.ts';
import { createSteps } from './steps.ts';
import { createTalk } from '../talk.ts';
import { createTurns } from './turns.ts';

/** The data of one session, published to pages as it grows. */
export interface SessionRecord {
  readonly sessionId: string;
  readonly steps: readonly StepShown[];
  readonly events: readonly Event[];
  readonly lines: readonly TalkLine[];
  readonly turns: readonly TurnShown[];
  readonly swaps: readonly SwapOutcome[];
  readonly positions: ReturnType<typeof createSteps>['positions'];
  /** Adds new signals of its log, in order. */
  grow(logged: readonly LoggedSignal[], state: Json | null): void;
  tell(event: Event): void;
  /** Adds a piece of the current speech. */
  hear(text: string): void;
  /** A model request was sent or got more of its answer. */
  asked(request: RequestMark): void;
  heardInPage(timing: PageTiming): void;
  swap(outcome: SwapOutcome): void;
  /** Resolves when all data is published. */
  settled(): Promise<void>;
}

export interface RecordOptions {
  readonly sessionId: string;
  readonly news: EventStream;
  readonly clock: Clock;
  readonly graphOf: (hash: string) => Promise<Graph | null>;
  /** Called when the log has grown and pages know it. */
  readonly onGrown: () => void;
}

/** Changes of turns within this time are published together, in milliseconds. */
const tellTurnsAfterMs = 30;
/** Maximum number of stored events per session. */
const mostEvents = 5_000;

/** Creates the record of an empty session. */
export function createSessionRecord({ sessionId, news, clock, graphOf, onGrown }: RecordOptions): SessionRecord {
  const steps = createSteps(sessionId, graphOf);
  const talk = createTalk();
  const turns = createTurns();
  const events: Event[] = [];
  const swaps: SwapOutcome[] = [];
  let work: Promise<void> = Promise.resolve();
  let isTurnDue = false;
  const tellTurns = (): void => {
    if (isTurnDue) return;
    isTurnDue = true;
    clock.schedule(tellTurnsAfterMs, () => {
      isTurnDue = false;
      for (const turn of turns.changed()) news.put({ type: 'turn', data: { ...turn, sessionId } });
    });
  };
  const tellLines = (lines: readonly TalkLine[]): void => {
    for (const line of lines) news.put({ type: 'line', data: { ...line, sessionId } });
  };
  /** Serialized, because a flow may have to be read before its step is published. */
  const later = (job: () => void | Promise<void>): void => {
    work = work.then(job).catch(() => undefined); // A failure does not stop later work.
  };
  return {
    sessionId,
    get steps() {
      return steps.shown;
    },
    events,
    get lines() {
      return talk.lines;
    },
    get turns() {
      return turns.turns;
    },
    swaps,
    positions: steps.positions,
    grow(logged, state) {
      later(async () => {
        for (const step of await steps.take(logged, state)) {
          news.put({ type: 'step', data: { ...step, sessionId } });
          tellLines(talk.step(step));
        }
        onGrown();
      });
    },
    tell(event) {
      events.push(event);
      if (events.length > mostEvents) events.shift();
      later(() => {
        turns.told(event);
        news.put({ type: 'told', data: { sessionId, event } });
        tellTurns();
      });
    },
    hear(text) {
      later(() => tellLines(talk.piece(text, clock.now())));
    },
    asked(request) {
      later(() => {
        turns.asked(request);
        tellTurns();
      });
    },
    heardInPage(timing) {
      later(() => {
        turns.heardInPage(timing);
        tellTurns();
      });
    },
    swap(outcome) {
      swaps.push(outcome);
      later(() => news.put({ type: 'swap', data: { ...outcome, sessionId } }));
    },
    settled: () => work,
  };
}

/** Returns the open waits of a state for people outside the call. */
function waitsIn(state: SessionState | null): readonly WaitShown[] {
  return state === null ? [] : waitingIn(state).filter(isOpen).map(waitShown);
}

function isOpen({ state }: Waiting): boolean {
  return state === 'intended' || state === 'started';
}

function waitShown({ key, payload, deadline }: Waiting): WaitShown {
  const { wait, to, question, facts, factsHash, options, schema } = payload;
  const properties = schema['properties'];
  const takesWords = properties !== undefined && isJsonObject(properties) && Object.hasOwn(properties, 'text');
  return { key, wait, to, question, facts, factsHash, options, takesWords, schema, deadline: deadline ?? null };
}

/** Returns the list entry of a session from its last step. */
export function sessionShown(
  { sessionId, steps }: Pick<SessionRecord, 'sessionId' | 'steps'>,
  more: Pick<SessionShown, 'title' | 'live'> & Partial<Pick<SessionShown, 'flow' | 'from' | 'updatedAt'>>,
): SessionShown {
  const last = steps.at(-1);
  const state = (last?.state ?? null) as unknown as SessionState | null; // Steps hold states of the kernel.
  return {
    sessionId,
    flow: state?.position.flow.id ?? '',
    flowHash: last?.flowHash ?? '',
    node: last?.node ?? '',
    status: state?.status ?? 'new',
    seq: last?.seq ?? 0,
    updatedAt: last?.signal.at ?? 0,
    waits: waitsIn(state),
    ...more,
  };
}

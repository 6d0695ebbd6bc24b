import type { Event } from '../../model/events/event.ts';
import { isTurnTrace, type TurnTrace } from '../../model/events/turn-trace.ts';
import type { PageTiming, RequestMark, TurnShown } from '../protocol/turn-shown.ts';

/** The turns of one session, each with its trace. */
export interface Turns {
  readonly turns: readonly TurnShown[];
  told(event: Event): void;
  /** A model request was sent or got more of its answer. */
  asked(request: RequestMark): void;
  /** The page measured the end of the caller's speech or the agent's first sound. */
  heardInPage(timing: PageTiming): void;
  /** Returns the turns that changed since the last call. */
  changed(): readonly TurnShown[];
}

/** Span times are whole milliseconds, so a request may seem to start this much too early or too late. */
const roundingMs = 1;

/** Creates an empty list of turns. */
export function createTurns(): Turns {
  const turns: TurnShown[] = [];
  const dirty = new Set<string>();
  /** Requests without a trace, in order. */
  const open: RequestMark[] = [];
  const put = (turn: TurnShown): void => {
    const at = turns.findIndex(({ turnId }) => turnId === turn.turnId);
    if (at < 0) turns.push(turn);
    else turns[at] = turn;
    dirty.add(turn.turnId);
  };
  const begin = (turnId: string, from: number, node: string): TurnShown => ({
    ...{ turnId, index: turns.length + 1, from, node, trace: null, kept: null, requests: [], inPage: [] },
  });
  /** Returns the running turn, or a new one before its event arrives. */
  const underWay = (at: number): TurnShown => {
    const last = turns.at(-1);
    return last !== undefined && !isOver(last) ? last : begin(`turn ${turns.length + 1}`, at, last?.node ?? '');
  };
  const complete = ({ nodeId = '', data }: Extract<Event, { type: 'turn:completed' }>, time: number): void => {
    if (!isTurnTrace(data)) {
      // An older release stored only counts.
      const { inferences, transitions } = data as Pick<TurnTrace, 'inferences' | 'transitions'>;
      return put({ ...underWay(time), node: nodeId, kept: { inferences, transitions } });
    }
    put({ ...underWay(data.startedAt), from: data.startedAt, node: nodeId, trace: data, requests: taken(data) });
  };
  /** Returns the request of each model span, in the order of the spans. */
  const taken = (trace: TurnTrace): TurnShown['requests'] =>
    trace.spans.flatMap((span, index) => {
      if (span.name !== 'chat') return [];
      // A span starts before its request and ends when its answer is no longer read.
      const from = trace.startedAt + span.at - roundingMs;
      const to = span.ms === null ? Number.POSITIVE_INFINITY : from + span.ms + 2 * roundingMs;
      const found = open.findIndex(({ at }) => at >= from && at <= to);
      const [request] = found < 0 ? [] : open.splice(found, 1);
      return request === undefined ? [] : [{ id: request.id, span: index }];
    });
  return {
    turns,
    told(event) {
      if (event.type === 'turn:started') put({ ...underWay(event.time), node: event.nodeId ?? '' });
      if (event.type === 'turn:completed') complete(event, event.time);
    },
    asked({ id, at }) {
      const known = turns.some(({ requests }) => requests.some((one) => one.id === id));
      if (known || open.some((one) => one.id === id)) return;
      open.push({ id, at });
      const turn = underWay(at);
      put({ ...turn, requests: [...turn.requests, { id, span: null }] });
    },
    heardInPage(timing) {
      // The first sound of an answer may come after the end of its turn.
      const last = turns.at(-1) ?? underWay(timing.at);
      put({ ...last, inPage: [...last.inPage, timing] });
    },
    changed() {
      const all = turns.filter(({ turnId }) => dirty.has(turnId));
      dirty.clear();
      return all;
    },
  };
}

function isOver({ trace, kept }: TurnShown): boolean {
  return trace !== null || kept !== null;
}

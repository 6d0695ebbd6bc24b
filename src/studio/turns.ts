import type { Event } from '../events/event.ts';
import { isTurnTrace, type TurnTrace } from '../events/turn-trace.ts';
import type { PageTiming, RequestMark, TurnShown } from './protocol/turn-shown.ts';

/** The turns of one session, each with the trace that production has of it as well. */
export interface Turns {
  readonly turns: readonly TurnShown[];
  told(event: Event): void;
  /** A model is asked, or has answered more. */
  asked(request: RequestMark): void;
  /** The page has heard the caller fall silent, or the agent begin. */
  heardInPage(timing: PageTiming): void;
  /** The turns that have changed since they were last asked for. */
  changed(): readonly TurnShown[];
}

/** Times of spans are whole milliseconds: by so much a request may seem to lie outside of its own. */
const roundingMs = 1;

/** Begins with no turn. */
export function createTurns(): Turns {
  const turns: TurnShown[] = [];
  const dirty = new Set<string>();
  /** Requests that no trace has told of yet, in the order in which they were made. */
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
  /** The one under way, or what is known of it before it is told. */
  const underWay = (at: number): TurnShown => {
    const last = turns.at(-1);
    return last !== undefined && !isOver(last) ? last : begin(`turn ${turns.length + 1}`, at, last?.node ?? '');
  };
  const complete = ({ nodeId = '', data }: Extract<Event, { type: 'turn:completed' }>, time: number): void => {
    if (!isTurnTrace(data)) {
      // An older release has kept counts alone.
      const { inferences, transitions } = data as Pick<TurnTrace, 'inferences' | 'transitions'>;
      return put({ ...underWay(time), node: nodeId, kept: { inferences, transitions } });
    }
    put({ ...underWay(data.startedAt), from: data.startedAt, node: nodeId, trace: data, requests: taken(data) });
  };
  /** The request behind each span of a model, in the order of the spans. */
  const taken = (trace: TurnTrace): TurnShown['requests'] =>
    trace.spans.flatMap((span, index) => {
      if (span.name !== 'chat') return [];
      // A span begins before its request is made, and ends once nobody reads the answer.
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
      // The first sound of an answer may come once its turn is told.
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

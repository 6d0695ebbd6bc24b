import type { Event } from '../events/event.ts';
import type { SpanShown, StepShown, TurnShown } from './protocol.ts';

/** A stretch of time that somebody else has measured. */
export type Measured = Omit<SpanShown, 'isFailed'> & {
  readonly isFailed?: boolean;
  readonly tokens?: TurnShown['tokens'];
};

/** The turns of one session as waterfalls. */
export interface Turns {
  readonly turns: readonly TurnShown[];
  told(event: Event): void;
  step(step: StepShown): void;
  /** A span of the same id is replaced. */
  span(span: Measured): void;
  /** The turns that have changed since they were last asked for. */
  changed(): readonly TurnShown[];
}

interface OpenTurn extends Omit<TurnShown, 'spans' | 'to' | 'inferences' | 'transitions' | 'tokens'> {
  to: number | null;
  inferences: number;
  transitions: number;
  tokens: TurnShown['tokens'];
  readonly spans: Map<string, SpanShown>;
}

/** More spans of one turn are not shown. */
const mostSpans = 500;

/** Begins with no turn. */
export function createTurns(): Turns {
  const turns: OpenTurn[] = [];
  const byId = new Map<string, OpenTurn>();
  const dirty = new Set<OpenTurn>();
  /** Where a span of this id belongs. */
  const homes = new Map<string, OpenTurn>();
  const turnOf = (turnId: string, at: number, node: string): OpenTurn => {
    const known = byId.get(turnId);
    if (known !== undefined) return known;
    const turn: OpenTurn = {
      ...{ turnId, index: turns.length + 1, from: at, to: null, node, spans: new Map() },
      ...{ inferences: 0, transitions: 0, tokens: null, cost: null },
    };
    turns.push(turn);
    byId.set(turnId, turn);
    return turn;
  };
  const put = (turn: OpenTurn, { tokens, isFailed = false, ...span }: Measured): void => {
    if (turn.spans.size >= mostSpans && !turn.spans.has(span.id)) return;
    turn.spans.set(span.id, { ...span, isFailed });
    homes.set(span.id, turn);
    if (tokens != null) {
      const { input, output, cached } = turn.tokens ?? { input: 0, output: 0, cached: 0 };
      turn.tokens = { input: input + tokens.input, output: output + tokens.output, cached: cached + tokens.cached };
    }
    dirty.add(turn);
  };
  const last = (at: number): OpenTurn => turns.at(-1) ?? turnOf('begin', at, '');
  return {
    get turns() {
      return turns.map(shown);
    },
    told(event) {
      const { type, data, time, requestId, seq } = event;
      // A turn's own events carry its id; the last of a turn come once its reply was heard.
      const turn = byId.get(requestId) ?? turnOf(requestId, time, event.nodeId ?? '');
      dirty.add(turn);
      if (type === 'turn:completed') {
        turn.to = time;
        turn.inferences = data.inferences;
        turn.transitions = data.transitions;
        put(turn, { id: `turn ${turn.turnId}`, name: 'flow.turn', label: 'turn', from: turn.from, to: time });
      }
      if (type === 'turn:started')
        put(turn, { id: `event ${seq}`, name: 'flow.turn.taken', label: data.via, from: time, to: time });
      if (type === 'tool:settled')
        put(turn, {
          ...{ id: `tool ${data.key}`, name: 'flow.tool', label: data.function, to: time },
          from: Math.max(
            turn.from,
            ...[...turn.spans.values()].flatMap(({ name, to }) =>
              name === 'gen_ai.request' && to !== null ? [to] : [],
            ),
          ),
          isFailed: data.state === 'failed',
        });
      if (type === 'tool:failed')
        put(turn, {
          id: `event ${seq}`,
          name: 'flow.tool.failed',
          label: `${data.function}: ${data.reason}`,
          from: time,
          to: time,
          isFailed: true,
        });
      if (type === 'response:failed')
        put(turn, {
          id: `event ${seq}`,
          name: `flow.failed`,
          label: `${data.stage}: ${data.reason}`,
          from: time,
          to: time,
          isFailed: true,
        });
    },
    step({ seq, signal }) {
      const { at, type } = signal;
      const name = type === 'speech:settled' ? 'speech.heard' : 'flow.step';
      put(last(at), { id: `step ${seq}`, name, label: type, from: at, to: at });
    },
    span(span) {
      put(homes.get(span.id) ?? last(span.from), span);
    },
    changed() {
      const all = [...dirty].map(shown);
      dirty.clear();
      return all;
    },
  };
}

function shown({ spans, ...turn }: OpenTurn): TurnShown {
  return { ...turn, spans: [...spans.values()].toSorted((one, other) => one.from - other.from) };
}

import type { Correlation } from '../../model/events/envelope.ts';
import type { JsonObject } from '../../model/json.ts';
import type { Signal } from '../../model/signals/signal.ts';
import type {
  HookSpan,
  RequestSpan,
  TaskSpan,
  TokenCount,
  ToolSpan,
  TurnMoments,
  TurnOutcome,
  TurnSpan,
  TurnTrace,
} from '../../model/events/turn-trace.ts';
import type { Hub } from '../../model/ports/hub.ts';
import type { Clock } from '../../model/ports/time.ts';
import type { SpanContent, ToldTurn, TurnSink } from './turn-sink.ts';
import type { SessionStep } from './session-step.ts';
import { belongsTo, createSharedIds } from './shared-ids.ts';
import { costOf, type TokenPrices } from '../token-prices.ts';

/** A span without its times; the tracer adds them. */
export type SpanFacts = { [Name in NamedSpan['name']]: FactsOf<Extract<NamedSpan, { name: Name }>> }[NamedSpan['name']];
type NamedSpan = RequestSpan | ToolSpan | TaskSpan | HookSpan;
type FactsOf<Span> = Omit<Span, 'at' | 'ms'>;

/** A span that has begun. */
export interface OpenSpan {
  /** Ends the span with its final facts. Further calls do nothing. `gave`: its output, for sinks that take content. */
  end(more?: Partial<SpanFacts>, gave?: unknown): void;
}

/**
 * Measures a turn and publishes its trace once, when the turn is complete. Later activity without new
 * words, such as a decision or a silence, is published as another trace of the same turn number.
 */
export interface TurnTracer {
  /** Records one step of the session. */
  follow(step: SessionStep): void;
  /** Publishes the turn that the last step ended, if that step began another turn. */
  tell(): void;
  /** Records a request for a reply. */
  inferred(): void;
  /** Records that a transaction goes to the store. Call the result with true when it is stored. */
  commit(): (isKept: boolean) => void;
  /**
   * Begins a span of the current turn. `coming`: the span belongs to the next turn, which is still
   * undecided. `given`: its input, for sinks that take content.
   */
  begin(facts: SpanFacts, more?: { readonly coming?: boolean; readonly given?: JsonObject }): OpenSpan;
  /** Records a moment of the current turn, now or at `at`; the first time counts. */
  reach(moment: 'requested' | 'firstToken' | 'firstWords' | 'firstAudio', at?: number): void;
  /** Records a moment of the coming turn; the last time counts. Null removes it. */
  await(moment: 'speechEnded' | 'transcript' | 'arrived', at: number | null): void;
  /** Corrects when the current turn was spoken, if that is reported later. */
  correct(times: Partial<Record<'speechEnded' | 'transcript', number>>): void;
  /** Adds the tokens of the last request, if they are reported apart from its stream. */
  count(tokens: TokenCount): void;
  /** Records text that the caller heard. */
  heard(text: string): void;
  /** Records that a speech was cut off. */
  cutOff(): void;
  /** Records a decision to suppress the turn's output. */
  suppressed(): void;
  /** Records a failure of a model, a voice or the store. */
  failed(): void;
  /** Publishes the current turn. Further calls do nothing. */
  complete(): void;
}

export interface TurnTracerOptions {
  readonly hub: Hub;
  readonly clock: Clock;
  readonly prices?: TokenPrices;
  readonly turnSink?: TurnSink;
}

const mostSpans = 200;
const mostNodes = 50;

export function createTurnTracer({ hub, clock, prices = {}, turnSink: sink }: TurnTracerOptions): TurnTracer {
  let turn: NotedTurn | null = null;
  let coming = newComing();
  /** Ids of the last step, for activity after its turn was published. */
  let about: Partial<Correlation> | null = null;
  const shared = createSharedIds();
  let standsIn = '';
  let over: ToldTurn | null = null;
  const takesContent = sink?.takesContent === true;

  /** Returns the current turn, or begins one for activity outside a turn. */
  const current = (): NotedTurn => (turn ??= new NotedTurn('event', clock.now(), standsIn));

  /** Ends the current turn. It is published afterwards. */
  const end = (): void => {
    if (turn?.isWorthTelling === true && about !== null) over = turn.told(clock.now(), prices, about, takesContent);
    turn = null;
  };
  const tell = (): void => {
    const told = over;
    over = null;
    if (told === null) return;
    hub.emit('turn:completed', told.trace, told.about);
    sink?.turn(told);
  };

  return {
    follow({ signal, began, before, state, facts, requestId }) {
      const { sessionId } = state;
      const { flow, node: lastNode } = state.position;
      const { number } = state.turn;
      const moves = facts.filter((fact) => fact.type === 'transition:taken');
      // A new session had no node before.
      const node = before.position.node === '' ? (moves[0]?.data.from ?? lastNode) : before.position.node;
      if (number !== before.turn.number) {
        end();
        turn = new NotedTurn(viaOf(signal), began, node);
        turn.isNumbered = true;
        turn.take(coming, began);
        coming = newComing();
        if (takesContent && signal.type === 'user:turn') turn.said = signal.text;
      } else if (turn?.isWorthTelling !== true && beginners.has(signal.type))
        turn = new NotedTurn(viaOf(signal), began, node);
      standsIn = lastNode;
      if (turn === null && moves.length === 0) return;
      const turnId = shared.turnId(sessionId, number);
      about = { sessionId, requestId, flowId: flow.id, nodeId: lastNode, turnId, ...belongsTo(state) };
      const now = current();
      for (const { data } of moves) now.move(data.to);
      now.add({
        name: 'flow.step',
        began,
        ended: clock.now(),
        facts: { signal: signal.type, node, ...(node === lastNode ? {} : { to: lastNode }) },
      });
    },
    tell,
    inferred: () => void (current().inferences += 1),
    commit() {
      const of = turn;
      const span: NotedSpan = { name: 'flow.commit', began: clock.now(), ended: null, facts: {} };
      of?.add(span);
      return (isKept) => {
        span.ended = clock.now();
        if (isKept) of?.reach('committed', span.ended);
        else {
          span.facts = { failed: true };
          if (of !== null) of.hasFailed = true;
        }
      };
    },
    begin({ name, ...facts }, { coming: isComing = false, given } = {}) {
      const span: NotedSpan = { name, began: clock.now(), ended: null, facts, place: sink?.here() };
      if (takesContent && given !== undefined) span.content = { given };
      // A hook that only decides about a reply does not begin a turn.
      const of = name === 'flow.hook' ? turn : isComing ? null : current();
      if (isComing) coming.spans.push(span);
      else of?.add(span);
      return {
        end(more, gave) {
          if (span.ended !== null) return;
          span.ended = clock.now();
          if (takesContent && gave !== undefined) span.content = { ...span.content, gave };
          if (more !== undefined) span.facts = { ...span.facts, ...more };
        },
      };
    },
    reach(moment, at = clock.now()) {
      turn?.reach(moment, at);
    },
    await(moment, at) {
      coming.times[moment] = at ?? undefined;
    },
    correct(times) {
      if (turn !== null) Object.assign(turn.times, times);
    },
    count(tokens) {
      turn?.count(tokens);
    },
    heard(text) {
      const now = current();
      now.isHeard = true;
      if (takesContent) now.heard.push(text);
      now.times.heard = clock.now();
    },
    cutOff() {
      // A speech without any output yet is not counted as interrupted.
      if (turn?.times.firstWords !== undefined) turn.interruptions += 1;
    },
    suppressed() {
      if (turn !== null) turn.isSuppressed = true;
    },
    failed() {
      if (turn !== null) turn.hasFailed = true;
    },
    complete() {
      end();
      tell();
    },
  };
}

interface NotedSpan {
  readonly name: TurnSpan['name'];
  readonly began: number;
  ended: number | null;
  facts: object;
  readonly place?: unknown;
  content?: SpanContent;
}

type Times = Partial<Record<keyof TurnMoments, number>>;

/** Data of a turn that the flow has not taken yet. */
interface Coming {
  readonly times: { -readonly [Moment in 'speechEnded' | 'transcript' | 'arrived']?: number | undefined };
  readonly spans: NotedSpan[];
}

function newComing(): Coming {
  return { times: {}, spans: [] };
}

/** The current turn. Times are epoch milliseconds. */
class NotedTurn {
  readonly times: Times = {};
  inferences = 0;
  interruptions = 0;
  /** Recorded only for a sink that takes content. */
  said = '';
  readonly heard: string[] = [];
  isHeard = false;
  isSuppressed = false;
  hasFailed = false;
  /** The session counts it as a turn, so it is always published. */
  isNumbered = false;
  #transitions = 0;
  #startedAt: number;
  readonly #via: TurnTrace['via'];
  readonly #nodes: string[];
  #spans: NotedSpan[] = [];

  constructor(via: TurnTrace['via'], startedAt: number, node: string) {
    this.#via = via;
    this.#startedAt = startedAt;
    this.#nodes = node === '' ? [] : [node];
  }

  /** Adds what was recorded before the turn was taken. */
  take({ times: { arrived, ...times }, spans }: Coming, at: number): void {
    for (const [moment, time] of Object.entries(times))
      if (time !== undefined) this.times[moment as keyof typeof times] = time;
    this.times.taken = at;
    this.#spans = spans;
    if (arrived !== undefined) this.#startedAt = Math.min(this.#startedAt, arrived);
  }

  add(span: NotedSpan): void {
    if (this.#spans.length < mostSpans) this.#spans.push(span);
  }

  count(tokens: TokenCount): void {
    const request = this.#spans.findLast(({ name }) => name === 'chat');
    if (request !== undefined && !('tokens' in request.facts)) request.facts = { ...request.facts, tokens };
  }

  move(to: string): void {
    this.#transitions += 1;
    if (this.#nodes.length < mostNodes) this.#nodes.push(to);
  }

  reach(moment: keyof TurnMoments, at: number): void {
    this.times[moment] ??= at;
  }

  get isWorthTelling(): boolean {
    return this.isNumbered || this.isHeard || this.inferences > 0 || this.#transitions > 0 || this.hasFailed;
  }

  /** `now`: the end of spans that are still open. */
  told(now: number, prices: TokenPrices, about: Partial<Correlation>, takesContent: boolean): ToldTurn {
    const startedAt = Math.min(this.#startedAt, this.times.speechEnded ?? Infinity);
    const notes = this.#notes();
    const spans: TurnSpan[] = [];
    const counts: { readonly model: string; readonly tokens: TokenCount }[] = [];
    let over = startedAt;
    for (const { ended } of this.#spans) over = Math.max(over, ended ?? now);
    for (const { name, began, ended, facts } of notes) {
      const times = { at: small(began - startedAt), ms: ended === null ? null : small(ended - began) };
      const span = { name, ...times, ...facts } as TurnSpan; // Facts and name come from the same span.
      spans.push(span);
      if (span.name === 'chat' && span.tokens !== undefined) counts.push({ model: span.model, tokens: span.tokens });
    }
    const moments: Times = {};
    for (const [moment, at] of Object.entries(this.times)) {
      over = Math.max(over, at);
      moments[moment as keyof Times] = small(at - startedAt);
    }
    const trace: TurnTrace = {
      inferences: this.inferences,
      transitions: this.#transitions,
      startedAt,
      ms: small(over - startedAt),
      via: this.#via,
      outcome: this.#outcome,
      // Copied, because a grown array reserves room for sixteen more elements.
      nodes: [...this.#nodes],
      moments,
      spans,
      tokens: sumOf(counts),
      cost: costOf(counts, prices),
      interruptions: this.interruptions,
    };
    const content = takesContent
      ? { said: this.said, heard: this.heard.join(' '), spans: notes.map((note) => note.content) }
      : null;
    return { trace, about, places: notes.map(({ place }) => place), content };
  }

  /** Returns the spans with those of the caller's and the agent's speech. */
  #notes(): readonly NotedSpan[] {
    const { taken, speechEnded, firstAudio, firstWords, heard } = this.times;
    const notes = [...this.#spans];
    if (speechEnded !== undefined && taken !== undefined)
      notes.unshift({ name: 'flow.listen', began: speechEnded, ended: Math.max(taken, speechEnded), facts: {} });
    const spoke = firstAudio ?? firstWords;
    if (spoke === undefined) return notes;
    const facts = this.interruptions > 0 ? { interrupted: true } : {};
    const ended = heard === undefined ? null : Math.max(heard, spoke);
    notes.push({ name: 'flow.speak', began: spoke, ended, facts });
    return notes;
  }

  get #outcome(): TurnOutcome {
    if (this.hasFailed) return 'failed';
    if (this.interruptions > 0) return 'interrupted';
    if (this.isHeard) return 'answered';
    return this.isSuppressed ? 'suppressed' : 'silent';
  }
}

/**
 * Returns the same duration as a small integer. V8 stores a difference of epoch times as a heap object, and a hub keeps about twenty per turn.
 */
function small(ms: number): number {
  const whole = ms | 0;
  return whole === ms ? whole : ms;
}

/** Signals that begin a turn after the previous one is over. */
const beginners: ReadonlySet<Signal['type']> = new Set([
  'session:resumed',
  'wait:resolved',
  'wait:expired',
  'takeover:ended',
  'silence:elapsed',
  'node:requested',
  'limit:reached',
  'flow:swapped',
]);

function viaOf(signal: Signal): TurnTrace['via'] {
  switch (signal.type) {
    case 'user:turn':
      return signal.via;
    case 'session:started':
      return 'start';
    case 'session:resumed':
      return 'resume';
    default:
      return 'event';
  }
}

function sumOf(counts: readonly { readonly tokens: TokenCount }[]): TokenCount {
  const total = { input: 0, output: 0, cached: 0 };
  for (const {
    tokens: { input, output, cached },
  } of counts) {
    total.input += input;
    total.output += output;
    total.cached += cached;
  }
  return total;
}

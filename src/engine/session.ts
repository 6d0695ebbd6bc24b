import type { AnswerVerdict } from '../model/callee.ts';
import { type Effect, effectKinds } from '../model/effect.ts';
import type { FlowFact } from '../model/events/event.ts';
import type { InboxEntry } from '../model/inbox.ts';
import type { Signal } from '../model/signals/signal.ts';
import { isClassicFlow } from '../flow/document/classic.ts';
import type { Graph } from '../flow/graph/graph.ts';
import { isWaiting } from '../kernel/state/draft.ts';
import type { SessionState } from '../kernel/state/state.ts';
import { type View, viewOf } from '../kernel/state/view.ts';
import { step } from '../kernel/step.ts';
import type { PublishedEvent } from '../model/ports/hub.ts';
import type { Lease } from '../model/ports/store.ts';
import { type Commits, createCommits } from './commit/commits.ts';
import { createOutbox, isVoid, type Outbox } from './commit/outbox.ts';
import type { SessionStep } from './commit/session-step.ts';
import { isTransaction, settledEffects } from './commit/transactions.ts';
import { createTurnTracer, type TurnTracer } from './commit/turn-tracer.ts';
import type { EngineOptions } from './engine-options.ts';
import { defaultLimits, type Limits } from './limits.ts';
import type { Completion } from './reply/completion.ts';
import { afterCallEntries, outcomeIn, type StepEntries } from './session/after-call.ts';
import { callAgainEntries } from './session/call-again.ts';
import { createPromisedCalls } from './session/call-entry.ts';
import type { KeptSession } from './session/kept-session.ts';
import { readSignal, withSpoken } from './words/read-signal.ts';

/** A signal to fold into a session. */
export interface SignalToFold {
  readonly signal: Signal;
  /** Keys of inputs that the step consumes. */
  readonly inputKeys?: readonly string[];
  /** The step is part of the next signal's transaction. */
  readonly joins?: boolean;
  /** Effects unknown to the kernel that are stored with the step. */
  readonly others?: readonly Effect[];
  /** The call to make if the caller is cut off before they hear the result. */
  readonly call?: InboxEntry | null;
}

function withEntries(...all: readonly Partial<StepEntries>[]): Partial<StepEntries> {
  const posts = all.flatMap((one) => one.posts ?? []);
  const withdraws = all.flatMap((one) => one.withdraws ?? []);
  return posts.length + withdraws.length === 0 ? {} : { posts, withdraws };
}

/** How long a cached view may keep showing the model the same date and time, in milliseconds. */
const viewAgesMs = 60_000;

/** The state of one session and the only place that changes it: each signal is folded, committed and published as one step. */
export class Session {
  readonly options: EngineOptions;
  /** The verdict of LiveKit's answering machine detection that no signal has yet. */
  verdict: AnswerVerdict | null = null;
  readonly sessionId: string;
  /** Whether the conversation is text. Lines that only bridge a silence are left out. */
  readonly isWritten: boolean;
  readonly limits: Limits;
  /** Id of the current turn in events. */
  requestId: string;
  /** The graph that folds signals, in the current language. */
  graph: Graph;
  state: SessionState;
  /** Effects to perform, in order. */
  readonly outbox: Outbox = createOutbox();
  /** The completion whose batch has not settled yet. */
  completion: Completion | null = null;
  /** The name of the outcome; null before the end. */
  outcome: string | null = null;
  /** Whether a caller's turn is being taken. */
  isReceiving = false;
  /** Measures each turn and publishes the trace when the turn is complete. */
  readonly tracer: TurnTracer;
  protected readonly lease: Lease;
  protected readonly promised = createPromisedCalls();
  protected isClosed = false;
  readonly #commits: Commits;
  readonly #stopRecording: () => void;
  readonly #observers: ((step: SessionStep) => void)[] = [];
  /** Events published between two steps belong to the later step; events published during a step belong to that step. */
  #published: PublishedEvent[] = [];
  #ofThisStep: PublishedEvent[] | null = null;
  #shown: { readonly graph: Graph; readonly state: SessionState; readonly at: number; readonly view: View } | null =
    null;

  constructor(options: EngineOptions, kept: KeptSession, lease: Lease) {
    const { sessionId, hub, store, limits = defaultLimits } = options;
    this.options = options;
    this.sessionId = sessionId;
    this.isWritten = options.writesTo !== undefined;
    this.limits = limits;
    this.requestId = options.ids.create('req');
    this.graph = kept.graph.spokenIn(kept.state.dialogue.language);
    this.state = kept.state;
    this.lease = lease;
    this.tracer = createTurnTracer(options);
    this.#commits = createCommits(store, lease, kept.seq, this.tracer, (error) => {
      if (!this.isClosed) options.onBroken?.(error);
    });
    this.#stopRecording = hub.record(sessionId, kept.lastEvent, (event) => {
      (this.#ofThisStep ?? this.#published).push(event);
    });
  }

  /** Returns the last verdict of LiveKit's detection once, for the next signal. */
  takeVerdict(): { readonly detected?: AnswerVerdict } {
    const { verdict } = this;
    this.verdict = null;
    return verdict === null ? {} : { detected: verdict };
  }

  /** Calls a listener with each step, after it was handed to the store. */
  observe(listener: (step: SessionStep) => void): void {
    this.#observers.push(listener);
  }

  /** Folds a signal into the session and queues its effects. Returns the facts of the step. */
  dispatch({ signal: given, inputKeys = [], joins = false, others, call = null }: SignalToFold): readonly FlowFact[] {
    // After the close, signals are left to the next owner of the session.
    if (this.isClosed) return [];
    const { options, state: before, graph: asked, requestId } = this;
    // A signal that joins another, or arrives while a turn is taken, is part of that turn.
    if (!joins && !this.isReceiving) options.policy?.beginReply(given);
    const began = options.clock.now();
    const signal = readSignal(asked, before, given, options);
    const [events, outer] = [this.#published, this.#ofThisStep];
    this.#published = [];
    this.#ofThisStep = events;
    const next = step(asked, before, signal);
    const { state, facts } = next;
    this.state = state;
    if (state.dialogue.language !== before.dialogue.language) this.follow(asked);
    this.outcome ??= outcomeIn(facts);
    const made: SessionStep = { graph: this.graph, signal, began, before, state, facts, requestId };
    this.tracer.follow(made);
    const effects = [...next.effects, ...settledEffects(before, facts, signal)];
    this.#commits.add({
      signal: withSpoken(signal, next),
      state,
      graphHash: this.graph.hash,
      effects: others === undefined ? effects : [...effects, ...others],
      inputKeys,
      events,
      ...withEntries(
        this.promised.with(call, state),
        afterCallEntries(options.afterCall, before, state, facts, began),
        callAgainEntries(state, facts, began),
      ),
      durable: !joins && isTransaction(signal, next),
    });
    this.#queue(signal, next.effects);
    for (const observe of this.#observers) observe(made);
    this.#ofThisStep = outer;
    return facts;
  }

  /** Updates the effects to perform. */
  #queue(signal: Signal, effects: readonly Effect[]): void {
    const { outbox, state } = this;
    // A resumed session intends all its open effects again.
    if (!outbox.isEmpty()) outbox.drop((effect) => signal.type === 'session:resumed' || isVoid(effect, state));
    // A call of the model runs as soon as it is made.
    if (effects.length === 0 || signal.type === 'tool:called') return;
    outbox.add(
      effects.filter(
        (effect) =>
          effect.state === 'intended' && !isWaiting(effect) && effectKinds[effect.kind].performedBy !== 'dispatcher',
      ),
    );
  }

  /** Sets the graph that folds later signals. */
  follow(graph: Graph): void {
    this.graph = graph.spokenIn(this.state.dialogue.language);
  }

  /** Returns the current view, computed once per step because LiveKit reads it several times a turn. */
  view(): View {
    const at = this.options.clock.now();
    const { graph, state } = this;
    if (this.#shown?.graph !== graph || this.#shown.state !== state || at - this.#shown.at > viewAgesMs)
      this.#shown = { graph, state, at, view: viewOf(graph, state, this.civil(at)) };
    return this.#shown.view;
  }

  /** Returns the local date and time of the session for `at`, in epoch milliseconds. */
  civil(at: number): string {
    return this.options.civilTime(at, this.state.knowledge.timeZone);
  }

  /** Returns the active flow; null on the classic path. */
  activeFlow(): string | null {
    return isClassicFlow(this.graph.document) ? null : this.state.position.flow.id;
  }

  /** Resolves when all steps so far are durable; rejects if the store failed. */
  committed(): Promise<void> {
    return this.#commits.settled();
  }

  /** Whether all steps so far are durable. */
  isCommitted(): boolean {
    return this.#commits.isSettled();
  }

  /** Commits steps that still wait for a later transaction. */
  keep(): Promise<void> {
    return this.#commits.flush();
  }

  /** Folds no further signals, and commits the steps and events that are left. */
  protected async seal(): Promise<void> {
    this.isClosed = true;
    this.#stopRecording();
    // If the store failed earlier, the turn that it stopped has already reported the error.
    await this.#commits.flush(this.#published).catch(() => undefined);
  }
}

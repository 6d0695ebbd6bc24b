import type { InboxEntry } from '../../model/inbox.ts';
import type { Effect } from '../../model/effect.ts';
import type { Signal } from '../../model/signals/signal.ts';
import { FlowError } from '../../model/errors.ts';
import type { PublishedEvent } from '../../model/ports/hub.ts';
import type { Lease, LoggedSignal, StepCommit, Store } from '../../model/ports/store.ts';
import type { TurnTracer } from './turn-tracer.ts';

/** One step to store. */
export interface StepToCommit {
  readonly signal: Signal;
  /** JSON, as the session's type guarantees. */
  readonly state: { readonly stateVersion: number };
  /** Hash of the graph that the state belongs to. */
  readonly graphHash: string;
  readonly effects: readonly Effect[];
  readonly inputKeys: readonly string[];
  /** Events of this step. More may be added until its transaction begins. */
  readonly events: readonly PublishedEvent[];
  /** Inbox entries that the transaction posts and withdraws. */
  readonly posts?: readonly InboxEntry[];
  readonly withdraws?: readonly string[];
  /** Whether the step is its own transaction; otherwise it is committed with the next one. */
  readonly durable: boolean;
}

/** Writes the steps of a session to its store in order, one transaction each, while the conversation continues. */
export interface Commits {
  add(step: StepToCommit): void;
  /** Resolves when all steps added so far are durable; rejects after a failed commit. */
  settled(): Promise<void>;
  /** Whether `settled` would resolve at once. */
  isSettled(): boolean;
  /** Commits the steps that wait for a later transaction, together with the events published since. */
  flush(events?: StepToCommit['events']): Promise<void>;
}

/** `tracer` records the duration and failure of each commit. `onBroken` receives the first failure; no commit succeeds after it. */
export function createCommits(
  store: Store,
  lease: Lease,
  fromSeq: number,
  tracer: Pick<TurnTracer, 'commit'> | null = null,
  onBroken: (error: unknown) => void = () => undefined,
): Commits {
  let seq = fromSeq;
  let waiting: LoggedSignal[] = [];
  let waitingEffects: Effect[] = [];
  let waitingKeys: string[] = [];
  let waitingEvents: StepToCommit['events'][] = [];
  let waitingPosts: InboxEntry[] = [];
  let waitingWithdraws: string[] = [];
  let last: StepToCommit | undefined;
  let tail: Promise<void> = Promise.resolve();
  /** Commits that have not succeeded. A failed commit keeps counting. */
  let underWay = 0;
  let isBroken = false;

  const commit = (step: StepToCommit): void => {
    const signals = waiting;
    const effects = waitingEffects;
    const inputKeys = waitingKeys;
    const events = waitingEvents;
    const [posts, withdraws] = [waitingPosts, waitingWithdraws];
    waiting = [];
    waitingEffects = [];
    waitingKeys = [];
    waitingEvents = [];
    if (posts.length > 0) waitingPosts = [];
    if (withdraws.length > 0) waitingWithdraws = [];
    const baseSeq = seq - signals.length;
    underWay += 1;
    const transaction: StepCommit = {
      lease,
      baseSeq,
      inputKeys,
      signals,
      state: step.state,
      stateVersion: step.state.stateVersion,
      graphHash: step.graphHash,
      effects,
      events: makerOf(events),
      ...(posts.length === 0 ? {} : { posts }),
      ...(withdraws.length === 0 ? {} : { withdraws }),
    };
    const end = tracer?.commit();
    tail = tail.then(() => store.steps.create(transaction));
    // Callers that depend on the commit await `settled`, which rejects for them.
    tail.then(
      () => {
        underWay -= 1;
        end?.(true);
      },
      (error: unknown) => {
        end?.(false);
        if (!isBroken) onBroken(error);
        isBroken = true;
      },
    );
  };

  return {
    add(step) {
      seq += 1;
      waiting.push({ seq, signal: step.signal });
      waitingEffects.push(...step.effects);
      waitingKeys.push(...step.inputKeys);
      waitingEvents.push(step.events);
      if (step.posts !== undefined) waitingPosts.push(...step.posts);
      if (step.withdraws !== undefined) waitingWithdraws.push(...step.withdraws);
      last = step;
      if (step.durable) commit(step);
    },
    settled: () =>
      tail.catch((cause: unknown) => {
        throw cause instanceof FlowError
          ? cause
          : new FlowError(
              'store-failed',
              'the store did not accept a step. The session stops at its last stored step.',
              {
                cause,
              },
            );
      }),
    isSettled: () => underWay === 0,
    async flush(events = []) {
      if ((waiting.length > 0 || events.length > 0) && last !== undefined) {
        waitingEvents.push(events);
        commit(last);
      }
      await tail;
    },
  };
}

/** Outside `commit`, so that the closure which creates the events later does not retain the step's state. */
function makerOf(events: readonly StepToCommit['events'][]): StepCommit['events'] {
  return () => events.flat().map((told) => told.read());
}

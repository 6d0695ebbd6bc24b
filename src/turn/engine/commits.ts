import type { InboxEntry } from '../../events/inbox.ts';
import type { Effect } from '../../events/effect.ts';
import type { Signal } from '../../events/signal.ts';
import { FlowError } from '../../errors.ts';
import type { Told } from '../../ports/hub.ts';
import type { Lease, LoggedSignal, StepCommit, Store } from '../../ports/store.ts';
import type { TurnTracer } from './turn-tracer.ts';

/** One step on its way into the store. */
export interface StepToCommit {
  readonly signal: Signal;
  /** JSON, as the session's own type says. */
  readonly state: { readonly stateVersion: number };
  readonly effects: readonly Effect[];
  readonly inputKeys: readonly string[];
  /** What this step tells; it may add some until its transaction begins. */
  readonly events: readonly Told[];
  /** Entries that its transaction posts and withdraws. */
  readonly posts?: readonly InboxEntry[];
  readonly withdraws?: readonly string[];
  /** Whether the step is a transaction; else it is committed with the next one. */
  readonly durable: boolean;
}

/** The way of a session's steps into its store: in order, one transaction each, overlapping what goes on meanwhile. */
export interface Commits {
  add(step: StepToCommit): void;
  /** Resolves when all that was added so far is durable; rejects once a commit has failed. */
  settled(): Promise<void>;
  /** Whether `settled` would resolve at once. */
  isSettled(): boolean;
  /** Makes durable what still waits for a next transaction, and with it what was told since. */
  flush(events?: StepToCommit['events']): Promise<void>;
}

/** `tracer` notes how long each takes, and where one fails. `onBroken` hears of the first that fails: none is kept after it. */
export function createCommits(
  store: Store,
  lease: Lease,
  graphHash: () => string,
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
  /** Those that have not succeeded: a commit that fails stays among them. */
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
      graphHash: graphHash(),
      effects,
      events: makerOf(events),
      ...(posts.length === 0 ? {} : { posts }),
      ...(withdraws.length === 0 ? {} : { withdraws }),
    };
    const end = tracer?.commit();
    tail = tail.then(() => store.commit(transaction));
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
          : new FlowError('store-failed', 'the store did not take a step. The session stops where it was last kept.', {
              cause,
            });
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

/** Apart from the commit, so that what is kept to make events later keeps nothing of its state. */
function makerOf(events: readonly StepToCommit['events'][]): StepCommit['events'] {
  return () => events.flat().map((told) => told.read());
}

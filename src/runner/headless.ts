import { FlowError } from '../model/errors.ts';
import type { InboxEntry } from '../model/inbox.ts';
import { createHub } from '../engine/hub/create-hub.ts';
import { hasUnheard } from '../kernel/question/pending-speech.ts';
import { waitingIn } from '../kernel/state/draft.ts';
import { owedSilently } from '../kernel/question/unperformed-effects.ts';
import { createTextSession } from '../livekit/agent/text-session.ts';
import { openMoves } from '../flow/load/open-moves.ts';
import type { Store } from '../model/ports/store.ts';
import type { Clock, Ids } from '../model/ports/time.ts';
import { createIntake } from '../engine/session/inbox.ts';
import { retryingStore } from '../engine/commit/retrying-store.ts';
import { limitsOf } from '../engine/limits.ts';
import { closeConversation, openConversation } from './conversation/open-conversation.ts';
import type { RunnerOptions } from './options/runner-options.ts';
import { createRunnerParts } from './parts.ts';

export interface HeadlessOptions extends Omit<RunnerOptions, 'session' | 'store' | 'sessionId' | 'onEnd'> {
  readonly store: Store;
  readonly sessionId: string;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Receives intermediate errors, as in `FlowRunner`. */
  readonly onError: (error: unknown) => void;
}

/**
 * Takes the due inbox entries of a session without a caller, and performs everything that needs no listener: tools, tasks, actions,
 * moves. Lines stay open, and the session is released. A session whose call is over ends, unless there is news for its caller. `entry`
 * begins a session that the store does not have. Resolves to whether there are lines left to say. Throws what `FlowRunner.start` throws.
 */
export async function takeHeadless(options: HeadlessOptions, entry: InboxEntry): Promise<{ readonly speaks: boolean }> {
  const { store: opened, sessionId, clock, ids, moves = [], onError, ...rest } = options;
  const store = retryingStore(opened, clock);
  const session = createTextSession(null);
  const hub = createHub({ clock, ids, sessionId });
  const given = { ...rest, ...{ session, store, sessionId, clock, ids, moves } };
  const begun = entry.signal.type === 'session:started' ? entry.signal : null;
  const input = begun?.input ?? options.input ?? {};
  const parts = createRunnerParts({ ...given, input }, sessionId, hub, onError);
  let endedWith: string | null = null;
  const end = (reason: string): void => void (endedWith ??= reason);
  /** Whether there is news for the caller, from before or from now. */
  let isNews = false;
  let overBecause: string | null = null;
  const conversation = await openConversation(
    {
      options: { ...given, input, ...(begun === null ? {} : { begunBy: entry.key, correlation: entry.correlation }) },
      ...{ parts, sessionId, hub, clock, ids, store },
      limits: limitsOf(options.limits),
      moveOf: await openMoves(moves, parts.library, parts.graph),
      room: undefined,
      begin: async (opened) => {
        // Words that do not come by a call begin a conversation as well.
        isNews = hasUnheard(opened.state);
        const begins = begun !== null || entry.signal.type === 'user:turn';
        if (opened.state.status !== 'new' || begins) await opened.startSilently(input);
      },
    },
    {
      onEnd: end,
      onStoreLost: end,
      onError,
      onClose: () => undefined,
      onSpeech: () => undefined,
      onRefused: () => Promise.resolve(),
    },
  );
  const { engine, agent } = conversation;
  try {
    if (engine.state.status === 'new')
      throw new FlowError(
        'session-unknown',
        `there is no session "${sessionId}". Begin it before anything is posted to it.`,
      );
    const work = async (): Promise<void> => {
      await agent.performSilently();
      await engine.keep();
    };
    await work();
    const intake = createIntake(
      { store, clock, engine },
      {
        isHeard: false,
        whenFree: () => Promise.resolve(endedWith === null),
        async takeTurn(inbound, taken) {
          const outcome = await engine.receive(inbound, taken);
          if (outcome === 'taken') await work();
          isNews ||= outcome === 'taken';
          return outcome;
        },
        async goOn() {
          isNews = true;
          await work();
        },
        onError,
      },
    );
    await intake.takeDue();
    // A context change needs a model, which the next listening process has.
    const owed = owedSilently(Object.values(engine.state.effects)).filter(({ kind }) => kind !== 'context');
    if (owed.length > 0 && engine.state.status !== 'parked')
      throw new FlowError(
        'turn-lost',
        `effects of session "${sessionId}" were not done (work-left). They are retried.`,
      );
    if (entry.signal.type === 'session:idle' && waitingIn(engine.state).length === 0) overBecause = 'abandoned';
    if (entry.signal.type === 'session:left' && !isNews) overBecause = entry.signal.callOver ?? null;
    // Includes lines left by an earlier process.
    return { speaks: hasUnheard(engine.state) };
  } finally {
    parts.tasks.end();
    // A session that ended is already stored as ended.
    await closeConversation(conversation, overBecause);
  }
}

import type { Store } from '../../model/ports/store.ts';
import type { Clock } from '../../model/ports/time.ts';
import type { Engine } from '../../engine/engine.ts';
import { createIntake, type Intake } from '../../engine/session/inbox.ts';
import { type LiveSession, newMessage, requestReply } from './live-session.ts';
import type { SpeakingAgent } from './speaking-agent.ts';

/** How soon a busy session is checked again for a waiting entry, in milliseconds. */
const lookAgainMs = 50;
/** How long the agent may finish its speech when a person takes over the call, in milliseconds. */
const finishMs = 4_000;

export interface LiveIntakeParts {
  readonly session: LiveSession;
  readonly engine: Engine;
  readonly agent: SpeakingAgent;
  readonly store: Store;
  readonly clock: Clock;
  /** Whether the caller is away for a moment, so that speech would not be heard. */
  readonly isAway: () => boolean;
  readonly onError: (error: unknown) => void;
}

/** The inbox of a live conversation. */
export interface LiveIntake extends Pick<Intake, 'underWay'> {
  stop(): void;
}

/** Lets a live conversation take its inbox between turns, and speak about the result. */
export function takeInbox({ session, engine, agent, store, clock, isAway, onError }: LiveIntakeParts): LiveIntake {
  let isOver = false;
  const intake = createIntake(
    { store, clock, engine },
    {
      isHeard: true,
      async whenFree({ type }) {
        const isTakeover = type === 'takeover:started';
        if (isTakeover) await agent.fallSilent(finishMs);
        for (;;) {
          // A takeover waits neither for the agent's remaining speech nor for the caller.
          if (!isTakeover) await agent.idle();
          if (isOver || agent.isLost) return false;
          if (!isAway() && (isTakeover ? agent.isStill : agent.isFree)) return true;
          await new Promise<void>((resolve) => void clock.schedule(lookAgainMs, resolve));
        }
      },
      async takeTurn(inbound, entry) {
        const outcome = await agent.take(inbound, entry);
        if (outcome === 'taken') requestReply(session, newMessage(inbound.eventId, inbound.text));
        return outcome;
      },
      goOn(signal) {
        if (signal.type === 'takeover:heard') agent.noteSaid(signal.text);
        agent.speakUp();
      },
      onError,
    },
  );
  const stop = intake.watch();
  return {
    underWay: () => intake.underWay(),
    stop() {
      isOver = true;
      stop();
    },
  };
}

/** Resolves when the agent is idle and the flow has processed all entries taken. */
export async function idleWith(agent: SpeakingAgent, intake: () => LiveIntake | null): Promise<void> {
  await agent.idleAfterResuming();
  for (let coming = intake()?.underWay(); coming != null; coming = intake()?.underWay()) {
    await coming;
    await agent.idleAfterResuming();
  }
}

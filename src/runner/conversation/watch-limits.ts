import type { Event } from '../../model/events/event.ts';
import type { ConversationLimit } from '../../model/signals/signal.ts';
import type { Hub } from '../../model/ports/hub.ts';
import type { Store } from '../../model/ports/store.ts';
import type { Clock } from '../../model/ports/time.ts';
import type { Engine } from '../../engine/engine.ts';
import type { Limits } from '../../engine/limits.ts';
import type { SpeakingAgent } from '../../livekit/agent/speaking-agent.ts';

export interface LimitWatchParts {
  readonly engine: Engine;
  readonly agent: SpeakingAgent;
  readonly hub: Pick<Hub, 'subscribe'>;
  readonly store: Pick<Store, 'steps'>;
  readonly clock: Clock;
  readonly limits: Pick<Limits, 'conversationMs' | 'conversationCost'>;
  readonly onError: (error: unknown) => void;
}

/** How long the agent may finish its speech once a limit is reached, in milliseconds. */
const finishMs = 15_000;
/** How soon to look again while a person talks to the caller, in milliseconds. */
const lookAgainMs = 1_000;

/**
 * Ends a conversation with a line when it has run for too long in this process, or its turns have cost too much. Costs of
 * earlier processes count. Returns a function that stops it.
 */
export function watchLimits(parts: LimitWatchParts): () => void {
  const { engine, agent, clock, onError } = parts;
  const { conversationMs, conversationCost } = parts.limits;
  let isOver = false;
  let cancel = (): void => undefined;
  const reach = async (limit: ConversationLimit): Promise<void> => {
    if (isOver || engine.state.status !== 'active') return;
    if (engine.state.people.takeover !== null) {
      cancel = clock.schedule(lookAgainMs, () => void reach(limit).catch(onError));
      return;
    }
    isOver = true;
    await agent.fallSilent(finishMs);
    if (engine.state.status !== 'active') return;
    engine.dispatch({ signal: { type: 'limit:reached', at: clock.now(), limit } });
    await engine.keep();
    agent.speakUp();
  };
  if (conversationMs !== Infinity) cancel = clock.schedule(conversationMs, () => void reach('time').catch(onError));
  const stopCounting = conversationCost === Infinity ? null : countCost(parts, () => void reach('cost').catch(onError));
  return () => {
    isOver = true;
    cancel();
    stopCounting?.();
  };
}

/** Calls `onSpent` after each turn once the conversation has cost as much as its limit. */
function countCost({ engine, hub, store, limits, onError }: LimitWatchParts, onSpent: () => void): () => void {
  let spent = 0;
  const counted = new Set<string>();
  const add = (event: Event): void => {
    if (event.type !== 'turn:completed' || counted.has(event.id)) return;
    counted.add(event.id);
    spent += event.data.cost ?? 0;
  };
  const consider = (): void => {
    if (spent >= limits.conversationCost) onSpent();
  };
  const stop = hub.subscribe('turn:completed', (event) => {
    add(event);
    consider();
  });
  store.steps.listEvents(engine.sessionId).then((events) => {
    for (const event of events) add(event);
    consider();
  }, onError);
  return stop;
}

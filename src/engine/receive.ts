import { keyPart } from '../model/key-part.ts';
import { openOfKind } from '../kernel/state/draft.ts';
import { reopens } from '../kernel/question/last-line.ts';
import type { Calls } from './calls/calls.ts';
import type { HandoffEffect } from './generators/generators.ts';
import type { Engine } from './engine.ts';
import type { EngineOptions } from './engine-options.ts';
import type { FlowChanges } from './flow-changes.ts';
import type { Fold } from './fold.ts';
import { cutText, type Limits } from './limits.ts';
import type { Outbox } from './commit/outbox.ts';
import type { SessionLanguage } from './session/session-language.ts';
import type { TurnTracer } from './commit/turn-tracer.ts';

export interface ReceiverParts extends Pick<EngineOptions, 'sessionId' | 'store' | 'clock' | 'policy' | 'questions'> {
  readonly limits: Limits;
  readonly tracer: TurnTracer;
  readonly fold: Fold;
  readonly calls: Calls;
  readonly flows: FlowChanges;
  readonly language: SessionLanguage;
  readonly outbox: Outbox;
  readonly handOff: Engine['handOff'];
  /** Starts a new request id; later events belong to the new turn. */
  beginTurn(): void;
}

/**
 * Creates the function that takes a caller's turn: claims it once, asks
 * commands, tasks and policy, and folds it after running work has settled.
 */
export function createReceiver(parts: ReceiverParts): Engine['receive'] {
  const { sessionId, store, clock, policy, questions, limits, tracer, fold, calls, flows, language, outbox, handOff } =
    parts;
  const taken = new Set<string>();
  /** A pending handoff runs before the caller's next words, which are for the flow it leads to. */
  const routed = (): readonly HandoffEffect[] =>
    outbox
      .drop((effect) => effect.kind === 'handoff' && effect.payload.routed === true)
      .flatMap((effect) => (effect.kind === 'handoff' ? [effect] : []));
  /** Cancels questions that the caller spoke over before they were said. They are asked again if they still matter. */
  const forgetUnsaid = (): void => {
    const unsaid = outbox.drop(
      (effect) => effect.kind === 'wait' || (effect.kind === 'say' && effect.payload.reason !== 'node'),
    );
    for (const { key } of unsaid)
      fold.dispatch({ type: 'speech:settled', at: clock.now(), key, state: 'cancelled', text: '', heard: '' });
  };
  return async (given, entry) => {
    const inbound = { ...given, text: cutText(given.text, limits.callerCharacters) };
    const key = entry?.key ?? `${sessionId}/${keyPart(inbound.eventId)}`;
    const call = entry?.call ?? null;
    if (taken.has(key)) return 'duplicate';
    // An ended session is answered without the store.
    if (fold.state.status === 'ended') return 'over';
    taken.add(key);
    if (await store.wasConsumed(key)) return 'duplicate';
    // Words spoken over the last line of a flow go to the flow after it.
    if (openOfKind(fold.state, 'end')?.payload.returns != null) await flows.leave(true);
    if (fold.state.status !== 'active' && !reopens(fold.graph, fold.state)) return 'over';
    tracer.await('arrived', clock.now());
    policy?.closeTurn();
    parts.beginTurn();
    const isAsked = questions?.isOpen() === true;
    const advancing = openOfKind(fold.state, 'advance');
    // Commands come before answers and before running work. Both stay open unless the command leads elsewhere.
    const command = isAsked || advancing !== undefined ? await flows.command(inbound) : null;
    const isAnswer = command === null && isAsked && (await questions.isAnswered());
    const decided = isAnswer ? await flows.answer(inbound) : command;
    if (decided?.to === 'nobody' && decided.stopsFlow !== true && decided.policy.action !== 'end') {
      flows.takeAside(inbound, { keys: [key], call }, decided.policy);
      return 'taken';
    }
    if (isAnswer && decided === null) {
      flows.takeForTask(inbound, { keys: [key], call });
      return 'taken';
    }
    // A call that asks would block here. A task's node is left first, so that it does not fail without an answer.
    if (decided !== null && openOfKind(fold.state, 'task') === undefined) questions?.takeBack();
    if (decided !== null && advancing !== undefined) calls.letGo(advancing.key);
    const overtaking = calls.overtake();
    if (overtaking !== null) await overtaking;
    for (const effect of routed()) await handOff(effect);
    forgetUnsaid();
    if (inbound.via === 'speech') language.beforeTurn(inbound.text);
    await flows.take(inbound, { keys: [key], call }, decided);
    return 'taken';
  };
}

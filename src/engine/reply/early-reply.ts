import { confirmationIn } from '../../kernel/state/draft.ts';
import { callUnderWay } from '../../kernel/call/pending-calls.ts';
import { step } from '../../kernel/step.ts';
import type { Engine } from '../engine.ts';
import type { Inbound } from '../inbound.ts';
import { readOnce } from '../words/read-once.ts';

/**
 * Checks whether the model will surely answer words that are not a turn yet, in this node and
 * view, so that it may be asked early. False if the turn would settle or do anything else first.
 */
export function canGenerateEarly(engine: Engine, inbound: Inbound, at: number): boolean {
  const { graph, state, completion, outbox } = engine;
  if (engine.options.policy?.decides === true) return false;
  const isBusy = (completion !== null && !completion.isSettled) || !outbox.isEmpty();
  if (isBusy || confirmationIn(state) !== undefined || callUnderWay(state)) return false;
  const civil = engine.civil(at);
  const utterance = readOnce({ graph, state, civil }, inbound.text);
  const ahead = step(graph, state, { type: 'user:turn', at, civil, ...inbound, utterance });
  return (
    ahead.effects.length === 1 &&
    ahead.effects[0]?.kind === 'reply' &&
    ahead.state.position.visit === state.position.visit
  );
}

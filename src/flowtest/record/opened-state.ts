import { openSealed } from '../../engine/sealed-values.ts';
import { isSealed } from '../../flow/expression/sealed.ts';
import type { SessionState } from '../../kernel/state/state.ts';
import { runnerSeals } from '../../runner/seals.ts';

/** Returns a state with the digits that the test itself has entered by keys, so that it can expect them. */
export function openedState(state: SessionState): SessionState {
  const { knowledge, sessionId } = state;
  if (!Object.values(knowledge.slots).some(({ value }) => isSealed(value))) return state;
  const sealing = { options: { seals: runnerSeals() }, sessionId };
  const slots = Object.entries(knowledge.slots).map(([name, known]) => {
    const { value = known.value } = openSealed(sealing, { value: known.value }).value;
    return [name, { ...known, value }] as const;
  });
  return { ...state, knowledge: { ...knowledge, slots: Object.fromEntries(slots) } };
}

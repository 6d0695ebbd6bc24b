import type { Effect } from '../../events/effect.ts';
import { isConfirmation } from '../../kernel/draft.ts';
import { isLast } from '../../kernel/owed.ts';
import type { SessionState } from '../../kernel/state.ts';

/** Effects intended and not yet begun, in the order in which they are to be performed. */
export interface Outbox {
  isEmpty(): boolean;
  peek(): Effect | undefined;
  /** Takes the first effect out, to perform it. */
  take(): Effect | undefined;
  add(effects: readonly Effect[]): void;
  /** Puts an effect back in front whose performance never began. */
  putBack(effect: Effect): void;
  /** Removes the effects that are void, and returns them. */
  drop(isVoid: (effect: Effect) => boolean): readonly Effect[];
  /** Whether something is to be said, or done before something can be said. */
  speaks(): boolean;
}

export function createOutbox(): Outbox {
  let effects: Effect[] = [];
  return {
    isEmpty: () => effects.length === 0,
    speaks() {
      const first = effects[0];
      return first !== undefined && !isLast(first);
    },
    peek: () => effects[0],
    take: () => effects.shift(),
    add(more) {
      effects.push(...more);
    },
    putBack(effect) {
      effects.unshift(effect);
    },
    drop(isVoid) {
      const dropped = effects.filter(isVoid);
      if (dropped.length > 0) effects = effects.filter((effect) => !dropped.includes(effect));
      return dropped;
    },
  };
}

/** Whether an effect is to be heard, or answered, by the caller. */
export function needsListener(effect: Effect): boolean {
  return effect.kind === 'say' || effect.kind === 'reply' || (effect.kind === 'wait' && isConfirmation(effect));
}

/** Whether an effect is not open any more, so that it need not be performed. */
export function isVoid(effect: Effect, state: SessionState): boolean {
  return !Object.hasOwn(state.effects, effect.key);
}

import { type Effect, effectKinds } from '../../model/effect.ts';
import { isConfirmation } from '../../kernel/state/draft.ts';
import { isLast } from '../../kernel/question/unperformed-effects.ts';
import type { SessionState } from '../../kernel/state/state.ts';

/** Effects that are intended and not yet begun, in the order of performance. */
export interface Outbox {
  isEmpty(): boolean;
  peek(): Effect | undefined;
  /** Removes and returns the first effect. */
  take(): Effect | undefined;
  add(effects: readonly Effect[]): void;
  /** Returns an effect to the front because its performance never began. */
  putBack(effect: Effect): void;
  /** Removes the void effects and returns them. */
  drop(isVoid: (effect: Effect) => boolean): readonly Effect[];
  /** Whether a line, or work before a line, is next. */
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

/** Checks whether the caller must hear or answer an effect. */
export function needsListener(effect: Effect): boolean {
  const { needsListener } = effectKinds[effect.kind];
  return needsListener === 'question' ? isConfirmation(effect) : needsListener;
}

/** Checks whether an effect is no longer open, so that it is not performed. */
export function isVoid(effect: Effect, state: SessionState): boolean {
  return !Object.hasOwn(state.effects, effect.key);
}

import { append } from './append.ts';
import type { ContextStrategy } from './context-strategy.ts';
import { resetWithSummary } from './reset-with-summary.ts';
import { reset } from './reset.ts';

/** The context strategies, by name in documents. The default is `append`. */
export const contextStrategies = {
  append,
  reset,
  reset_with_summary: resetWithSummary,
} as const satisfies Readonly<Record<string, ContextStrategy>>;

export type ContextStrategyName = keyof typeof contextStrategies;

export const contextStrategyNames = Object.keys(contextStrategies) as [ContextStrategyName, ...ContextStrategyName[]];

/** Returns a strategy by name. An unknown strategy from a log hides nothing. */
export function strategyOf({ strategy }: { readonly strategy: string }): ContextStrategy {
  const known: Readonly<Record<string, ContextStrategy>> = contextStrategies;
  return Object.hasOwn(known, strategy) ? (known[strategy] ?? append) : append;
}

/** Returns how many of the items a strategy hides. */
export function hiddenBy({ hides }: ContextStrategy, said: number): number {
  return Math.min(said, Math.max(0, hides?.(said) ?? 0));
}

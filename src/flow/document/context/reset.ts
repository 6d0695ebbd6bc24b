import type { ContextStrategy } from './context-strategy.ts';

export const reset: ContextStrategy = {
  description: 'hides it',
  hides: (said) => said,
  isSummarised: false,
};

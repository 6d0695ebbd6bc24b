import type { ContextStrategy } from './context-strategy.ts';

export const resetWithSummary: ContextStrategy = {
  description: 'replaces it by a summary',
  hides: (said) => said,
  isSummarised: true,
};

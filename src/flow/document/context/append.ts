import type { ContextStrategy } from './context-strategy.ts';

export const append: ContextStrategy = {
  description: 'keeps the conversation',
  hides: null,
  isSummarised: false,
};

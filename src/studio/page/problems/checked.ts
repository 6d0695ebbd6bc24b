import { computed, signal } from '@preact/signals';
import type { Checked } from '../../protocol/flow-news.ts';
import { flowNews } from '../model/studio.ts';

/** The problems of the unsaved text; null if the text is saved. */
export const checkedProblems = signal<(Checked & { readonly text: string }) | null>(null);

/** The number of errors and warnings, for the tab. */
export const problemCount = computed(() => {
  const problems = checkedProblems.value?.problems ?? flowNews.value?.problems ?? [];
  return problems.filter(({ severity }) => severity !== 'note').length;
});

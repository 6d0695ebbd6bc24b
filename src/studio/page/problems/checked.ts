import { computed, signal } from '@preact/signals';
import type { Checked } from '../../protocol/flow-news.ts';
import { flowNews } from '../model/studio.ts';

/** What the text in the editor would be as a flow, while it is not saved; null where it is the file's. */
export const checkedProblems = signal<(Checked & { readonly text: string }) | null>(null);

/** How many errors and warnings there are, for the tab. */
export const problemCount = computed(() => {
  const problems = checkedProblems.value?.problems ?? flowNews.value?.problems ?? [];
  return problems.filter(({ severity }) => severity !== 'note').length;
});

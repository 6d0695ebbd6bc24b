import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { foundNodes } from '../../../flow/picture/found-nodes.ts';
import { shownFlow } from '../model/view.ts';

/** The id of the field, for the keyboard shortcut. */
export const searchField = 'node-search';

/** Finds nodes by name and by what they say, ask and call. Enter goes to the next match. */
export function NodeSearch({ onFind }: { readonly onFind: (id: string) => void }): JSX.Element {
  const query = useSignal('');
  const at = useSignal(-1);
  const flow = shownFlow.value;
  const found = flow === null ? [] : foundNodes(flow, query.value);
  return (
    <form
      {...{ class: 'node-search', role: 'search' }}
      onSubmit={(event) => {
        event.preventDefault();
        if (found.length === 0) return;
        at.value = (at.value + 1) % found.length;
        onFind(found[at.value] ?? '');
      }}
    >
      <input
        {...{ type: 'search', id: searchField, 'aria-label': 'Find a node', placeholder: 'Find a node' }}
        value={query.value}
        onInput={(event) => {
          query.value = event.currentTarget.value;
          at.value = -1;
        }}
      />
      <span class="dim small" role="status">
        {query.value.trim() === '' ? '' : resultText(found.length, at.value)}
      </span>
    </form>
  );
}

function resultText(count: number, at: number): string {
  if (count === 0) return 'No node';
  return at === -1 ? `${count} found` : `${at + 1} of ${count}`;
}

import { signal, useSignalEffect } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { searchField } from '../graph/node-search.tsx';
import { show } from '../model/view.ts';

const isOpen = signal(false);

const keys: readonly (readonly [keys: string, what: string])[] = [
  ['?', 'Shows these keys'],
  ['/', 'Finds a node of the graph; Enter goes to the next one'],
  ['Arrow keys', 'In the graph: go from node to node. On tabs: go to the next tab. In the time bar: one step'],
  ['Enter', 'In the graph: opens the node'],
  ['Home, End', 'In the time bar: the first and the last step'],
  ['Ctrl-S', 'In the file: saves it'],
  ['Ctrl-Space', 'In the file: proposes what can be written'],
  ['Ctrl-Shift-Space', 'In the file: explains the word at the caret'],
];

/** The button and the dialog of keyboard shortcuts. */
export function KeysHelp(): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  useSignalEffect(() => {
    if (isOpen.value) dialog.current?.showModal();
    else dialog.current?.close();
  });
  useEffect(() => {
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
  return (
    <>
      <button
        {...{ type: 'button', class: 'icon', 'aria-label': 'Keyboard shortcuts', title: 'Keyboard shortcuts (?)' }}
        onClick={() => {
          isOpen.value = true;
        }}
      >
        ?
      </button>
      <dialog
        ref={dialog}
        aria-labelledby="keys-title"
        onClose={() => {
          isOpen.value = false;
        }}
      >
        <h2 id="keys-title">Keyboard shortcuts</h2>
        <dl class="keys">
          {keys.map(([name, what]) => (
            <div key={name}>
              <dt>
                <kbd>{name}</kbd>
              </dt>
              <dd>{what}</dd>
            </div>
          ))}
        </dl>
        <button
          type="button"
          onClick={() => {
            isOpen.value = false;
          }}
        >
          Close
        </button>
      </dialog>
    </>
  );
}

/** Shortcuts of the page; ignored in text fields. */
function press(event: KeyboardEvent): void {
  const target = event.target as HTMLElement | null;
  const isTyping = target?.closest('input:not([type=range]), textarea, select, [contenteditable=true]') != null;
  if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === '?') isOpen.value = true;
  else if (event.key === '/') {
    show('graph');
    requestAnimationFrame(() => document.getElementById(searchField)?.focus());
  } else return;
  event.preventDefault();
}

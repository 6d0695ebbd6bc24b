import type { JSX } from 'preact';

/** Dismisses a message. */
export function Dismiss({ onClick }: { readonly onClick: () => void }): JSX.Element {
  return (
    <button type="button" class="icon" aria-label="Dismiss" onClick={onClick}>
      ×
    </button>
  );
}

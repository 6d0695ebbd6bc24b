import type { JSX } from 'preact';

/** Puts a message aside. */
export function Dismiss({ onClick }: { readonly onClick: () => void }): JSX.Element {
  return (
    <button type="button" class="icon" aria-label="Dismiss" onClick={onClick}>
      ×
    </button>
  );
}

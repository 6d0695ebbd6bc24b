import { signal } from '@preact/signals';
import type { JSX } from 'preact';
import type { SavedTest } from '../../protocol/acts.ts';
import { api } from '../client/api.ts';
import { attempt } from '../model/studio.ts';
import { openAt } from '../model/view.ts';
import { Dismiss } from '../parts/dismiss.tsx';

/** The last saved test, until dismissed. */
const saved = signal<SavedTest | null>(null);
const isSaving = signal(false);

/** Saves the conversation as a test beside its flow. */
export function SaveTestButton({ sessionId }: { readonly sessionId: string }): JSX.Element {
  return (
    <button
      type="button"
      disabled={isSaving.value}
      onClick={() => {
        isSaving.value = true;
        void attempt(() => api.saveTest(sessionId, {})).then((test) => {
          isSaving.value = false;
          if (test !== null) saved.value = test;
        });
      }}
    >
      Save<span class="wide-only"> as test</span>
    </button>
  );
}

/** Shows the path of the test, its command and its result. */
export function SavedTestMessage(): JSX.Element | null {
  const test = saved.value;
  if (test === null) return null;
  const { path, command, notes, outcome } = test;
  return (
    <div class="message note saved-test" role="status">
      <div>
        <p>
          {'Saved as '}
          <button type="button" class="link" onClick={() => openAt({ file: path, from: 1, to: 1 })}>
            {path}
          </button>
          {`. ${outcomeText(outcome)} Run it: `}
          <code>{command}</code>
        </p>
        {notes.map((note) => (
          <p key={note} class="small">
            {note}
          </p>
        ))}
      </div>
      <Dismiss
        onClick={() => {
          saved.value = null;
        }}
      />
    </div>
  );
}

function outcomeText({ is, why }: SavedTest['outcome']): string {
  if (is === 'passes') return 'It passes.';
  const told = /[.!?]$/.test(why) ? why : `${why}.`;
  return is === 'fails' ? `It does not pass: ${told}` : `Not played yet: ${told}`;
}

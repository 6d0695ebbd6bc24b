import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { Decision } from '../../protocol/acts.ts';
import type { TalkLine, WaitShown } from '../../protocol/session-shown.ts';
import { isRecord, type JsonObject } from '../../../model/json.ts';
import { escapeBidi } from '../../../model/ports/escape-bidi.ts';
import { api } from '../client/api.ts';
import { about, attempt, failure } from '../model/studio.ts';
import { JsonView } from '../parts/json-view.tsx';

interface WaitCardProps {
  readonly line: TalkLine;
  /** Null if it is over. */
  readonly wait: WaitShown | null;
  readonly sessionId: string;
  readonly marks: string;
}

/** A wait for a person, with buttons to decide it. */
export function WaitCard({ line, wait, sessionId, marks }: WaitCardProps): JSX.Element {
  const text = useSignal('');
  const isBusy = useSignal(false);
  const decide = async (decision: Omit<Decision, 'key' | 'factsHash'>): Promise<void> => {
    if (wait === null) return;
    isBusy.value = true;
    await attempt(() => api.decide(sessionId, { key: wait.key, factsHash: wait.factsHash, ...decision }));
    isBusy.value = false;
  };
  const needsForm = wait !== null && wait.options.length === 0 && !wait.takesWords;
  const mayDecide = wait !== null && about.value?.may.talk === true;
  return (
    <section class={`line wait ${marks} ${wait === null ? 'over' : ''}`} aria-label="Wait">
      <p class="wait-head">
        <span class="tag">{wait === null ? 'answered' : 'waiting'}</span>
        {wait?.to != null && <span class="dim">{`for ${wait.to}`}</span>}
        {wait?.deadline != null && (
          <span class="dim small">{`until ${new Date(wait.deadline).toLocaleTimeString([])}`}</span>
        )}
      </p>
      <p>{escapeBidi(line.text)}</p>
      {wait !== null && Object.keys(wait.facts).length > 0 && <JsonView value={wait.facts} />}
      {mayDecide && (
        <form
          class="decide"
          onSubmit={(event) => {
            event.preventDefault();
            if (!needsForm) return void decide({ text: text.value });
            const resolution = parsed(text.value);
            if (resolution === null) failure.value = 'This is not a JSON object.';
            else void decide({ resolution });
          }}
        >
          {wait.options.map((option) => (
            <button
              key={option}
              type="button"
              disabled={isBusy.value}
              onClick={() => void decide({ decision: option, ...(text.value === '' ? {} : { comment: text.value }) })}
            >
              {escapeBidi(option)}
            </button>
          ))}
          {(wait.takesWords || needsForm) && (
            <>
              <input
                aria-label={needsForm ? 'Resolution as JSON' : 'Words'}
                placeholder={needsForm ? '{ "…": … }' : 'Your answer'}
                value={text.value}
                onInput={(event) => {
                  text.value = event.currentTarget.value;
                }}
              />
              <button type="submit" disabled={isBusy.value || text.value === ''}>
                Answer
              </button>
            </>
          )}
        </form>
      )}
    </section>
  );
}

function parsed(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text);
    // The server checks it against the schema of the wait.
    return isRecord(value) ? (value as JsonObject) : null;
  } catch {
    return null;
  }
}

import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import type { RequestShown } from '../../protocol/turn-shown.ts';
import { api, ApiError } from '../client/api.ts';
import { JsonView } from '../parts/json-view.tsx';
import { duration } from './duration.ts';

/** A model request and its answer, loaded when opened. */
export function RequestView({ id, isOpen }: { readonly id: string; readonly isOpen: boolean }): JSX.Element {
  const opened = useSignal(isOpen);
  const request = useSignal<RequestShown | string | null>(null);
  useEffect(() => {
    if (!opened.value) return;
    api.request(id).then(
      (shown) => {
        request.value = shown;
      },
      (error: unknown) => {
        request.value = error instanceof ApiError ? error.message : String(error);
      },
    );
  }, [id, opened.value]);
  const shown = request.value;
  return (
    <details
      class="request"
      open={opened.value}
      onToggle={(event) => {
        opened.value = event.currentTarget.open;
      }}
    >
      <summary>{titleOf(shown)}</summary>
      {typeof shown === 'string' ? <p class="dim">{shown}</p> : shown !== null && <Request request={shown} />}
    </details>
  );
}

function titleOf(request: RequestShown | string | null): string {
  if (request === null || typeof request === 'string') return 'Request';
  const first = request.firstTokenMs === null ? [] : [`first token after ${duration(request.firstTokenMs)}`];
  const took = request.tookMs === null ? ['is being answered'] : [`${duration(request.tookMs)} in all`];
  return [request.model, ...first, ...took].join(' · ');
}

function Request({ request }: { readonly request: RequestShown }): JSX.Element {
  const { messages, tools, answer, error } = request;
  return (
    <>
      <ol class="messages" aria-label="What the model was shown">
        {messages.map((message, index) => (
          <li key={index} class={message.role}>
            <span class="role">{message.name === undefined ? message.role : `${message.role} ${message.name}`}</span>
            <pre tabIndex={0}>{message.text}</pre>
          </li>
        ))}
      </ol>
      <details>
        <summary>{`${tools.length} tools offered`}</summary>
        <ul class="rows">
          {tools.map(({ name, description, parameters }) => (
            <li key={name}>
              <code>{name}</code> <span class="dim">{description}</span>
              <JsonView value={parameters} depth={2} />
            </li>
          ))}
        </ul>
      </details>
      <h3>Answer</h3>
      {error !== null && <p class="fault">{error}</p>}
      {answer.text !== '' && (
        <pre class="answer" tabIndex={0}>
          {answer.text}
        </pre>
      )}
      {answer.calls.map(({ name, arguments: given }, index) => (
        <pre key={index} class="answer" tabIndex={0}>{`${name}(${given})`}</pre>
      ))}
      {answer.text === '' && answer.calls.length === 0 && error === null && <p class="dim">Nothing yet.</p>}
    </>
  );
}

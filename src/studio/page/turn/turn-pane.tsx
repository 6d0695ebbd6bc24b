import { computed, signal } from '@preact/signals';
import type { JSX } from 'preact';
import type { TurnShown } from '../../protocol.ts';
import { openedSession, shownSeq, shownStep } from '../model/session.ts';
import { duration } from './duration.ts';
import { RequestView } from './request-view.tsx';
import { Waterfall } from './waterfall.tsx';

/** The turn that was chosen; null for the one of the step that is looked at. */
const chosenTurn = signal<string | null>(null);

const turn = computed<TurnShown | null>(() => {
  const turns = openedSession.value?.turns ?? [];
  const chosen = turns.find(({ turnId }) => turnId === chosenTurn.value);
  if (chosen !== undefined) return chosen;
  const at = shownSeq.value === null ? undefined : shownStep.value?.signal.at;
  const then = at === undefined ? undefined : turns.findLast(({ from }) => from <= at);
  return then ?? turns.at(-1) ?? null;
});

/** One turn as a waterfall, with what the model saw and answered. */
export function TurnPane(): JSX.Element {
  const turns = openedSession.value?.turns ?? [];
  const shown = turn.value;
  if (shown === null) return <p class="empty">The first turn of a conversation stands here, step by step.</p>;
  const requests = shown.spans.flatMap(({ requestId }) => (requestId === undefined ? [] : [requestId]));
  return (
    <div class="turn-pane">
      <div class="pane-head">
        <label class="field">
          <span class="sr-only">Turn</span>
          <select
            value={shown.turnId}
            onChange={(event) => {
              chosenTurn.value = event.currentTarget.value;
            }}
          >
            {turns.map(({ turnId, index, node }) => (
              <option key={turnId} value={turnId}>
                {`Turn ${index} · ${node}`}
              </option>
            ))}
          </select>
        </label>
        {chosenTurn.value !== null && (
          <button
            type="button"
            class="small"
            onClick={() => {
              chosenTurn.value = null;
            }}
          >
            Latest
          </button>
        )}
      </div>
      <dl class="figures">
        <Figure name="Took" value={shown.to === null ? 'under way' : duration(shown.to - shown.from)} />
        <Figure name="Model asked" value={`${shown.inferences}×`} />
        <Figure name="Transitions" value={String(shown.transitions)} />
        {shown.tokens !== null && (
          <Figure
            name="Tokens"
            value={`${shown.tokens.input} in, ${shown.tokens.output} out`}
            more={shown.tokens.cached > 0 ? `${shown.tokens.cached} cached` : ''}
          />
        )}
        {shown.cost !== null && <Figure name="Cost" value={shown.cost.toFixed(4)} />}
      </dl>
      <Waterfall turn={shown} />
      <section>
        <h2>Requests {requests.length > 0 && <span class="count">{requests.length}</span>}</h2>
        {requests.length === 0 ? (
          <p class="dim">No model was asked in this turn: the flow has answered by itself.</p>
        ) : (
          requests.map((id, index) => <RequestView key={id} id={id} isOpen={index === 0} />)
        )}
      </section>
    </div>
  );
}

function Figure(props: { readonly name: string; readonly value: string; readonly more?: string }): JSX.Element {
  return (
    <div>
      <dt>{props.name}</dt>
      <dd>
        {props.value}
        {props.more !== undefined && props.more !== '' && <span class="dim small">{` ${props.more}`}</span>}
      </dd>
    </div>
  );
}

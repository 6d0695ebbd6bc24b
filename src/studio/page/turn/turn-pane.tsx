import { computed, signal } from '@preact/signals';
import type { JSX } from 'preact';
import type { TurnTrace } from '../../../model/events/turn-trace.ts';
import type { TurnShown } from '../../protocol/turn-shown.ts';
import { openedSession, shownSeq, shownStep } from '../model/session.ts';
import { duration } from './duration.ts';
import { RequestView } from './request-view.tsx';
import { Waterfall } from './waterfall.tsx';

/** The selected turn; null for the turn of the selected step. */
const chosenTurn = signal<string | null>(null);

const turn = computed<TurnShown | null>(() => {
  const turns = openedSession.value?.turns ?? [];
  const chosen = turns.find(({ turnId }) => turnId === chosenTurn.value);
  if (chosen !== undefined) return chosen;
  const at = shownSeq.value === null ? undefined : shownStep.value?.signal.at;
  const then = at === undefined ? undefined : turns.findLast(({ from }) => from <= at);
  return then ?? turns.at(-1) ?? null;
});

/** A turn as a waterfall, with its model requests. */
export function TurnPane(): JSX.Element {
  const turns = openedSession.value?.turns ?? [];
  const shown = turn.value;
  if (shown === null) return <p class="empty">Start a conversation to see its turns here.</p>;
  const { trace, kept, requests, inPage } = shown;
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
      {trace === null ? (
        <p class="dim" role="status">
          {kept === null
            ? 'This turn is in progress. Its times are shown when its last word was heard.'
            : `An older release stored this turn without times: ${kept.inferences} model requests, ${kept.transitions} transitions.`}
        </p>
      ) : (
        <>
          <Figures trace={trace} />
          <Waterfall trace={trace} inPage={inPage} />
        </>
      )}
      <section>
        <h2>Requests {requests.length > 0 && <span class="count">{requests.length}</span>}</h2>
        {requests.length > 0 ? (
          requests.map(({ id }, index) => <RequestView key={id} id={id} isOpen={index === 0} />)
        ) : (trace?.inferences ?? kept?.inferences ?? 0) > 0 ? (
          <KeptAnswers turn={shown} />
        ) : (
          <p class="dim">No model request in this turn: the flow answered by itself.</p>
        )}
      </section>
    </div>
  );
}

function Figures({ trace }: { readonly trace: TurnTrace }): JSX.Element {
  const { ms, outcome, inferences, transitions, tokens, cost, moments } = trace;
  const { speechEnded, firstAudio } = moments;
  return (
    <dl class="figures">
      <Figure name="Took" value={duration(ms)} more={outcome} />
      {speechEnded !== undefined && firstAudio !== undefined && (
        <Figure name="First audio" value={duration(firstAudio - speechEnded)} />
      )}
      <Figure name="Model asked" value={`${inferences}×`} />
      <Figure name="Transitions" value={String(transitions)} />
      {tokens.input + tokens.output > 0 && (
        <Figure
          name="Tokens"
          value={`${tokens.input} in, ${tokens.output} out`}
          more={tokens.cached > 0 ? `${tokens.cached} cached` : ''}
        />
      )}
      {cost !== null && cost > 0 && <Figure name="Cost" value={String(cost)} />}
      {cost === null && <Figure name="Cost" value="no price" more="see prices of the configuration" />}
    </dl>
  );
}

/** The stored answers of a model; requests are not stored. */
function KeptAnswers({ turn }: { readonly turn: TurnShown }): JSX.Element {
  const until = turn.trace === null ? Infinity : turn.from + turn.trace.ms;
  const answers = (openedSession.value?.steps ?? []).flatMap(({ seq, signal }) =>
    signal.type === 'batch:settled' && signal.at >= turn.from && signal.at <= until ? [{ seq, signal }] : [],
  );
  return (
    <>
      <p class="dim">Requests are not stored. The stored answers:</p>
      {answers.map(({ seq, signal: { text, calls } }) => (
        <div key={seq}>
          {text !== '' && (
            <pre class="answer" tabIndex={0}>
              {text}
            </pre>
          )}
          {calls.map(({ callId, name, arguments: given }) => (
            <pre key={callId} class="answer" tabIndex={0}>{`${name}(${JSON.stringify(given)})`}</pre>
          ))}
        </div>
      ))}
    </>
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

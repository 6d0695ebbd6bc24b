import type { JSX } from 'preact';
import { escapeBidi } from '../../../model/ports/escape-bidi.ts';
import type { SessionShown, TalkLine } from '../../protocol/session-shown.ts';
import { JsonView } from '../parts/json-view.tsx';
import { openedSession, shownSeq } from '../model/session.ts';
import { selectNode } from '../model/view.ts';
import { WaitCard } from './wait-card.tsx';

interface LineProps {
  readonly line: TalkLine;
  readonly session: SessionShown;
  /** Whether it belongs to the selected step. */
  readonly isPast: boolean;
  /** Whether it comes after the selected step. */
  readonly isFuture: boolean;
}

/** A line of the talk. Speech is inserted as text, never as markup. */
export function Line({ line, session, isPast, isFuture }: LineProps): JSX.Element {
  const marks = `${isPast ? 'shown' : ''} ${isFuture ? 'future' : ''} ${line.state}`;
  if (line.who === 'tool') return <ToolLine line={line} marks={marks} />;
  if (line.who === 'wait') {
    const wait = session.waits.find(({ key }) => key === line.waitKey);
    return <WaitCard line={line} wait={wait ?? null} sessionId={session.sessionId} marks={marks} />;
  }
  if (line.who === 'note') return <p class={`line note ${marks}`}>{escapeBidi(line.text)}</p>;
  return (
    <div class={`line ${line.who} ${marks}`}>
      <p class="said">
        <span class="sr-only">{`${names[line.who]}: `}</span>
        <Heard line={line} />
      </p>
      <p class="about">
        {line.who === 'operator' && <span>a person</span>}
        {line.node !== undefined && line.who === 'agent' && (
          <button type="button" class="link" onClick={() => selectNode(line.node ?? '')}>
            {line.node}
          </button>
        )}
        {line.via !== undefined && line.via !== 'typed' && <span>{line.via}</span>}
        {line.state === 'cut' && <span>cut off</span>}
        {line.seq !== undefined && <SeqButton seq={line.seq} />}
      </p>
    </div>
  );
}

const names = { caller: 'Caller', agent: 'Agent', operator: 'Person' } as const;

/** The heard part, with the unheard part greyed out. */
function Heard({ line: { text, heard, state } }: { readonly line: TalkLine }): JSX.Element {
  if (heard === null || state === 'open' || heard.length >= text.length)
    return <>{text === '' ? '…' : escapeBidi(text)}</>;
  return (
    <>
      {escapeBidi(text.slice(0, heard.length))}
      <span class="unheard">
        <span class="sr-only"> not heard: </span>
        {escapeBidi(text.slice(heard.length))}
      </span>
    </>
  );
}

function SeqButton({ seq }: { readonly seq: number }): JSX.Element {
  return (
    <button
      type="button"
      class="link seq"
      aria-label={`Go to step ${seq}`}
      onClick={() => {
        shownSeq.value = seq === openedSession.value?.steps.at(-1)?.seq ? null : seq;
      }}
    >
      {`#${seq}`}
    </button>
  );
}

function ToolLine({ line, marks }: { readonly line: TalkLine; readonly marks: string }): JSX.Element {
  const { call } = line;
  if (call === undefined) return <p class={`line note ${marks}`}>{escapeBidi(line.text)}</p>;
  const isSettled = call.result !== undefined || call.error !== undefined;
  return (
    <details class={`line tool ${call.state} ${marks}`}>
      <summary>
        <code>{call.name}</code>
        <span class="tool-arguments">{escapeBidi(argumentsText(call.arguments))}</span>
        {call.write && <span class="tag">write</span>}
        <span class={`tag ${call.state}`}>{call.state}</span>
      </summary>
      <h3>Arguments</h3>
      <JsonView value={call.arguments} />
      {isSettled && <h3>{call.error === undefined ? 'Result' : 'Error'}</h3>}
      {isSettled &&
        (call.error === undefined ? <JsonView value={call.result} /> : <p class="fault">{escapeBidi(call.error)}</p>)}
      {line.seq !== undefined && <SeqButton seq={line.seq} />}
    </details>
  );
}

function argumentsText(given: object): string {
  return Object.values(given)
    .map((value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value)))
    .join(', ');
}

import type { JSX } from 'preact';
import {
  hasFailed,
  momentNames,
  momentWords,
  spanName,
  type TurnMoments,
  type TurnSpan,
  type TurnTrace,
} from '../../../model/events/turn-trace.ts';
import type { TurnShown } from '../../protocol/turn-shown.ts';
import { duration } from './duration.ts';

/** A row: a span of the turn, or a moment (`ms` 0 and `isMoment`). */
interface Row {
  /** The OpenTelemetry name. */
  readonly name: string;
  /** An explanation, if the name is not enough. */
  readonly text: string;
  readonly family: 'flow' | 'chat' | 'tool' | 'speech';
  readonly at: number;
  /** Null if it was still running at the end of the turn. */
  readonly ms: number | null;
  readonly isMoment: boolean;
  readonly isFailed: boolean;
}

/** The spans and moments of a turn, one row each in order of their start, on a common time axis. */
export function Waterfall({
  trace,
  inPage,
}: {
  readonly trace: TurnTrace;
  readonly inPage: TurnShown['inPage'];
}): JSX.Element {
  const rows = [
    ...trace.spans.map(rowOf),
    ...momentKeys.flatMap((moment) => momentRow(moment, trace.moments[moment])),
    ...inPage.map((timing) => pageRow(timing, trace.startedAt)),
  ].toSorted((a, b) => a.at - b.at || lengthOf(b) - lengthOf(a));
  const from = Math.min(0, ...rows.map(({ at }) => at));
  const whole = Math.max(trace.ms - from, ...rows.map(({ at, ms }) => at + (ms ?? 0) - from), 1);
  const share = (ms: number): string => `${((ms / whole) * 100).toFixed(2)}%`;
  return (
    <div class="waterfall">
      <table>
        <caption class="sr-only">Waterfall of the turn</caption>
        <thead class="sr-only">
          <tr>
            <th>What</th>
            <th>When and how long</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, text, family, at, ms, isMoment, isFailed }, index) => (
            <tr key={index} class={isFailed ? 'failed' : ''}>
              <th scope="row" title={`${name} ${text}`}>
                {isMoment ? text : name}
                {!isMoment && text !== '' && <span class="dim small">{` ${text}`}</span>}
              </th>
              <td>
                <span class="track">
                  <span
                    class={`bar ${family} ${isMoment ? 'moment' : ''} ${ms === null ? 'open' : ''}`}
                    style={{ left: share(at - from), width: isMoment ? undefined : share(ms ?? whole - (at - from)) }}
                  />
                </span>
                <span class="when">{`${whenText({ at, ms, isMoment })} `}</span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function rowOf(span: TurnSpan): Row {
  const { at, ms } = span;
  return {
    ...{ name: spanName(span), text: aboutOf(span), at, ms, isMoment: false },
    family:
      span.name === 'chat'
        ? 'chat'
        : span.name === 'execute_tool'
          ? 'tool'
          : span.name === 'flow.listen' || span.name === 'flow.speak'
            ? 'speech'
            : 'flow',
    isFailed: hasFailed(span),
  };
}

function aboutOf(span: TurnSpan): string {
  switch (span.name) {
    case 'flow.step':
      return span.to === undefined ? span.signal : `${span.signal} → ${span.to}`;
    case 'flow.task':
      return span.node;
    case 'flow.hook':
      return span.hook;
    case 'chat':
      return span.use === 'reply' ? '' : span.use;
    case 'execute_tool':
      return span.state === undefined || span.state === 'done' ? '' : span.state;
    case 'flow.speak':
      return span.interrupted === true ? 'cut off' : '';
    default:
      return '';
  }
}

function momentRow(moment: keyof TurnMoments, at: number | undefined): readonly Row[] {
  if (at === undefined) return [];
  const family = /^(?:speechEnded|transcript|firstAudio|heard)$/.test(moment) ? 'speech' : 'flow';
  return [{ name: momentNames[moment], text: momentWords[moment], family, at, ms: 0, isMoment: true, isFailed: false }];
}

const momentKeys = Object.keys(momentWords) as (keyof TurnMoments)[]; // The keys of the object.

/** A moment that only the page can measure. */
function pageRow({ name, at }: TurnShown['inPage'][number], startedAt: number): Row {
  const text = name === 'speech.end' ? 'end of speech, in this page' : 'first sound, in this page';
  return { name, text, family: 'speech', at: at - startedAt, ms: 0, isMoment: true, isFailed: false };
}

function whenText({ at, ms, isMoment }: Pick<Row, 'at' | 'ms' | 'isMoment'>): string {
  if (isMoment) return `at ${duration(at)}`;
  return ms === null ? 'not over' : duration(ms);
}

function lengthOf({ ms }: Row): number {
  return ms ?? Number.POSITIVE_INFINITY;
}

import type { JSX } from 'preact';
import type { SpanShown, TurnShown } from '../../protocol.ts';
import { serverNow } from '../model/studio.ts';
import { duration } from './duration.ts';

/** What happened in a turn, one row each, in the order of its beginning, over one axis of time. */
export function Waterfall({ turn }: { readonly turn: TurnShown }): JSX.Element {
  const spans = turn.spans
    // What is left of the turn before is no part of this one; the words that began it are.
    .filter(({ name, from }) => from >= turn.from - tail || /^speech\.(?:end|transcript)$/.test(name))
    .toSorted((a, b) => a.from - b.from || lengthOf(b) - lengthOf(a));
  const from = Math.min(turn.from, ...spans.map((span) => span.from));
  const to = Math.max(turn.to ?? turn.from, ...spans.map((span) => span.to ?? serverNow()));
  const whole = Math.max(to - from, 1);
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
          {spans.map((span) => {
            const length = (span.to ?? serverNow()) - span.from;
            const isMoment = span.to === span.from;
            return (
              <tr key={span.id} class={span.isFailed ? 'failed' : ''}>
                <th scope="row" title={`${span.name} ${span.label}`}>
                  {titleOf(span)}
                  {span.label !== titleOf(span) && <span class="dim small">{` ${span.label}`}</span>}
                </th>
                <td>
                  <span class="track">
                    <span
                      class={`bar ${familyOf(span.name)} ${isMoment ? 'moment' : ''} ${span.to === null ? 'open' : ''}`}
                      style={{ left: share(span.from - from), width: isMoment ? undefined : share(length) }}
                    />
                  </span>
                  <span class="when">{`${isMoment ? `at ${duration(span.from - from)}` : duration(length)} `}</span>
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

/** A step begins its turn: two clocks may differ by so many milliseconds. */
const tail = 20;

const titles: Readonly<Record<string, string>> = {
  ...{ 'flow.turn': 'turn', 'flow.step': 'step', 'flow.commit': 'commit', 'gen_ai.request': 'request' },
  ...{ 'gen_ai.first_token': 'first token', 'flow.tool': 'tool', 'speech.end': 'end of speech' },
  ...{
    'flow.turn.taken': 'turn taken',
    'speech.transcript': 'transcript',
    'speech.first_audio': 'first audio',
    'speech.heard': 'heard',
  },
} as const;

function titleOf({ name }: SpanShown): string {
  return titles[name] ?? name;
}

function familyOf(name: string): string {
  return name.split('.', 1)[0] ?? name;
}

function lengthOf({ from, to }: SpanShown): number {
  return (to ?? Number.POSITIVE_INFINITY) - from;
}

import type { Event } from '../../model/events/event.ts';
import {
  hasFailed,
  isTurnTrace,
  momentWords,
  spanName,
  type TurnMoments,
  type TurnTrace,
} from '../../model/events/turn-trace.ts';
import { timeText, turnLine } from '../../livekit/traces/turn-line.ts';

/** The width of a whole turn in characters. */
const width = 40;

/** Returns a turn as lines for a terminal: its duration, its moments and a bar for each span. */
export function waterfall({ turnId = '', time, data }: Extract<Event, { type: 'turn:completed' }>): readonly string[] {
  const number = turnId.slice(turnId.lastIndexOf('/') + 1);
  if (!isTurnTrace(data)) return [`turn ${number}  stored by an older release, without times`];
  const began = new Date(Math.min(data.startedAt, time)).toISOString();
  return [`turn ${number}  ${began}  ${turnLine(data)}`, `  ${momentsLine(data.moments)}`, ...bars(data)];
}

function momentsLine(reached: TurnMoments): string {
  const known = Object.entries(momentWords).flatMap(([moment, text]) => {
    const at = reached[moment as keyof TurnMoments];
    return at === undefined ? [] : [{ at, text: `${text} ${at}` }];
  });
  const inOrder = known.toSorted((one, other) => one.at - other.at).map(({ text }) => text);
  return `${inOrder.join(' · ')} ms`;
}

function bars({ spans, ms: whole }: TurnTrace): readonly string[] {
  const rows = spans.map((span) => {
    const about = span.name === 'flow.step' ? ` ${span.signal}` : '';
    const fault = hasFailed(span) ? '  failed' : '';
    const took = span.ms === null ? 'not over' : timeText(span.ms);
    const tokens =
      span.name === 'chat' && span.tokens !== undefined ? `  ${span.tokens.input} + ${span.tokens.output}` : '';
    return {
      name: `${spanName(span)}${about}`,
      bar: barOf(span.at, span.ms ?? whole - span.at, whole),
      took: `${took}${tokens}${fault}`,
    };
  });
  const longest = Math.max(0, ...rows.map(({ name }) => name.length));
  return rows.map(({ name, bar, took }) => `  ${name.padEnd(longest)}  ${bar}  ${took}`);
}

/** Draws a bar of at least one character, because most steps take almost no time. */
function barOf(at: number, ms: number, whole: number): string {
  const scale = whole === 0 ? 0 : width / whole;
  const from = Math.min(Math.floor(at * scale), width - 1);
  const to = Math.min(Math.max(Math.round((at + ms) * scale), from + 1), width);
  return `${' '.repeat(from)}${(ms === 0 ? '|' : '█').repeat(to - from)}${' '.repeat(width - to)}`;
}

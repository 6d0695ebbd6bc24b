import { spanName, type TurnTrace } from '../../../src/model/events/turn-trace.ts';

/** Returns the turns among events, in order. */
export function turnsIn(events: readonly { readonly type: string; readonly data: unknown }[]): readonly TurnTrace[] {
  // The event of this name has such data.
  return events.flatMap(({ type, data }) => (type === 'turn:completed' ? [data as TurnTrace] : []));
}

/** Returns the bars of a turn's waterfall: name, start and length. */
export function barsOf({ spans }: TurnTrace): readonly string[] {
  return spans.map((span) => {
    const about = span.name === 'flow.step' ? ` ${span.signal}` : '';
    return `${spanName(span)}${about} ${span.at}+${span.ms}`;
  });
}

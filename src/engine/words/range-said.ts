import type { GraphSlot } from '../../flow/graph/graph.ts';
import { typeOf } from '../../flow/slots/slot-types.ts';
import { confirmationIn } from '../../kernel/state/draft.ts';
import type { Moment } from '../../kernel/state/names.ts';
import { valueOf } from '../../kernel/state/slots.ts';
import type { RangeParts } from '../../model/ports/reader.ts';
import { isSaidAlone, readingOptions } from './read-slot.ts';
import type { SaidSlot } from './value-said.ts';

type Value = string | number | boolean;

/**
 * Returns the values of both slots of a range if the text says one and nothing else: the slot that is asked for comes
 * first. Empty if rules are not certain of both ends.
 */
export function rangeSaid(moment: Moment, text: string): readonly NonNullable<SaidSlot>[] {
  const { reader, slots } = moment.graph;
  if (reader.ranges === undefined || text.includes('?')) return [];
  const open = [...slots.values()].flatMap((end) => {
    const start = slots.get(end.ends ?? '');
    return start !== undefined && mayFill(moment, start, end, text) ? [{ start, end }] : [];
  });
  const [pair] = open;
  if (pair === undefined || open.length > 1) return [];
  for (const parts of reader.ranges(text)) {
    const values = reader.isConnecting(parts.lead, '') ? bothEnds(moment, pair.start, pair.end, parts) : null;
    if (values === null) continue;
    const back = reader.leaning(parts.lead) === 'no' ? ({ takesBack: true } as const) : {};
    const said = [
      { slot: pair.start.name, value: values[0], ...back },
      { slot: pair.end.name, value: values[1], ...back },
    ];
    return askedFor(moment) === pair.end.name ? said.toReversed() : said;
  }
  return [];
}

/** Returns the slot that the open question is about. */
function askedFor({ state }: Moment): string | null {
  const subject = confirmationIn(state)?.payload.subject;
  return subject === undefined ? state.dialogue.pendingAskKey : subject.kind === 'slot' ? subject.slot : null;
}

/** Checks whether a question about one of the slots is open, or whether the text corrects both. */
function mayFill(moment: Moment, start: GraphSlot, end: GraphSlot, text: string): boolean {
  const { graph, state } = moment;
  const asked = askedFor(moment);
  if (asked === start.name || asked === end.name) return true;
  const isKnown = [start, end].every(({ name }) => valueOf(state, name) !== undefined);
  return isKnown && (graph.reader.leaning(text) === 'no' || graph.reader.consent(text).leansNo === true);
}

function bothEnds(moment: Moment, start: GraphSlot, end: GraphSlot, parts: RangeParts): readonly [Value, Value] | null {
  const { civil } = moment;
  const isDay = typeOf(end).readAs === 'date';
  const plain = certainIn(moment, start, parts.from, civil);
  const last = certainIn(moment, end, parts.to, civil);
  const from = borrowed(moment, start, parts, last) ?? plain;
  if (from === null) return null;
  if (last !== null && last > from) return [from, last];
  // "From Monday to Friday", said on a Wednesday: the Friday after the Monday.
  const later = isDay ? certainIn(moment, end, parts.to, `${String(from)}T00:00`) : null;
  return later !== null && later > from ? [from, later] : null;
}

/** Reads the beginning with the words that both ends share: "from the third to the fifth of May", "two to four pm". */
function borrowed(moment: Moment, start: GraphSlot, { from, to }: RangeParts, last: Value | null): Value | null {
  const words = to.split(/\s+/);
  if (last === null) return null;
  for (let at = 1; at < words.length && at <= MOST_SHARED; at += 1) {
    const value = certainIn(moment, start, `${from} ${words.slice(at).join(' ')}`, moment.civil);
    if (value !== null && value < last) return value;
  }
  return null;
}

const MOST_SHARED = 4;

/** Returns the value that makes up a text, if the rules are certain of it. */
function certainIn({ graph: { reader } }: Moment, slot: GraphSlot, text: string, now: string): Value | null {
  const found = reader.value(typeOf(slot).readAs, text, readingOptions(slot, now));
  return found.ok && found.certain && isSaidAlone(reader, text, found) ? found.value : null;
}

import { confirmationIn } from '../../kernel/draft.ts';
import type { Moment } from '../../kernel/names.ts';
import type { GraphSlot } from '../../graph/graph.ts';
import { typeOf } from '../../slots/slot-types.ts';
import { askedAbout } from './asked-about.ts';
import { readingOptions } from './read-slot.ts';
import { type SaidSlot, valueSaid } from './value-said.ts';

/** A part of a number is one that so many digits more make a whole one. */
const digitsLeft = [4, 5, 6, 7, 8, 9];

/** The number that the words complete, a part of which was said in the turn before: "four one five", then "555 2671". */
export function completedSaid(moment: Moment, slot: GraphSlot, text: string): SaidSlot {
  const { callerSaid } = moment.state;
  if (callerSaid.partOf !== slot.name) return undefined;
  const whole = valueSaid(moment, slot, `${callerSaid.text} ${text}`);
  const alone = valueSaid(moment, slot, text);
  if (whole === undefined || alone === undefined) return whole;
  // Both are numbers: one that begins with a zero or a plus is said anew.
  return /^\D*[0+]/.test(text) ? alone : { ...whole, isUnsure: true };
}

/** The slot of a number that was asked for and of which the words are only a part; undefined if they are not. */
export function partSaid(moment: Moment, text: string): string | undefined {
  const { graph, state, civil } = moment;
  const slot = graph.slots.get(state.pendingAskKey ?? '');
  if (slot === undefined || typeOf(slot).readAs !== 'phone' || confirmationIn(state) !== undefined) return undefined;
  const said = state.said.text === '' ? state.saidBefore.text : state.said.text;
  if (askedAbout(graph, state, slot, said) !== 'this') return undefined;
  const found = graph.reader.value('phone', text, readingOptions(slot, civil));
  if (found.ok || found.missing !== 'digits') return undefined;
  const { callerSaid } = state;
  const before = callerSaid.partOf === slot.name ? `${callerSaid.text} ` : '';
  // All other words only lead to it: "December first at 9:30" is no beginning of a number.
  const isPart = digitsLeft.some(
    (left) => valueSaid(moment, slot, `${before}${text} ${'2'.repeat(left)}`) !== undefined,
  );
  return isPart ? slot.name : undefined;
}

import { confirmationIn, lastSaid } from '../../kernel/state/draft.ts';
import type { Moment } from '../../kernel/state/names.ts';
import type { GraphSlot } from '../../flow/graph/graph.ts';
import { typeOf } from '../../flow/slots/slot-types.ts';
import { askedSlot } from '../../flow/graph/generator-graph.ts';
import { questionOf } from '../../kernel/generator/frame.ts';
import { askedAbout } from './asked-about.ts';
import { problemOf, readingOptions } from './read-slot.ts';
import { type SaidSlot, valueSaid } from './value-said.ts';

/** How many more digits may complete a number. */
const digitsLeft = [4, 5, 6, 7, 8, 9];

/** Returns the number that the words complete after a part in the previous turn: "four one five", then "555 2671". */
export function completedSaid(moment: Moment, slot: GraphSlot, text: string): SaidSlot {
  const { callerSaid } = moment.state.dialogue;
  if (callerSaid.partOf !== slot.name) return undefined;
  const whole = valueSaid(moment, slot, `${callerSaid.text} ${text}`);
  const alone = valueSaid(moment, slot, text);
  if (whole === undefined || alone === undefined) return whole;
  // Both are whole numbers: a zero or a plus begins a new one.
  return /^\D*[0+]/.test(text) ? alone : { ...whole, isUnsure: true };
}

/** Returns the slot of the requested number and what is missing, if the words are only a part of it. */
export function partSaid(
  moment: Moment,
  text: string,
): { readonly slot: string; readonly problem: string } | undefined {
  const { graph, state, civil } = moment;
  const slot = graph.slots.get(state.dialogue.pendingAskKey ?? '') ?? generatorSlot(moment);
  if (slot === null || typeOf(slot).readAs !== 'phone' || confirmationIn(state) !== undefined) return undefined;
  if (askedAbout(graph, state, slot, lastSaid(state)) !== 'this') return undefined;
  const found = graph.reader.value('phone', text, readingOptions(slot, civil));
  if (found.ok || found.missing !== 'digits') return undefined;
  const { callerSaid } = state.dialogue;
  const before = callerSaid.partOf === slot.name ? `${callerSaid.text} ` : '';
  // All other words must lead to the number: "December first at 9:30" does not begin one.
  const isPart = digitsLeft.some(
    (left) => valueSaid(moment, slot, `${before}${text} ${'2'.repeat(left)}`) !== undefined,
  );
  return isPart ? { slot: slot.name, problem: problemOf(found) } : undefined;
}

/** Returns the slot whose rules read the answer to a generator's question; null if there is none. */
export function generatorSlot({ graph, state }: Moment): GraphSlot | null {
  const question = questionOf(state);
  return question === null ? null : askedSlot(question, graph.speech);
}

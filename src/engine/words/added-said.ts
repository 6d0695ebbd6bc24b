import type { GraphSlot } from '../../flow/graph/graph.ts';
import { typeOf } from '../../flow/slots/slot-types.ts';
import { sameValue } from '../../flow/expression/same-value.ts';
import { nodeOf } from '../../kernel/move/offers.ts';
import { confirmationIn } from '../../kernel/state/draft.ts';
import { type Moment, sayValue } from '../../kernel/state/names.ts';
import { valueToAsk } from '../../kernel/state/proposed.ts';
import { valueOf } from '../../kernel/state/slots.ts';
import { readingOptions } from './read-slot.ts';
import { type SaidSlot, valueSaid } from './value-said.ts';

/**
 * Returns the one value that the words add to a yes or a no at an open question: "yes, but there are three of us". It may
 * be of any slot, also of one that the question does not name. Without a yes or a no, only of a slot that the node lacks.
 */
export function addedSaid(moment: Moment, text: string): SaidSlot {
  const { graph, state } = moment;
  const subject = confirmationIn(state)?.payload.subject;
  if (subject === undefined || state.dialogue.modelAsked) return undefined;
  const behind = graph.reader.behindAnswer(text);
  if (behind === null && subject.kind !== 'slot') return undefined;
  const rest = text.slice(behind?.start ?? 0);
  const lacking = nodeOf(graph, state, state.position.node)?.collect ?? [];
  const said = [...graph.slots.values()].flatMap((slot) => {
    const known = valueOf(state, slot.name);
    if (behind === null && (known !== undefined || !lacking.includes(slot.name))) return [];
    const value = tellsItself(moment, slot, rest) ? valueSaid(moment, slot, rest) : undefined;
    return value === undefined || value.isUnsure === true ? [] : [{ ...value, known }];
  });
  const [only] = said;
  if (only === undefined || said.length > 1) return undefined;
  const { known, ...value } = only;
  if (known !== undefined && sameValue(valueToAsk(known), value.value)) return undefined;
  const isBeside = subject.kind === 'slot' && subject.slot !== value.slot;
  return { ...value, ...(behind?.answer === 'yes' && isBeside ? { agrees: true as const } : {}) };
}

/** Checks whether words show that they are of a slot that no question asks for: "three of us", and not "three". */
function tellsItself(moment: Moment, slot: GraphSlot, text: string): boolean {
  const { graph, civil } = moment;
  const { readAs, isTold } = typeOf(slot);
  if (isTold !== true) return false;
  const found = graph.reader.value(readAs, text, { ...readingOptions(slot, civil), asked: readAs !== 'name' });
  if (!found.ok || !found.certain) return false;
  if (readAs !== 'integer' && readAs !== 'number') return true;
  // "Yes, we have one" only agrees.
  if (found.value === 1) return false;
  return graph.reader.wordCount(text) > graph.reader.wordCount(sayValue(moment, slot, found.value));
}

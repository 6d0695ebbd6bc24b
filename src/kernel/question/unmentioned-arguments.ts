import type { ToolPayload } from '../../model/effect.ts';
import type { Json } from '../../model/json.ts';
import { sameValue } from '../../flow/expression/same-value.ts';
import { somePart } from '../../flow/expression/some-part.ts';
import { templateReferences } from '../../flow/expression/template.ts';
import type { Wordings } from '../../flow/expression/wordings.ts';
import { typeOf } from '../../flow/slots/slot-types.ts';
import type { Draft } from '../state/draft.ts';
import { nodeOf } from '../move/offers.ts';
import { valueOf } from '../state/slots.ts';

/**
 * Returns the arguments that the author's question must say and does not: ungrounded ones, those that rules cannot find
 * in the words and that replace a known value, and those that differ from what it says.
 */
export function unmentionedArguments(draft: Draft, { texts }: Wordings, call: ToolPayload): readonly string[] {
  const { provenance = {} } = call;
  const ungrounded = Object.entries(call.arguments).flatMap(([name, value]) => {
    const grounded = Object.hasOwn(provenance, name) ? provenance[name]?.grounded : undefined;
    const known = valueOf(draft.state, name);
    const isOther = grounded === null && known !== undefined && !sameValue(known.value, value);
    return grounded === false || isOther ? [name] : [];
  });
  const said = texts.map((template) => {
    const read = templateReferences(template);
    return new Set(read.map(({ path: [first, second] }) => String(first === 'args' ? second : first)));
  });
  const isUnsaid = (name: string): boolean => said.some((names) => !names.has(name));
  const other = said.flatMap((names) => otherThanSaid(draft, names, call));
  return [...new Set([...ungrounded, ...other])].filter(isUnsaid);
}

/**
 * Returns arguments of unknown origin, if the question says a slot of the same type that the call does not contain: "a
 * table for 15" about `book({ n: 4 })`.
 */
function otherThanSaid(
  draft: Draft,
  said: ReadonlySet<string>,
  { arguments: given, name: called, node }: ToolPayload,
): readonly string[] {
  const { graph, state } = draft;
  const values = Object.values(given);
  const call = nodeOf(graph, state, node)?.call;
  const bound = call?.function === called ? call.input : {};
  const unknown = Object.entries(given).filter(
    ([name, value]) =>
      !graph.slots.has(name) && !said.has(name) && !Object.hasOwn(bound, name) && !isKnown(draft, value),
  );
  if (unknown.length === 0) return [];
  return [...said].flatMap((name) => {
    const slot = graph.slots.get(name);
    const known = valueOf(state, name)?.value;
    if (slot === undefined || known === undefined || Object.hasOwn(given, name)) return [];
    if (values.some((value) => sameValue(value, known))) return [];
    const { form, isAnyWords, readAs } = typeOf(slot);
    // Any text can be a text or a name, so this does not show a relation.
    if (isAnyWords === true || readAs === 'name') return [];
    return unknown.flatMap(([argument, value]) => (form(value, slot).ok ? [argument] : []));
  });
}

/** Checks whether a value is the value of a slot, or occurs in a variable, an output or the input. */
function isKnown({ state }: Draft, value: Json): boolean {
  const known = [
    ...Object.values(state.knowledge.slots).map((one) => one.value),
    state.knowledge.variables,
    state.knowledge.outputs,
    state.knowledge.input,
  ];
  return known.some((one) => somePart(one, (part) => sameValue(part, value)));
}

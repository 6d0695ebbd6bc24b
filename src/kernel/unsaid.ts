import type { ToolPayload } from '../events/effect.ts';
import type { Json } from '../events/json.ts';
import { sameValue } from '../expression/same-value.ts';
import { somePart } from '../expression/some-part.ts';
import { templateReferences } from '../expression/template.ts';
import type { Wordings } from '../expression/wordings.ts';
import { typeOf } from '../slots/slot-types.ts';
import type { Draft } from './draft.ts';
import { nodeOf } from './offers.ts';
import { valueOf } from './slots.ts';

/**
 * The arguments that the author's question about a call leaves out though the caller must hear them: those that were found
 * nowhere, and those that are other than what the question says.
 */
export function unsaidIn(draft: Draft, { texts }: Wordings, call: ToolPayload): readonly string[] {
  const { provenance = {} } = call;
  const ungrounded = Object.keys(provenance).filter((name) => provenance[name]?.grounded === false);
  const said = texts.map((template) => {
    const read = templateReferences(template);
    return new Set(read.map(({ path: [first, second] }) => String(first === 'args' ? second : first)));
  });
  const isUnsaid = (name: string): boolean => said.some((names) => !names.has(name));
  const other = said.flatMap((names) => otherThanSaid(draft, names, call));
  return [...new Set([...ungrounded, ...other])].filter(isUnsaid);
}

/**
 * The arguments of a value that is known from nowhere, where the question says the value of a slot of the same kind that the
 * call does not have: "a table for 15" about `book({ n: 4 })`.
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
    // Any text is a text or a name: nothing shows that one stands for the other.
    if (isAnyWords === true || readAs === 'name') return [];
    return unknown.flatMap(([argument, value]) => (form(value, slot).ok ? [argument] : []));
  });
}

/** Whether a value is the one of a slot, or stands somewhere in a variable, an output or the input. */
function isKnown({ state }: Draft, value: Json): boolean {
  const known = [...Object.values(state.slots).map((one) => one.value), state.variables, state.outputs, state.input];
  return known.some((one) => somePart(one, (part) => sameValue(part, value)));
}

import type { Lookup } from '../expression/path.ts';
import { renderTemplate, type Template } from '../expression/template.ts';
import type { Json, JsonObject } from '../events/json.ts';
import type { Graph, GraphSlot } from '../graph/graph.ts';
import { civilTime } from './civil-time.ts';
import { spokenForm } from './spoken-form.ts';
import type { SessionState } from './state.ts';

/** Resolves a name as flows do: slots, then variables, then node outputs, then input. */
export function lookupOf(state: SessionState): Lookup {
  return (name) => {
    if (Object.hasOwn(state.slots, name)) return state.slots[name]?.value;
    if (Object.hasOwn(state.variables, name)) return state.variables[name];
    if (Object.hasOwn(state.outputs, name)) return state.outputs[name];
    return Object.hasOwn(state.input, name) ? state.input[name] : undefined;
  };
}

/** Fills a text that is spoken at a moment: slots in the form in which people say them, `local` before other names. */
export function speak(
  graph: Graph,
  state: SessionState,
  at: number,
  template: Template,
  local: JsonObject = {},
): string {
  const lookup = lookupOf(state);
  const { text } = renderTemplate(template, (name) => {
    if (Object.hasOwn(local, name)) return local[name];
    const slot = graph.slots.get(name);
    const value = lookup(name);
    return slot === undefined || !Object.hasOwn(state.slots, name) ? value : sayValue(state, at, slot, value as Json);
  });
  return text.trim();
}

/** A value of a slot as a person would say it at a moment. */
export function sayValue(state: SessionState, at: number, slot: GraphSlot, value: Json): string {
  return spokenForm(slot, value, () => civilTime(at, state.timeZone).slice(0, 10));
}

/** The same object with one own member set, whatever its name. */
export function withMember<Value>(
  object: Readonly<Record<string, Value>>,
  name: string,
  value: Value,
): Readonly<Record<string, Value>> {
  return { ...object, [name]: value };
}

/** The same object without one member. */
export function withoutMember<Value>(
  object: Readonly<Record<string, Value>>,
  name: string,
): Readonly<Record<string, Value>> {
  const { [name]: _removed, ...rest } = object;
  return rest;
}

import type { Graph, GraphFunction } from '../../flow/graph/graph.ts';
import { isJsonObject, type Json, type JsonObject } from '../../model/json.ts';
import { isSealedIn } from './sealed-slot.ts';
import type { SessionState } from '../state/state.ts';

/** Cached, so that the identity of a function is stable. */
const shortened = new WeakMap<GraphFunction, Map<string, GraphFunction>>();

/** Names of the parameters that a function has lost. */
const lost = new WeakMap<GraphFunction, readonly string[]>();

/** Returns functions as the model sees them: without parameters named after slots whose digits it must not know. */
export function withoutSealed(
  graph: Graph,
  state: SessionState,
  functions: readonly GraphFunction[],
): readonly GraphFunction[] {
  const sealed = [...graph.slots.values()].filter((slot) =>
    isSealedIn(
      slot,
      Object.hasOwn(state.knowledge.slots, slot.name) ? state.knowledge.slots[slot.name]?.value : undefined,
    ),
  );
  if (sealed.length === 0) return functions;
  const names = sealed.map(({ name }) => name);
  return functions.map((offered) => (offered.body === 'record' ? offered : shorten(offered, names)));
}

/** Returns the sealed arguments of a function that the model calls without them. */
export function sealedArguments({ knowledge: { slots } }: SessionState, offered: GraphFunction): JsonObject {
  const found = (lost.get(offered) ?? []).flatMap((name): [string, Json][] => {
    const known = Object.hasOwn(slots, name) ? slots[name] : undefined;
    return known === undefined ? [] : [[name, known.value]];
  });
  return Object.fromEntries(found);
}

function shorten(offered: GraphFunction, names: readonly string[]): GraphFunction {
  const properties = offered.parameters['properties'];
  if (properties === undefined || !isJsonObject(properties)) return offered;
  const gone = names.filter((name) => Object.hasOwn(properties, name));
  if (gone.length === 0) return offered;
  const known = shortened.get(offered) ?? new Map<string, GraphFunction>();
  shortened.set(offered, known);
  const id = gone.join(' ');
  const made = known.get(id) ?? { ...offered, parameters: withoutNames(offered.parameters, properties, gone) };
  known.set(id, made);
  lost.set(made, gone);
  return made;
}

function withoutNames(parameters: JsonObject, properties: JsonObject, gone: readonly string[]): JsonObject {
  const required = parameters['required'];
  return {
    ...parameters,
    properties: Object.fromEntries(Object.entries(properties).filter(([name]) => !gone.includes(name))),
    ...(Array.isArray(required) ? { required: required.filter((name) => !gone.includes(String(name))) } : {}),
  };
}

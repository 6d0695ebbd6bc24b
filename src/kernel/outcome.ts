import type { OutsideOutcome } from '../model/events/event.ts';
import type { FlowRef } from '../model/flow-ref.ts';
import type { JsonObject } from '../model/json.ts';
import { boundNames, resolveBinding } from '../flow/expression/binding.ts';
import type { Graph } from '../flow/graph/graph.ts';
import { lookupOf, sourcesOf } from './state/names.ts';
import type { SessionKnowledge } from './state/knowledge.ts';
import type { SessionState } from './state/state.ts';

/** The report of a conversation: the values of its flow, and how certain they are. */
export interface OutcomeFields {
  readonly fields: JsonObject;
  /** Slots among the fields whose value is not confirmed. */
  readonly unconfirmed: readonly string[];
  /** Names of writes whose result is not known, because the process ended while they ran. */
  readonly unsettled: readonly string[];
}

/** Returns the flow that reports a conversation: the first of the flows that called each other, else the active one. */
export function reportingFlow({ position: { stack, flow } }: SessionState): FlowRef {
  return stack.find(({ kind }) => kind === 'subflow')?.flow ?? flow;
}

/** Returns the values that a flow reports. `graph` is the graph of `reportingFlow`; null if it is not available. */
export function outcomeFields(graph: Graph | null, state: SessionState): OutcomeFields {
  const own = { ...state, knowledge: knowledgeOf(state) };
  const lookup = lookupOf(graph, own);
  const reported = graph?.outcome?.fields ?? [];
  const fields = reported.flatMap(({ name, value }) => {
    const found = resolveBinding(value, lookup);
    return found === undefined ? [] : [[name, found] as const];
  });
  const bound = reported.flatMap(({ value }) => boundNames(value));
  const names = new Set(graph === null ? bound : sourcesOf(graph, bound));
  const unconfirmed = Object.entries(own.knowledge.slots).filter(([name, slot]) => names.has(name) && !slot.confirmed);
  const writes = Object.values(state.effects).flatMap((one) =>
    one.kind === 'tool' && one.payload.write ? [one.payload.name] : [],
  );
  return {
    fields: Object.fromEntries(fields) as JsonObject, // Documents and bindings contain JSON.
    unconfirmed: unconfirmed.map(([name]) => name),
    unsettled: [...new Set(writes)],
  };
}

/** Returns the data of the reporting flow. Slots of the called flow have priority, as on its return. */
function knowledgeOf({ position: { stack }, knowledge }: SessionState): SessionKnowledge {
  const caller = stack.find(({ kind }) => kind === 'subflow')?.caller;
  return caller == null ? knowledge : { ...knowledge, ...caller, slots: { ...caller.slots, ...knowledge.slots } };
}

const hangUps: ReadonlySet<string> = new Set(['caller-left', 'room-closed', 'session-closed']);
const stops: ReadonlySet<string> = new Set(['worker-stopped', 'quit', 'aborted', 'start-failed', 'simulation-over']);

/** Checks whether a reason is that of a line that was cut. */
export function isHangUp(reason: string): boolean {
  return hangUps.has(reason);
}

/**
 * Returns the outcome of a conversation that was ended from outside for `reason`: `caller_gone`, `handed_over` if the caller
 * left while a person had the conversation, or `stopped`. Null if the reason itself is the outcome.
 */
export function outsideOutcome(reason: string, { people: { takeover } }: SessionState): OutsideOutcome | null {
  if (hangUps.has(reason)) return takeover === null ? 'caller_gone' : 'handed_over';
  return stops.has(reason) ? 'stopped' : null;
}

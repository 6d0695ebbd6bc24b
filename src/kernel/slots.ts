import type { Json, JsonObject } from '../events/json.ts';
import type { Graph, GraphNode, GraphSlot } from '../graph/graph.ts';
import { read, type ReadOptions } from '../language/reading.ts';
import { civilTime } from './civil-time.ts';
import { type Draft, tell } from './draft.ts';
import { withMember, withoutMember } from './names.ts';
import { slotsOfCall } from './node-call.ts';
import type { ValueReading } from '../events/provenance.ts';
import type { SessionState, SlotValue } from './state.ts';

/** What became of a value that somebody gave for a slot. */
export type SlotReading =
  | { readonly ok: true; readonly value: Json }
  | { readonly ok: false; readonly problem: string };

/** Brings a value into a slot's form and checks it against the slot's rules; never guesses what was not said. */
export function readSlot(slot: GraphSlot, given: Json, now: string): SlotReading {
  const value = typedValue(slot, given, now);
  return value.ok ? withinRules(slot, value.value, now) : value;
}

/**
 * Keeps a value of a slot, or reports why not. A change of what was known is a correction and needs its yes anew, and so
 * does a value that was found nowhere, whatever `confirm` says. A yes or no that nobody gave is asked for instead.
 */
export function fillSlot(draft: Draft, slot: GraphSlot, given: Json, found?: ValueReading): void {
  const { state } = draft;
  const reading = readSlot(slot, found?.value ?? given, civilTime(draft.at, state.timeZone));
  if (!reading.ok) {
    tell(draft, { type: 'slot:rejected', data: { slot: slot.name, problem: reading.problem } });
    return;
  }
  const grounded = found?.grounded ?? null;
  const before = valueOf(state, slot.name);
  const same = before !== undefined && JSON.stringify(before.value) === JSON.stringify(reading.value);
  if (same && !(before.grounded === false && grounded === true)) return;
  if (slot.type === 'boolean' && grounded === false) {
    tell(draft, { type: 'slot:rejected', data: { slot: slot.name, problem: 'not said' } });
    return;
  }
  const isCorrection = before !== undefined && !same;
  const source = found?.from ?? { kind: isCorrection ? 'correction' : 'said', turn: state.turn };
  const confirmed = slot.readback === null && grounded !== false;
  state.slots = withMember(state.slots, slot.name, { value: reading.value, confirmed, source, grounded });
  state.troubles = 0;
  state.declined = state.declined.filter((name) => name !== slot.name);
  tell(draft, {
    type: 'slot:filled',
    data: { slot: slot.name, corrected: isCorrection, source: source.kind, grounded },
  });
}

/** Forgets a slot, so that it is asked for again. */
export function clearSlot(draft: Draft, name: string): void {
  draft.state.slots = withoutMember(draft.state.slots, name);
  tell(draft, { type: 'slot:cleared', data: { slot: name } });
}

/** Marks a slot as answered by yes, if it still has the value that was read back. */
export function confirmSlot(draft: Draft, name: string, value: Json): void {
  const known = valueOf(draft.state, name);
  if (known === undefined || known.value !== value) return;
  draft.state.slots = withMember(draft.state.slots, name, { ...known, confirmed: true, grounded: true });
  tell(draft, { type: 'slot:confirmed', data: { slot: name } });
}

/** What is known of a slot. */
export function valueOf(state: SessionState, name: string): SlotValue | undefined {
  return Object.hasOwn(state.slots, name) ? state.slots[name] : undefined;
}

/** The next thing a node wants to know, in its own order, then what its call needs; null when all of it is known. */
export function nextNeed(
  graph: Graph,
  state: SessionState,
  node: GraphNode,
): { readonly slot: GraphSlot; readonly known: SlotValue | null } | null {
  for (const name of node.collect) {
    const slot = graph.slots.get(name);
    if (slot === undefined) continue;
    const known = valueOf(state, name) ?? null;
    if (known === null ? isWanted(state, slot) : !known.confirmed) return { slot, known };
  }
  for (const { slot, isRequired } of slotsOfCall(graph, node)) {
    const known = valueOf(state, slot.name) ?? null;
    if (known === null ? isRequired : !known.confirmed) return { slot, known };
  }
  return ungroundedIn(graph, state, node);
}

/** A slot that a condition of the node reads and whose value was found nowhere; null where there is none. */
export function ungroundedIn(
  graph: Graph,
  state: SessionState,
  node: GraphNode,
): { readonly slot: GraphSlot; readonly known: SlotValue } | null {
  for (const { when } of node.edges)
    for (const { path } of when?.references ?? []) {
      const slot = graph.slots.get(String(path[0]));
      const known = slot === undefined ? undefined : valueOf(state, slot.name);
      if (slot !== undefined && known?.grounded === false) return { slot, known };
    }
  return null;
}

/** Whether a slot that is not known is asked for: what may stay unsaid is asked for once, where its author has a question. */
function isWanted({ declined }: SessionState, { name, optional, ask }: GraphSlot): boolean {
  return !optional || (ask !== null && !declined.includes(name));
}

/** The caller was asked for an optional slot and has left it unsaid: it is not asked for again. */
export function declineSlot(draft: Draft, { name }: GraphSlot): void {
  const { state } = draft;
  if (state.declined.includes(name)) return;
  state.declined = [...state.declined, name];
  tell(draft, { type: 'slot:declined', data: { slot: name } });
}

/** What the model is told about the values it handed to `record`; what was taken is told by what is known from then on. */
export function recordOutcome(graph: Graph, state: SessionState, given: JsonObject, at: number): JsonObject | 'ok' {
  const now = civilTime(at, state.timeZone);
  const recorded: Record<string, Json> = {};
  const rejected: Record<string, Json> = {};
  for (const [name, value] of Object.entries(given)) {
    if (isNothing(value)) continue;
    const slot = graph.slots.get(name);
    const reading: SlotReading =
      slot === undefined ? { ok: false, problem: 'no such slot' } : readSlot(slot, value, now);
    const [table, entry] = reading.ok ? [recorded, reading.value] : [rejected, reading.problem];
    Object.defineProperty(table, name, { value: entry, enumerable: true });
  }
  return Object.keys(rejected).length === 0 ? 'ok' : { recorded, rejected };
}

/** Whether a model left a value out by writing nothing into it. */
export function isNothing(value: Json): boolean {
  return value === null || value === '';
}

function typedValue(slot: GraphSlot, given: Json, now: string): SlotReading {
  switch (slot.type) {
    case 'number':
    case 'integer':
      if (typeof given === 'number' && Number.isFinite(given))
        return slot.type === 'integer' && !Number.isInteger(given) ? refused('not a whole number') : accepted(given);
      break;
    case 'boolean':
      if (typeof given === 'boolean') return accepted(given);
      break;
    case 'enum':
      if (typeof given !== 'object' && slot.values.has(String(given))) return accepted(String(given));
      break;
    case 'text':
      if (typeof given === 'string') return accepted(given.trim());
      break;
    case 'name':
    case 'date':
    case 'time':
    case 'phone':
    case 'email':
      break;
  }
  if (typeof given !== 'string' && typeof given !== 'number') return refused('not a text');
  const reading = read(slot.type, String(given), readingOptions(slot, now));
  if (reading.ok) return accepted(reading.value);
  // The rules for spoken names know words, not people: a model may tell Mark Good from "mark, good".
  if (slot.type === 'name' && isWrittenName(String(given))) return accepted(String(given).trim());
  return refused(reading.missing === undefined ? reading.problem : `${reading.problem}: ${reading.missing} is missing`);
}

/** Two to six capitalised words, and no answer to another question. */
function isWrittenName(text: string): boolean {
  return (
    text.length <= 80 &&
    /^\s*\p{Lu}[\p{L}\p{M}'’.-]*(\s+\p{Lu}[\p{L}\p{M}'’.-]*){1,5}\s*$/u.test(text) &&
    !/^\s*(no|not|yes|unknown)\b/i.test(text)
  );
}

/** How a slot's words are to be read: by its values, its region, and the side of today it must lie on. */
export function readingOptions(slot: GraphSlot, now: string): ReadOptions {
  const today = now.slice(0, 10);
  const direction = isUpTo(slot.before, today) ? 'past' : isFrom(slot.after, today) ? 'future' : undefined;
  return {
    now,
    asked: true,
    region: slot.region,
    values: slot.values,
    ...(direction === undefined ? {} : { direction }),
  };
}

function isUpTo(bound: string | null, today: string): boolean {
  return bound !== null && (bound === 'today' || bound <= today);
}

function isFrom(bound: string | null, today: string): boolean {
  return bound !== null && (bound === 'today' || bound >= today);
}

function withinRules(slot: GraphSlot, value: Json, now: string): SlotReading {
  if (typeof value === 'string') {
    const today = now.slice(0, 10);
    const before = slot.before === 'today' ? today : slot.before;
    const after = slot.after === 'today' ? today : slot.after;
    if (before !== null && value >= before) return refused(`must be before ${before}`);
    if (after !== null && value <= after) return refused(`must be after ${after}`);
    if (slot.pattern?.ok === true && !slot.pattern.test(value)) return refused('does not have the required form');
    if (value.trim() === '') return refused('empty');
  }
  if (typeof value === 'number') {
    if (slot.minimum !== null && value < slot.minimum) return refused(`must be at least ${slot.minimum}`);
    if (slot.maximum !== null && value > slot.maximum) return refused(`must be at most ${slot.maximum}`);
  }
  return accepted(value);
}

function accepted(value: Json): SlotReading {
  return { ok: true, value };
}

function refused(problem: string): SlotReading {
  return { ok: false, problem };
}

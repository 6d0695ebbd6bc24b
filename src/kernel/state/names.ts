import { withPluralForms } from '../../flow/expression/plural-form.ts';
import { isSealed } from '../../flow/expression/sealed.ts';
import { dayNumber, momentNamed } from '../../flow/expression/moment.ts';
import { type Lookup, resolvePath } from '../../flow/expression/path.ts';
import { renderTemplate, type Template, templateReferences } from '../../flow/expression/template.ts';
import { wordingOf, type Wordings } from '../../flow/expression/wordings.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import { attemptsName } from '../../flow/document/function.ts';
import type { Graph, GraphSlot } from '../../flow/graph/graph.ts';
import { type Draft, emit } from './draft.ts';
import { typeOf } from '../../flow/slots/slot-types.ts';
import type { SessionState } from './state.ts';

/** Resolves a name in flow order: slots, variables, node outputs, input, computed values. */
export function lookupOf(graph: Pick<Graph, 'computed'> | null, state: Pick<SessionState, 'knowledge'>): Lookup {
  const lookup: Lookup = (name) => {
    if (Object.hasOwn(state.knowledge.slots, name)) return state.knowledge.slots[name]?.value;
    if (Object.hasOwn(state.knowledge.variables, name)) return state.knowledge.variables[name];
    if (Object.hasOwn(state.knowledge.outputs, name)) return state.knowledge.outputs[name];
    if (Object.hasOwn(state.knowledge.input, name)) return state.knowledge.input[name];
    return graph?.computed.get(name)?.value(lookup);
  };
  return lookup;
}

/** Replaces the names of computed values by the names that they depend on. */
export function sourcesOf({ computed }: Pick<Graph, 'computed'>, names: readonly string[]): readonly string[] {
  return names.flatMap((name) => computed.get(name)?.reads ?? [name]);
}

/** Returns the id of a question in this visit. A repeated question keeps its id. */
export function questionId({ position: { visit } }: Pick<SessionState, 'position'>, name: string): string {
  return `${visit}/${name}`;
}

/**
 * Resolves names for conditions, which also know the time (`now`, `today`) and the misses of each node and slot
 * (`attempts.NODE`).
 */
export function conditionNames(moment: Moment): Lookup {
  const lookup = timelessNames(moment);
  return (name) => lookup(name) ?? momentNamed(name, moment.civil);
}

/** Resolves the names of conditions except the time. */
export function timelessNames({ graph, state }: Omit<Moment, 'civil'>): Lookup {
  const lookup = lookupOf(graph, state);
  return (name) => {
    const value = lookup(name);
    return value === undefined && name === attemptsName ? attemptsIn(graph, state) : value;
  };
}

function attemptsIn(
  { nodes, slots }: Graph,
  { dialogue: { attempts } }: SessionState,
): Readonly<Record<string, number>> {
  return { ...Object.fromEntries([...nodes.keys(), ...slots.keys()].map((name) => [name, 0])), ...attempts };
}

/** Fills a text with slots in their spoken form. */
export function speak(moment: Moment, text: Wordings): string {
  return spoken(moment, wordingAt(moment, text, moment.state.turn.number, {}), {}).text;
}

/**
 * Fills a text within a step, in the next wording in rotation, and reports names it cannot include. `local` overrides
 * other names.
 */
export function speakHere(draft: Draft, wordings: Wordings, local: JsonObject = {}): string {
  const { state } = draft;
  const { place, texts } = wordings;
  const count = timesSpoken(state, place);
  if (texts.length > 1) state.dialogue.wordings = withMember(state.dialogue.wordings, place, count + 1);
  const { text, unwritten } = spoken(draft, wordingAt(draft, wordings, count, local), local);
  for (const name of unwritten) emit(draft, { type: 'text:too-long', data: { name } });
  return text;
}

/** Returns the names without a value if every wording of a text has some; a wording with all its values can be said. */
export function blankNames(draft: Spoken, { texts }: Wordings, local: JsonObject): readonly string[] {
  const blanks = texts.map((text) => blanksIn(draft, text, local));
  return blanks.some(({ length }) => length === 0) ? [] : [...new Set(blanks.flat())];
}

/** The graph and state of a text. */
type Spoken = Pick<Draft, 'graph' | 'state'>;

function blanksIn({ graph, state }: Spoken, text: Template, local: JsonObject): readonly string[] {
  const lookup = withPluralForms(graph.speech.pluralForm, localFirst(local, lookupOf(graph, state)));
  const blank = templateReferences(text).filter(({ path }) => {
    const value = resolvePath(path, lookup);
    if (Array.isArray(value)) return value.length === 0;
    return value === undefined || value === null || (typeof value === 'string' && isSilent(value));
  });
  return blank.map(({ path }) => path.join('.'));
}

/** Returns the next wording in rotation among those without missing names; among all if each has some. */
function wordingAt(moment: Moment, wordings: Wordings, count: number, local: JsonObject): Template {
  if (wordings.texts.length === 1) return wordings.texts[0];
  const [first, ...others] = wordings.texts.filter((text) => blanksIn(moment, text, local).length === 0);
  return wordingOf(first === undefined ? wordings : { ...wordings, texts: [first, ...others] }, count);
}

/** Prefers a local value if it has the requested path: a local text `upgrade` does not hide `upgrade.price`. */
function localFirst(local: JsonObject, lookup: Lookup): Lookup {
  return (name, rest = []) => {
    const own = Object.hasOwn(local, name) ? local[name] : undefined;
    const hasIt = own !== undefined && (rest.length === 0 || resolvePath([name, ...rest], () => own) !== undefined);
    return hasIt ? own : lookup(name, rest);
  };
}

/** Checks whether a text is inaudible: only white space and zero-width characters. */
export function isSilent(text: string): boolean {
  return !/[\p{L}\p{N}\p{P}\p{S}]/u.test(text);
}

function spoken(moment: Moment, template: Template, local: JsonObject) {
  const { graph, state } = moment;
  const lookup = lookupOf(graph, state);
  const known = localFirst(local, (name) => {
    const slot = graph.slots.get(name);
    const value = lookup(name);
    if (graph.computed.has(name)) return sayComputed(moment, name, value);
    return slot === undefined || !Object.hasOwn(state.knowledge.slots, name)
      ? value
      : sayValue(moment, slot, value as Json);
  });
  const said = withPluralForms(graph.speech.pluralForm, known);
  const { text, unwritten } = renderTemplate(template, said, graph.speech.allOf, (number) =>
    String(number).replace('.', graph.speech.decimalMark),
  );
  const hasHole = blanksIn(moment, template, local).length > 0;
  return { text: (hasHole ? withoutHoles(text) : text).trim(), unwritten };
}

/** Removes the space and comma that an empty name leaves before punctuation: "Thank you, ." becomes "Thank you." */
function withoutHoles(text: string): string {
  return text
    .replaceAll(/[^\S\n]*,?[^\S\n]+(?=[.,;:!?…](?:\s|$))/gu, '')
    .replaceAll(/[^\S\n]{2,}/gu, ' ')
    .replace(/^[\s,;:]+/u, '');
}

/** Fills one of several wordings, by index. */
export function speakWording(draft: Draft, { texts }: Wordings, index: number, local: JsonObject): string {
  return spoken(draft, texts[index] ?? texts[0], local).text;
}

/** Returns the last spoken wording of a text, or the first one. */
export function lastSpoken(draft: Moment, wordings: Wordings): string {
  const count = timesSpoken(draft.state, wordings.place);
  return spoken(draft, wordingAt(draft, wordings, Math.max(0, count - 1), {}), {}).text;
}

function timesSpoken({ dialogue: { wordings } }: SessionState, place: string): number {
  return Object.hasOwn(wordings, place) ? (wordings[place] ?? 0) : 0;
}

/** Returns a computed value in its spoken form: a day as a day. */
function sayComputed({ graph, civil, spoken }: Moment, name: string, value: unknown): unknown {
  if (typeof value !== 'string' || dayNumber(value) === undefined) return value;
  const known = spoken?.find((one) => one.slot === name && one.value === value);
  if (known !== undefined) return known.text;
  const text = graph.speech.spoken('date', value, { today: () => civil.slice(0, 10), isAhead: true });
  spoken?.push({ slot: name, value, text });
  return text;
}

/** Returns a slot value in its spoken form. */
export function sayValue({ graph, civil, spoken }: Omit<Moment, 'state'>, slot: GraphSlot, value: Json): string {
  if (isSealed(value)) return '';
  const known = spoken?.find((one) => one.slot === slot.name && one.value === value);
  if (known !== undefined) return known.text;
  const today = (): string => civil.slice(0, 10);
  const text = graph.speech.spoken(typeOf(slot).readAs, value, {
    today,
    isAhead: slot.after !== null,
    region: slot.region,
    values: slot.values,
  });
  spoken?.push({ slot: slot.name, value, text });
  return text;
}

/** The context in which something is said or decided: the session and its local time. */
export type Moment = Pick<Draft, 'graph' | 'state' | 'civil'> & Partial<Pick<Draft, 'spoken'>>;

/** Returns a copy with one own member set, whatever its name. */
export function withMember<Value>(
  object: Readonly<Record<string, Value>>,
  name: string,
  value: Value,
): Readonly<Record<string, Value>> {
  return { ...object, [name]: value };
}

/** Returns a copy without one member. */
export function withoutMember<Value>(
  object: Readonly<Record<string, Value>>,
  name: string,
): Readonly<Record<string, Value>> {
  const { [name]: _removed, ...rest } = object;
  return rest;
}

import { momentNamed } from '../expression/moment.ts';
import { type Lookup, resolvePath } from '../expression/path.ts';
import { renderTemplate, type Template, templateReferences } from '../expression/template.ts';
import { wordingOf, type Wordings } from '../expression/wordings.ts';
import type { Json, JsonObject } from '../events/json.ts';
import { attemptsName } from '../flow/function.ts';
import type { Graph, GraphSlot } from '../graph/graph.ts';
import { type Draft, tell } from './draft.ts';
import { typeOf } from '../slots/slot-types.ts';
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

/** What tells a question of this visit from every other, and the same again when it is put again. */
export function questionId({ visit }: Pick<SessionState, 'visit'>, name: string): string {
  return `${visit}/${name}`;
}

/**
 * The same at a moment, for conditions: they know what time it is as well (`now`, `today`), and how often the question of each node
 * and slot was left unanswered (`attempts.NODE`).
 */
export function conditionNames({ graph, state, civil }: Moment): Lookup {
  const lookup = lookupOf(state);
  return (name) => {
    const value = lookup(name);
    if (value !== undefined) return value;
    if (name === attemptsName) return attemptsIn(graph, state);
    return momentNamed(name, civil);
  };
}

function attemptsIn({ nodes, slots }: Graph, { attempts }: SessionState): Readonly<Record<string, number>> {
  return { ...Object.fromEntries([...nodes.keys(), ...slots.keys()].map((name) => [name, 0])), ...attempts };
}

/** Fills a text that is spoken at a moment: slots in the form in which people say them. */
export function speak(moment: Moment, text: Wordings): string {
  return spoken(moment, wordingAt(moment, text, moment.state.turn, {}), {}).text;
}

/**
 * The same within a step, in the wording whose turn it is; it tells what the text cannot take. `local` comes before
 * other names.
 */
export function speakHere(draft: Draft, wordings: Wordings, local: JsonObject = {}): string {
  const { state } = draft;
  const { place, texts } = wordings;
  const count = timesSpoken(state, place);
  if (texts.length > 1) state.wordings = withMember(state.wordings, place, count + 1);
  const { text, unwritten } = spoken(draft, wordingAt(draft, wordings, count, local), local);
  for (const name of unwritten) tell(draft, { type: 'text:too-long', data: { name } });
  return text;
}

/** The names of a text, in any of its wordings, that have no value, so that their places would stay empty. */
export function blankNames({ state }: Pick<Draft, 'state'>, { texts }: Wordings, local: JsonObject): readonly string[] {
  return [...new Set(texts.flatMap((text) => blanksIn(state, text, local)))];
}

function blanksIn(state: SessionState, text: Template, local: JsonObject): readonly string[] {
  const lookup = localFirst(local, lookupOf(state));
  const blank = templateReferences(text).filter(({ path }) => {
    const value = resolvePath(path, lookup);
    if (Array.isArray(value)) return value.length === 0;
    return value === undefined || value === null || (typeof value === 'string' && isSilent(value));
  });
  return blank.map(({ path }) => path.join('.'));
}

/** The wording whose turn it is, of those whose names all have a value; of all of them if each lacks one. */
function wordingAt({ state }: Moment, wordings: Wordings, count: number, local: JsonObject): Template {
  if (wordings.texts.length === 1) return wordings.texts[0];
  const [first, ...others] = wordings.texts.filter((text) => blanksIn(state, text, local).length === 0);
  return wordingOf(first === undefined ? wordings : { ...wordings, texts: [first, ...others] }, count);
}

/** A local value comes first wherever it has what the path names: a text called `upgrade` hides no `upgrade.price`. */
function localFirst(local: JsonObject, lookup: Lookup): Lookup {
  return (name, rest = []) => {
    const own = Object.hasOwn(local, name) ? local[name] : undefined;
    const hasIt = own !== undefined && (rest.length === 0 || resolvePath([name, ...rest], () => own) !== undefined);
    return hasIt ? own : lookup(name, rest);
  };
}

/** Whether nothing is heard of a text: of white space and of signs without width. */
export function isSilent(text: string): boolean {
  return !/[\p{L}\p{N}\p{P}\p{S}]/u.test(text);
}

function spoken(moment: Moment, template: Template, local: JsonObject) {
  const { graph, state } = moment;
  const lookup = lookupOf(state);
  const said = localFirst(local, (name) => {
    const slot = graph.slots.get(name);
    const value = lookup(name);
    return slot === undefined || !Object.hasOwn(state.slots, name) ? value : sayValue(moment, slot, value as Json);
  });
  const { text, unwritten } = renderTemplate(template, said, graph.speech.allOf, (number) =>
    String(number).replace('.', graph.speech.decimalMark),
  );
  const hasHole = blanksIn(state, template, local).length > 0;
  return { text: (hasHole ? withoutHoles(text) : text).trim(), unwritten };
}

/** A name without a value leaves no space and no comma before the next mark: "Thank you, ." is "Thank you." */
function withoutHoles(text: string): string {
  return text
    .replaceAll(/[^\S\n]*,?[^\S\n]+(?=[.,;:!?…](?:\s|$))/gu, '')
    .replaceAll(/[^\S\n]{2,}/gu, ' ')
    .replace(/^[\s,;:]+/u, '');
}

/** One of several wordings, chosen by the caller of this. */
export function speakWording(draft: Draft, { texts }: Wordings, index: number, local: JsonObject): string {
  return spoken(draft, texts[index] ?? texts[0], local).text;
}

/** The words in which a text was spoken last, or would be spoken first. */
export function lastSpoken(draft: Moment, wordings: Wordings): string {
  const count = timesSpoken(draft.state, wordings.place);
  return spoken(draft, wordingAt(draft, wordings, Math.max(0, count - 1), {}), {}).text;
}

function timesSpoken({ wordings }: SessionState, place: string): number {
  return Object.hasOwn(wordings, place) ? (wordings[place] ?? 0) : 0;
}

/** A value of a slot as a person would say it at a moment. */
export function sayValue({ graph, civil, spoken }: Omit<Moment, 'state'>, slot: GraphSlot, value: Json): string {
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

/** Where a session stands, and what time it is there, when something is said or decided. */
export type Moment = Pick<Draft, 'graph' | 'state' | 'civil'> & Partial<Pick<Draft, 'spoken'>>;

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

import type { Utterance } from '../model/dialogue.ts';
import { isJsonObject, type Json, type JsonObject } from '../model/json.ts';
import { createOwnLines, type OwnLines } from './sql/own-lines.ts';
import { type PersonalForms, personalForms } from './personal-forms.ts';

/** Replacement for personal data. */
const masked = '[personal]';

/** Members with spoken words, or with data derived from them. */
const spoken: ReadonlySet<string> = new Set(['text', 'heard', 'aside', 'say', 'summary', 'result', 'error', 'inbound']);

/** Structural members, which never contain a caller's words. */
const structural: ReadonlySet<string> = new Set([
  ...['type', 'kind', 'state', 'status', 'cause', 'via', 'source', 'stage', 'reason', 'code'],
  ...['node', 'nodeId', 'from', 'to', 'function', 'slot', 'handler', 'action', 'flow', 'flowId'],
  ...['hash', 'graphHash', 'version', 'stateVersion', 'visit', 'at', 'civil', 'time', 'seq', 'deadline', 'timeZone'],
]);

/** Groups of a session's state. A personal slot may have such a name. */
const groups: ReadonlySet<string> = new Set(['position', 'turn', 'knowledge', 'dialogue', 'people', 'effects']);

/** Members with arbitrary content: inputs and outputs of functions and models. */
const open: ReadonlySet<string> = new Set([
  ...['arguments', 'rawArguments', 'args', 'value', 'values', 'variables', 'input', 'output', 'outputs', 'structured'],
  ...['answer', 'payload', 'result', 'resources', 'user', 'metadata', 'slots'],
]);

/**
 * Masks the data of a session for readers. If its flows have slots with `pii: true`, masks these slots by name, every
 * text that contains one of their values in any spelling, and all spoken words, because callers phrase such values
 * freely. Author lines stay readable around the filled-in values, and so does a plain yes or no. Card numbers and IBANs
 * are always masked. Types and the names of nodes and functions stay.
 */
export function maskPersonal(kept: Json, flows: readonly Json[]): Json {
  const mask = createMask();
  mask.learn(kept, [], flows);
  return mask.of(kept);
}

/** A mask for a growing session. */
export interface Mask {
  /**
   * Collects personal values from new data, and from `earlier` data if the flows name more personal slots. Returns
   * whether there are more than before: earlier output must then be masked again.
   */
  learn(fresh: Json, earlier: Json, flows: readonly Json[]): boolean;
  /** Masks with everything learned so far. */
  of(kept: Json): Json;
}

/** Creates a mask that knows only card numbers and IBANs. */
export function createMask(): Mask {
  const slots = new Set<string>();
  const values = new Set<string>();
  const lines = createOwnLines();
  let forms = personalForms(values);
  let isAnswerPersonal = false;
  return {
    learn(fresh, earlier, flows) {
      const before = slots.size + values.size;
      for (const flow of flows) {
        lines.learn(flow);
        for (const [slot, type] of personalSlots(flow)) {
          slots.add(slot);
          isAnswerPersonal ||= type === 'boolean' || type === 'enum';
        }
      }
      const named = slots.size + values.size;
      if (named > before) collect(earlier, slots, values);
      if (slots.size > 0) collect(fresh, slots, values);
      if (slots.size + values.size === before) return false;
      forms = personalForms(values);
      return true;
    },
    of: (kept) => mask(kept, { slots, forms, lines, isAnswerPersonal }, false),
  };
}

/** Returns names and types of the personal slots. */
function personalSlots(flow: Json): readonly (readonly [name: string, type: Json])[] {
  const slots = isJsonObject(flow) ? flow['slots'] : undefined;
  if (slots === undefined || !isJsonObject(slots)) return [];
  return Object.entries(slots).flatMap(([name, slot]) =>
    isJsonObject(slot) && slot['pii'] === true ? [[name, slot['type'] ?? null] as const] : [],
  );
}

function collect(value: Json, slots: ReadonlySet<string>, values: Set<string>, isOpen = false): void {
  if (Array.isArray(value)) for (const item of value as readonly Json[]) collect(item, slots, values, isOpen);
  else if (typeof value === 'object' && value !== null)
    for (const [name, member] of Object.entries(value)) {
      const isSlot = slots.has(name) && (isOpen || !isStructural(value as JsonObject, name));
      if (isSlot || isPersonalValue(value as JsonObject, name, slots)) collectTexts(member, values);
      else collect(member, slots, values, isOpen || open.has(name));
    }
}

function collectTexts(value: Json, values: Set<string>): void {
  // The provenance of a value is not personal.
  if (isJsonObject(value) && isKnownValue(value)) return collectTexts(value['value'] ?? null, values);
  if (typeof value === 'string' || typeof value === 'number') values.add(String(value));
  else if (Array.isArray(value)) for (const item of value as readonly Json[]) collectTexts(item, values);
  else if (typeof value === 'object' && value !== null)
    for (const member of Object.values(value)) collectTexts(member, values);
}

interface Personal {
  readonly slots: ReadonlySet<string>;
  readonly forms: PersonalForms;
  readonly lines: OwnLines;
  /** A yes or no may be the value of a personal slot. */
  readonly isAnswerPersonal: boolean;
}

/** `isOpen`: inside the inputs and outputs of functions and models, where names have no fixed meaning. */
function mask(value: Json, personal: Personal, isOpen: boolean): Json {
  if (typeof value === 'string') return personal.forms.isIn(value) ? masked : value;
  if (typeof value === 'number') return isOpen && personal.forms.isIn(String(value)) ? masked : value;
  if (Array.isArray(value)) {
    const items = value as readonly Json[];
    const shown = items.map((item) => mask(item, personal, isOpen));
    return shown.every((item, index) => item === items[index]) ? items : shown;
  }
  if (typeof value !== 'object' || value === null) return value;
  let isSame = true;
  const members = Object.entries(value as JsonObject).map(([name, member]): [string, Json] => {
    const shown = shownMember(value as JsonObject, name, member, personal, isOpen);
    isSame &&= shown === member;
    return [name, shown];
  });
  return isSame ? value : Object.fromEntries(members);
}

function shownMember(of: JsonObject, name: string, member: Json, personal: Personal, isOpen: boolean): Json {
  const { slots } = personal;
  // A slot may be named like a structural member, such as `state` or `reason`.
  const isSlot = slots.has(name) && (isOpen || !isStructural(of, name));
  if (isPersonalValue(of, name, slots) || (isSlot && isOpen)) return hideValue(member);
  if (isSlot) return hide(member);
  if (slots.size > 0 && (spoken.has(name) || isAddress(of, name))) return shownWords(of, name, member, personal);
  if (!isOpen && structural.has(name) && typeof member === 'string') return member;
  return mask(member, personal, isOpen || open.has(name));
}

function isStructural(of: JsonObject, name: string): boolean {
  return structural.has(name) || (groups.has(name) && Object.hasOwn(of, 'stateVersion'));
}

/** Returns words unmasked if they are the author's, or a plain yes or no. */
function shownWords(of: JsonObject, name: string, member: Json, personal: Personal): Json {
  if (typeof member !== 'string' || isAddress(of, name)) return hide(member);
  const isOfCaller = typeof of['via'] === 'string';
  const shown = isOfCaller ? plainAnswer(of, member, personal) : ownLine(of, name, member, personal);
  return shown === null || personal.forms.isIn(shown) ? masked : shown;
}

function plainAnswer(of: JsonObject, text: string, { isAnswerPersonal }: Personal): string | null {
  const utterance = of['utterance'] as unknown as Utterance | undefined; // The kernel logs utterances in this form.
  if (isAnswerPersonal || utterance === undefined) return null;
  const { acts, rest, unfinished, foreign } = utterance;
  // A plain yes may mean a function of the node.
  const isPlain =
    acts.some(({ act }) => act === 'answer') &&
    acts.every((act) => act.by === 'rules' && (act.act === 'answer' || isBareCall(act)));
  return isPlain && !rest && !unfinished && !foreign ? text : null;
}

function isBareCall(act: Utterance['acts'][number]): boolean {
  return act.act === 'call' && Object.keys(act.arguments).length === 0;
}

/** The heard part of a line is shown if the line is. */
function ownLine(of: JsonObject, name: string, words: string, { lines }: Personal): string | null {
  const text = of['text'];
  const isPart =
    name === 'heard' && typeof text === 'string' && text.startsWith(words) && lines.shown(text, masked) === text;
  return isPart ? words : lines.shown(words, masked);
}

/** Checks whether `to` is the address of a message. In a move, `to` is a node. */
function isAddress(of: JsonObject, member: string): boolean {
  return member === 'to' && typeof of['channel'] === 'string';
}

/** Checks for a `value` beside the name of its personal slot, as in a read-back, or beside the caller's words. */
function isPersonalValue(value: JsonObject, member: string, slots: ReadonlySet<string>): boolean {
  if (member !== 'value') return false;
  return (
    slots.size > 0 &&
    (Object.hasOwn(value, 'inbound') || (typeof value['slot'] === 'string' && slots.has(value['slot'])))
  );
}

/** Checks for a slot value with its provenance, or its check. */
function isKnownValue(value: JsonObject): boolean {
  return typeof value['confirmed'] === 'boolean' || Object.hasOwn(value, 'grounded');
}

/** Masks texts and numbers, and keeps the structure visible. */
function hide(value: Json): Json {
  if (typeof value === 'string' || typeof value === 'number') return masked;
  if (Array.isArray(value)) return (value as readonly Json[]).map(hide);
  if (typeof value !== 'object' || value === null) return value;
  const isKnown = isKnownValue(value as JsonObject);
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      isKnown ? (valuesOf.has(name) ? hideValue(member) : member) : hide(member),
    ]),
  );
}

/** Masks a slot value, which may also be a boolean. */
function hideValue(value: Json): Json {
  return typeof value === 'boolean' ? masked : hide(value);
}

/** Members with values, as opposed to provenance. */
const valuesOf: ReadonlySet<string> = new Set(['value', 'proposed', 'denied']);

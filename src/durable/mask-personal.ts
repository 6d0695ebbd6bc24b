import { isJsonObject, type Json, type JsonObject } from '../events/json.ts';

/** What stands in the place of what is personal. */
const masked = '[personal]';

/** Members that hold what somebody said, or what was made of it. */
const spoken: ReadonlySet<string> = new Set(['text', 'heard', 'say', 'summary', 'result', 'error', 'inbound']);

/** A shorter value would be found in texts that have nothing to do with it. */
const shortestValue = 4;

/**
 * What is kept of a session, for others to read. Where a flow that it ran has slots with `pii: true`, these are masked
 * under their names, and so is every text that holds one of their values, and all that was said: the caller tells such
 * a value in words of their own. Without such slots it is left as it is.
 */
export function maskPersonal(kept: Json, flows: readonly Json[]): Json {
  const slots = new Set(flows.flatMap(personalSlots));
  if (slots.size === 0) return kept;
  const values = new Set<string>();
  collect(kept, slots, values);
  return mask(kept, { slots, values: [...values] });
}

function personalSlots(flow: Json): readonly string[] {
  const slots = isJsonObject(flow) ? flow['slots'] : undefined;
  if (slots === undefined || !isJsonObject(slots)) return [];
  return Object.keys(slots).filter((name) => {
    const slot = slots[name];
    return slot !== undefined && isJsonObject(slot) && slot['pii'] === true;
  });
}

function collect(value: Json, slots: ReadonlySet<string>, values: Set<string>): void {
  if (Array.isArray(value)) for (const item of value as readonly Json[]) collect(item, slots, values);
  else if (typeof value === 'object' && value !== null)
    for (const [name, member] of Object.entries(value)) {
      if (slots.has(name) || isPersonalValue(value as JsonObject, name, slots)) collectTexts(member, values);
      else collect(member, slots, values);
    }
}

function collectTexts(value: Json, values: Set<string>): void {
  if (typeof value === 'string' || typeof value === 'number') {
    const text = String(value);
    if (text.length >= shortestValue) values.add(text);
  } else if (typeof value === 'object' && value !== null)
    for (const member of Object.values(value)) collectTexts(member, values);
}

interface Personal {
  readonly slots: ReadonlySet<string>;
  readonly values: readonly string[];
}

function mask(value: Json, personal: Personal): Json {
  if (typeof value === 'string') return personal.values.some((one) => value.includes(one)) ? masked : value;
  if (Array.isArray(value)) return (value as readonly Json[]).map((item) => mask(item, personal));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value as JsonObject).map(([name, member]): [string, Json] => {
    const isHidden =
      spoken.has(name) || personal.slots.has(name) || isPersonalValue(value as JsonObject, name, personal.slots);
    return [name, isHidden ? hide(member) : mask(member, personal)];
  });
  return Object.fromEntries(members);
}

/** A `value` beside the personal slot that it is for, such as the question whether it is right, or beside the words it came of. */
function isPersonalValue(value: JsonObject, member: string, slots: ReadonlySet<string>): boolean {
  if (member !== 'value') return false;
  return Object.hasOwn(value, 'inbound') || (typeof value['slot'] === 'string' && slots.has(value['slot']));
}

/** Masks texts and numbers; whether something is known, and how much of it, may be seen. */
function hide(value: Json): Json {
  if (typeof value === 'string' || typeof value === 'number') return masked;
  if (Array.isArray(value)) return (value as readonly Json[]).map(hide);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, hide(member)]));
}

import { scalarText } from '../flow/expression/same-value.ts';
import { isSealed, sealedPrefix } from '../flow/expression/sealed.ts';
import { isJsonObject, type Json, type JsonObject } from '../model/json.ts';
import type { Seals } from '../model/ports/seals.ts';

/** A session, as far as it seals values. */
interface Sealing {
  readonly options: { readonly seals?: Seals };
  readonly sessionId: string;
}

/** The replacement for digits in the outcome of a function. */
const hidden = '[keys]';

/** Seals a value for a session. */
export function sealIn({ options, sessionId }: Sealing, value: Json): string {
  // Without seals, the value is lost rather than readable.
  return `${sealedPrefix}${options.seals?.seal(value, sessionId) ?? ''}`;
}

/** Opened arguments. */
export interface Opened {
  readonly value: Json;
  /** Digits that the arguments contain. No outcome may contain them. */
  readonly secrets: readonly string[];
  /** The names of values that this process cannot open. */
  readonly unreadable: readonly string[];
}

/** Opens sealed values for the code of a function, in a map and its parts. */
export function openSealed(
  { options, sessionId }: Sealing,
  given: JsonObject,
): Opened & { readonly value: JsonObject } {
  const secrets: string[] = [];
  const unreadable: string[] = [];
  const open = (value: Json, name: string): Json => {
    if (isSealed(value)) {
      const plain = options.seals?.open(value.slice(sealedPrefix.length), sessionId);
      if (plain === undefined) unreadable.push(name);
      else secrets.push(scalarText(plain) ?? '');
      return plain ?? value;
    }
    if (Array.isArray(value)) return (value as readonly Json[]).map((item) => open(item, name));
    return isJsonObject(value) ? openAll(value) : value;
  };
  const openAll = (values: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, open(value, name)]));
  return { value: openAll(given), secrets, unreadable };
}

/** Returns a value without digits that were opened for a function. */
export function withoutSecrets(value: Json, secrets: readonly string[]): Json {
  if (secrets.length === 0) return value;
  if (typeof value === 'string') return textWithout(value, secrets);
  if (typeof value === 'number') return secrets.includes(String(value)) ? hidden : value;
  if (Array.isArray(value)) return (value as readonly Json[]).map((item) => withoutSecrets(item, secrets));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [textWithout(name, secrets), withoutSecrets(item, secrets)]),
  );
}

/** Returns a text without digits, also grouped ones: "12 34", "12-34". */
export function textWithout(text: string, secrets: readonly string[]): string {
  return secrets.reduce((left, secret) => {
    const keys = secret.split('').map((key) => key.replace(/\W/, String.raw`\$&`));
    return left.replaceAll(new RegExp(`(?<!\\d)${keys.join('[\\s.-]?')}(?!\\d)`, 'g'), hidden);
  }, text);
}

/** Returns arguments without those that are sealed. */
export function withoutSealedValues(given: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => !isSealed(value)));
}

/** Returns the slots whose digits this process cannot open. */
export function unreadableSlots(
  of: Sealing,
  slots: Readonly<Record<string, { readonly value: Json }>>,
): readonly string[] {
  return Object.entries(slots).flatMap(([name, { value }]) => openSealed(of, { [name]: value }).unreadable);
}

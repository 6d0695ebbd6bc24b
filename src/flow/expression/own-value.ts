/** Checks whether a value is a plain object, as from JSON or an object literal, from any realm. */
export function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** Checks whether a value is an array, with unknown items. */
export function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

/** Returns the own value of a key of a plain object or an index of an array, otherwise undefined. Never calls getters. */
export function ownValue(container: unknown, key: string): unknown {
  const readable = isList(container) ? INDEX.test(key) : isPlainObject(container);
  return readable ? Object.getOwnPropertyDescriptor(container, key)?.value : undefined;
}

const INDEX = /^\d{1,16}$/;

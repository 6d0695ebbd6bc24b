/** Whether the value is a plain object, as JSON and object literals make them, from any realm. */
export function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** Whether the value is an array, of values yet unknown. */
export function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

/** The own value under a key of a plain object or an index of an array; getters are never called, all else is undefined. */
export function ownValue(container: unknown, key: string): unknown {
  const readable = isList(container) ? INDEX.test(key) : isPlainObject(container);
  return readable ? Object.getOwnPropertyDescriptor(container, key)?.value : undefined;
}

const INDEX = /^\d{1,16}$/;

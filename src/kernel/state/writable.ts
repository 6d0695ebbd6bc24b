/**
 * A group of the state that belongs to one step. Its copy names each member: V8 gives all states the same shape then,
 * which a spread does not, and a step takes half the time.
 */
export type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

import type { Json } from './json.ts';

/**
 * A value for a slot, converted to the form of its type; or the reason why it is invalid. The slot's rules are not
 * checked.
 */
export type TypedValue = { readonly ok: true; readonly value: Json } | { readonly ok: false; readonly problem: string };

/** Keyed by argument name. */
export type TypedValues = Readonly<Record<string, TypedValue>>;

import type { Json } from './json.ts';

/** What is given for a slot, as a value in the form of its type; or why it is none. The slot's rules are not checked. */
export type TypedValue = { readonly ok: true; readonly value: Json } | { readonly ok: false; readonly problem: string };

/** By the name of the argument. */
export type TypedValues = Readonly<Record<string, TypedValue>>;

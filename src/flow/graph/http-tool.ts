import type { Json, JsonObject } from '../../model/json.ts';
import type { Declaration } from './compile/registered.ts';

/** A tool of a document, ready to be sent. Texts contain placeholders. */
export interface HttpTool extends Declaration {
  readonly method: string;
  /** The origin of the address, such as https://api.shop.example. */
  readonly origin: string;
  readonly url: string;
  readonly query: Readonly<Record<string, Json>>;
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined if there is no body. */
  readonly body: Json | undefined;
  readonly idempotencyHeader: string;
  readonly result: JsonObject | null;
}

/** The rules of a configuration for an origin. */
export interface AllowedHost {
  /** Names of the environment variables that may be sent to it. */
  readonly secrets?: readonly string[] | undefined;
  /** Whether it may have a private address. */
  readonly private?: boolean | undefined;
}

/** The allowed hosts by origin. */
export type AllowedHosts = Readonly<Record<string, AllowedHost>>;

/** A place in a text: `{{ args.item }}`, `{{ env.KEY }}`, a value of the flow, or something else between the braces. */
export const placeholders = /\{\{\s*([^{}]*?)\s*\}\}/g;

/** The name in a placeholder: of an argument, a secret, or a value of the flow. */
export interface Placeholder {
  readonly kind: 'args' | 'env' | 'flow';
  readonly path: readonly string[];
}

/** Returns what a placeholder names; null if it is not valid. */
export function placeholderOf(inside: string): Placeholder | null {
  if (!/^[\p{L}_][\p{L}\p{M}\p{N}_-]*(?:\.[\p{L}\p{M}\p{N}_-]+)*$/u.test(inside)) return null;
  const [first = '', ...rest] = inside.split('.');
  if (first !== 'args' && first !== 'env') return { kind: 'flow', path: [first, ...rest] };
  return rest.length === 0 || (first === 'env' && rest.length > 1) ? null : { kind: first, path: rest };
}

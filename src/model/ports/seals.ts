import type { Json } from '../json.ts';

/** Encrypts values that no log, store or prompt may contain. A seal belongs to one session. */
export interface Seals {
  /** Returns the ciphertext of a value. */
  seal(value: Json, sessionId: string): string;
  /** Returns the value; undefined if it was sealed with another key or for another session. */
  open(sealed: string, sessionId: string): Json | undefined;
}

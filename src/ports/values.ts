import type { Json } from '../events/json.ts';

/** Values by key that a session keeps for itself, and that survive it where its store does. */
export interface SessionValues {
  /** Undefined where nothing is kept under the key. */
  get(key: string): Promise<Json | undefined>;
  set(key: string, value: Json): Promise<void>;
}

/** Values by key that all sessions share for a while, and that may be gone at any time. */
export interface Cache {
  /** Undefined where nothing is kept under the key, or not any more. */
  get(key: string): Promise<Json | undefined>;
  /** Keeps a value for `ttlMs`, or as long as there is room where that is absent. */
  set(key: string, value: Json, ttlMs?: number): Promise<void>;
}

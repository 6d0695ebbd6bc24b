import type { Json } from '../json.ts';

/** Values by key for one session. They are as durable as the store. */
export interface SessionValues {
  /** Returns undefined if the key has no value. */
  get(key: string): Promise<Json | undefined>;
  set(key: string, value: Json): Promise<void>;
}

/** Values by key, shared by all sessions. A value can disappear at any time. */
export interface Cache {
  /** Returns undefined if the key has no value, or if the value expired. */
  get(key: string): Promise<Json | undefined>;
  /** Stores a value for `ttlMs`. If absent, the value stays while there is room. */
  set(key: string, value: Json, ttlMs?: number): Promise<void>;
}

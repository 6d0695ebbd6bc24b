import type { JsonObject } from './json.ts';

/**
 * A wait for something outside the call. `wait:resolved` with a value that meets `schema` resolves it. Its deadline is
 * the effect's.
 */
export interface OutsideWait {
  /**
   * The kinds: a yes or no of a named person, a decision of a person with authority, a person's words, a time, an
   * event, the outcome of a transfer.
   */
  readonly wait: 'confirm' | 'admin_resolution' | 'proxy_input' | 'timeout' | 'scheduler' | 'transfer';
  /** The queue or person to ask; null if no person is asked. */
  readonly to: string | null;
  /** Empty if no person is asked. */
  readonly question: string;
  /** Facts to show to the person who resolves the wait. A resolution is bound to `factsHash`: see `factsHashOf`. */
  readonly facts: JsonObject;
  readonly factsHash: string;
  /** The possible decisions; empty if the schema alone defines them. */
  readonly options: readonly string[];
  /** JSON Schema of the resolution. */
  readonly schema: JsonObject;
  /** Version of the resolution format. */
  readonly version: 1;
  /** The action at the deadline; null without a deadline, or if the deadline itself is the awaited event. */
  readonly policy: DeadlinePolicy | null;
  /** The deadline as local time in the session's time zone, if it was given that way. */
  readonly until?: string;
  /** Further deadlines, in order. */
  readonly later: readonly LaterDeadline[];
  readonly reach: Reach;
  /** Defaults to the wait's key. */
  readonly escalationId?: string;
  readonly proxyId?: string;
  readonly scheduleId?: string;
  /** Name of the event that resolves the wait. */
  readonly event?: string;
}

/**
 * The action at a deadline: remind the person, resolve with a default, ask another person, go to a node, or end the
 * conversation. Null ends a wait for a time.
 */
export type DeadlinePolicy =
  | { readonly act: 'remind' }
  | { readonly act: 'answer'; readonly resolution: JsonObject }
  | { readonly act: 'escalate'; readonly to: string }
  | { readonly act: 'go_to'; readonly node: string }
  | { readonly act: 'end'; readonly reason: string };

/**
 * Due time: a delay after the wait opens or after the previous deadline, or a time with an offset or in the session's
 * time zone (`2026-12-01T09:00`).
 */
export type DueTime = { readonly afterMs: number } | { readonly at: string };

/** A deadline that starts when the previous one has passed. */
export interface LaterDeadline {
  readonly due: DueTime;
  readonly policy: DeadlinePolicy;
}

/**
 * Handling of speech while no caller is connected: it waits for the next call, is sent as a message, or triggers a
 * call.
 */
export type Reach = 'wait' | 'message' | 'call';

/** The wait behind a call whose outcome comes later, with its ids. */
export interface CallWait extends Pick<OutsideWait, 'wait' | 'proxyId' | 'scheduleId'> {
  /** Absent if no person is asked. */
  readonly escalationId?: string;
}

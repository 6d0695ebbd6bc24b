import type { Lease, LoggedSignal, SessionSnapshot, Store } from '../../model/ports/store.ts';
import type { Effect } from '../../model/effect.ts';
import type { VirtualClock } from '../virtual-clock.ts';

/** What the suite takes of a test runner: vitest, jest, or anything with these three. */
export interface TestRunner {
  readonly describe: (name: string, body: () => void) => unknown;
  readonly test: (name: string, body: () => Promise<void>) => unknown;
  readonly expect: Expect;
}

export interface Expect {
  (actual: unknown): Matchers & { readonly not: Matchers };
  any(type: NumberConstructor): unknown;
}

/** The checks of jest that the suite uses. */
interface Matchers {
  toBe(expected: unknown): void;
  toEqual(expected: unknown): void;
  toMatchObject(expected: object): void;
  toContain(expected: string): void;
  toHaveLength(expected: number): void;
  toBeGreaterThan(expected: number): void;
  toBeNull(): void;
}

/** What every test is given: an empty store, and short ways to use it. */
export interface OpenedStore {
  readonly store: Store;
  readonly clock: VirtualClock;
  /** Lets the store's clock run ahead of the time that it is, in milliseconds. */
  readonly runAhead: (ms: number) => void;
  /** Takes a lease of 1,000 ms. Throws where it is not to be had. */
  readonly own: (sessionId?: string, owner?: string) => Promise<Lease>;
  /** All that the store keeps of a session. */
  readonly kept: (sessionId?: string) => Promise<{
    readonly snapshot: SessionSnapshot | null;
    readonly log: readonly LoggedSignal[];
    readonly effects: readonly Effect[];
  }>;
  /** Expects that something is refused with a `code`, and gives the message. */
  readonly expectRefusal: (code: string, refused: Promise<unknown>) => Promise<string>;
}

/** A test runner whose tests are each given a store of their own. */
export interface StoreRunner {
  readonly describe: TestRunner['describe'];
  readonly test: (name: string, body: (opened: OpenedStore) => Promise<void>) => void;
  readonly expect: Expect;
}

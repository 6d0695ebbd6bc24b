import type { Lease, LoggedSignal, SessionSnapshot, Store } from '../../model/ports/store.ts';
import type { Effect } from '../../model/effect.ts';
import type { VirtualClock } from '../virtual-clock.ts';

/** The parts of a test runner that the suite needs: vitest, jest, or anything with these three. */
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

/** The parameters of every test: an empty store, and helpers for it. */
export interface OpenedStore {
  readonly store: Store;
  readonly clock: VirtualClock;
  /** Sets the store's clock ahead, in milliseconds. */
  readonly runAhead: (ms: number) => void;
  /** Takes a lease of 1,000 ms. Throws if it is not available. */
  readonly own: (sessionId?: string, owner?: string) => Promise<Lease>;
  /** Everything that the store has of a session. */
  readonly kept: (sessionId?: string) => Promise<{
    readonly snapshot: SessionSnapshot | null;
    readonly log: readonly LoggedSignal[];
    readonly effects: readonly Effect[];
  }>;
  /** Expects that something is refused with a `code`, and returns the message. */
  readonly expectRefusal: (code: string, refused: Promise<unknown>) => Promise<string>;
}

/** A test runner that gives each test a new store. */
export interface StoreRunner {
  readonly describe: TestRunner['describe'];
  readonly test: (name: string, body: (opened: OpenedStore) => Promise<void>) => void;
  readonly expect: Expect;
}

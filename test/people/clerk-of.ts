import type { FlowSource } from '../../src/flow/load/files/flow-library.ts';
import { resolveWait } from '../../src/people/resolve-wait.ts';
import type { Store } from '../../src/model/ports/store.ts';
import type { Clock } from '../../src/model/ports/time.ts';
import { type ConfiguredClerkOptions, createConfiguredClerk } from '../../src/runner/clerk-of-config.ts';
import { systemIds } from '../../src/system.ts';

/** The store and clock of a test's clerk, and those options that the test sets. */
export interface TestedClerk extends Partial<ConfiguredClerkOptions> {
  readonly store: Store;
  readonly clock: Clock;
  /** The flow of new sessions. Default: the prompt. */
  readonly flow?: FlowSource;
}

/** A clerk in UTC. Its errors fail a test that does not listen for them. */
export function clerkOf({ flow, config = {}, ...rest }: TestedClerk) {
  return createConfiguredClerk({
    flowOf: () => Promise.resolve(flow ?? null),
    ids: systemIds,
    onFailed: () => undefined,
    onError(error) {
      throw error;
    },
    ...rest,
    config: { timeZone: 'UTC', ...config },
  });
}

/** Decides the first open wait as an authorized person. Returns `none` if there is no open wait. */
export async function decideFirst(store: Store, clock: Clock, decision = 'approve'): Promise<string> {
  const [open] = await store.effects.listOpen({ kind: 'wait', limit: 1 });
  if (open === undefined) return 'none';
  const answer = { key: open.effect.key, resolution: { decision }, actor: { id: 'ada' } };
  return (await resolveWait({ store, clock, authority: null }, answer)).outcome;
}

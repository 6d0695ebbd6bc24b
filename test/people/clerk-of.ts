import type { FlowSource } from '../../src/flow/load/files/flow-library.ts';
import { resolveWait } from '../../src/people/resolve-wait.ts';
import type { Store } from '../../src/model/ports/store.ts';
import type { Clock } from '../../src/model/ports/time.ts';
import { type ConfiguredClerkOptions, createConfiguredClerk } from '../../src/runner/clerk-of-config.ts';
import { systemIds } from '../../src/system.ts';

/** What a clerk of the tests is given: what it works on, and as much of the rest as a test looks at. */
export interface TestedClerk extends Partial<ConfiguredClerkOptions> {
  readonly store: Store;
  readonly clock: Clock;
  /** What sessions begin in; the prompt where absent. */
  readonly flow?: FlowSource;
}

/** A clerk at UTC. Its own trouble fails a test that does not listen to it. */
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

/** Decides the first open wait, as somebody who may; `none` where nobody waits. */
export async function decideFirst(store: Store, clock: Clock, decision = 'approve'): Promise<string> {
  const [open] = await store.openEffects({ kind: 'wait', limit: 1 });
  if (open === undefined) return 'none';
  const answer = { key: open.effect.key, resolution: { decision }, actor: { id: 'ada' } };
  return (await resolveWait({ store, clock, authority: null }, answer)).outcome;
}

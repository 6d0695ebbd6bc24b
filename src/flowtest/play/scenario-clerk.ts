import type { OpenedConfig } from '../../config/config.ts';
import type { Store } from '../../model/ports/store.ts';
import type { Clock, Ids } from '../../model/ports/time.ts';
import { createConfiguredClerk } from '../../runner/clerk-of-config.ts';
import type { CrashPoint } from './crash-point.ts';
import { createMortalStore, type MortalStore, type WriteCount } from './mortal-store.ts';
import { createProcessClock } from './process-clock.ts';
import type { WorldOptions } from './world-options.ts';
import type { ToolLedger } from './tool-ledger.ts';

export interface ScenarioClerkOptions extends Pick<WorldOptions, 'code' | 'runner'> {
  readonly clock: Clock;
  readonly store: Store;
  readonly ids: Ids;
  readonly ledger: ToolLedger;
  /** How often it looks for work without a notification, in milliseconds of virtual time. */
  readonly lookEveryMs: number | undefined;
  /** The point at which it dies, or null if it does not. */
  readonly crash: CrashPoint | null;
  readonly count: WriteCount;
  /** Called when the caller has to be called. */
  readonly onCallDue: () => void;
}

/** A clerk of a scenario, as a process that may die. */
export interface ScenarioClerk {
  readonly stored: MortalStore;
  readonly stop: () => Promise<void>;
  readonly isDead: () => boolean;
}

/** Carries out decisions while no caller is connected, as in production. */
export function openScenarioClerk(options: ScenarioClerkOptions): ScenarioClerk {
  const { clock, store, ids, ledger, code, lookEveryMs } = options;
  const { flow, ...given } = options.runner;
  const own = createProcessClock(clock);
  let isDead = false;
  const die = (): void => {
    isDead = true;
    own.kill();
  };
  const stored = createMortalStore(store, options.crash, die, options.count);
  const made = createConfiguredClerk({
    config: {
      ...(given as Partial<OpenedConfig>),
      tools: ledger.toolsFor(own, code.tools, code.realTools),
      handlers: ledger.handlersFor(own, code.handlers, code.realHandlers),
    },
    ...{ store: stored.store, clock: own, ids, lookEveryMs },
    flowOf: () => Promise.resolve(flow ?? null),
    placeCall: () => {
      options.onCallDue();
      return Promise.resolve();
    },
    onError: () => undefined,
    onFailed: () => undefined,
  });
  void made.start();
  return { stored, stop: () => made.stop(), isDead: () => isDead };
}

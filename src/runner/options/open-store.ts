import { FlowError } from '../../model/errors.ts';
import type { Store } from '../../model/ports/store.ts';
import type { Clock } from '../../model/ports/time.ts';
import { openStore as openStoreWith, type StoreAccess } from '../../store/open-store.ts';
import { systemClock } from '../../system.ts';

/** Options of `openStore`. */
export interface OpenStoreOptions {
  /** Clock of leases and due times. Default: the clock of the system. */
  readonly clock?: Clock;
  /** `read` opens a store without changing it. Default: `write`. */
  readonly access?: StoreAccess;
}

/**
 * Opens the store of an address: `memory`, `sqlite:PATH` or `postgres://…`. Loads the driver only then. Throws
 * `store-invalid` for any other address, `store-driver-missing` if SQLite is not built, `store-unreachable`,
 * `store-refused` or `store-busy` if the store is not available, `store-older` or `store-newer` for a store of another
 * release, and `config-invalid` for an unknown option.
 *
 * @example
 * const store = await openStore('sqlite:./data/roomflow.db');
 */
export async function openStore(address: string, options: OpenStoreOptions = {}): Promise<Store> {
  // JavaScript callers are not checked by the type.
  if (typeof options !== 'object' || options === null)
    throw new FlowError('config-invalid', 'the options of openStore must be one object, such as { access: "read" }.');
  return await openStoreWith(address, { ...options, clock: options.clock ?? systemClock });
}

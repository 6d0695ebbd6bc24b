import { FlowError } from '../errors.ts';
import type { Store } from '../ports/store.ts';
import type { Clock } from '../ports/time.ts';
import { createMemoryStore } from './memory-store.ts';

/** Where sessions are kept if nothing else is said. */
export const defaultStore = 'sqlite:./data/roomflow.db';

/**
 * Opens the store of an address: `memory`, `sqlite:PATH` or `postgres://…`. What it takes is loaded only then. Throws
 * `store-invalid` for any other, and what the store itself throws.
 */
export async function openStore(address: string, { clock }: { readonly clock: Clock }): Promise<Store> {
  if (address === 'memory') return createMemoryStore({ clock });
  if (/^sqlite:./.test(address)) {
    const { openSqliteStore } = await import('./sqlite-store.ts');
    return await openSqliteStore(address.slice('sqlite:'.length), { clock });
  }
  if (/^postgres(ql)?:\/\//.test(address)) {
    const { openPostgresStore } = await import('./postgres-store.ts');
    return await openPostgresStore(address, { clock });
  }
  // The address may hold a password, and is not repeated.
  throw new FlowError(
    'store-invalid',
    'the store is not known. Write memory, sqlite:PATH or postgres://USER@HOST/DATABASE.',
  );
}

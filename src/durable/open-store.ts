import { existsSync } from 'node:fs';
import { FlowError } from '../errors.ts';
import type { Store } from '../ports/store.ts';
import type { Clock } from '../ports/time.ts';
import { createMemoryStore } from './memory-store.ts';

/** `read` looks into a store and leaves it as it is. */
export type StoreAccess = 'read' | 'write';

/** Where sessions are kept that must outlive a process, if nothing else is said. */
const defaultStore = 'sqlite:./data/roomflow.db';

/**
 * Opens the store of an address: `memory`, `sqlite:PATH` or `postgres://…`. What it takes is loaded only then. Throws
 * `store-invalid` for any other, `store-driver-missing` where SQLite is not built, `store-unreachable`, `store-refused` or
 * `store-busy` where it cannot be had, `store-older` or `store-newer` for one of another release, and `config-invalid` without a
 * clock.
 *
 * @example
 * const store = await openStore('sqlite:./data/roomflow.db', { clock: systemClock });
 */
export async function openStore(
  address: string,
  options: { readonly clock: Clock; readonly access?: StoreAccess },
): Promise<Store> {
  assertOpening(options);
  const { clock, access = 'write' } = options;
  if (address === 'memory') return createMemoryStore({ clock });
  if (/^sqlite:./.test(address)) {
    const { lookIntoSqlite, openSqliteStore } = await import('./sqlite-store.ts');
    const open = access === 'read' ? lookIntoSqlite : openSqliteStore;
    return await open(address.slice('sqlite:'.length), { clock });
  }
  if (/^postgres(ql)?:\/\//.test(address)) {
    const { openPostgresStore } = await import('./postgres-store.ts');
    return await openPostgresStore(address, { clock, access });
  }
  throw noAddress(address);
}

/** Throws `store-invalid` for what is the address of no store. */
export function assertStoreAddress(address: string, whose = 'the store'): void {
  if (address !== 'memory' && !/^(?:sqlite:.|postgres(?:ql)?:\/\/)/.test(address)) throw noAddress(address, whose);
}

function noAddress(address: string, whose = 'the store'): FlowError {
  // The address may hold a password: no more of it is repeated than its kind.
  const [kind] = /^[a-z][a-z0-9+.-]*:/i.exec(address) ?? [];
  const isKnown = /^(?:sqlite|postgres(?:ql)?):$/.test(kind ?? '');
  const fact =
    kind === undefined
      ? 'its address begins with no kind of store'
      : isKnown
        ? 'its address is not whole'
        : `"${kind}" is no kind of store`;
  return new FlowError(
    'store-invalid',
    `${whose} is not known: ${fact}. Write memory, sqlite:PATH or postgres://USER@HOST/DATABASE.`,
  );
}

/** Code that no compiler has seen may give anything. Throws `config-invalid`. */
function assertOpening(options: unknown): void {
  const { clock, access, ...others } = (typeof options === 'object' && options !== null ? options : {}) as Record<
    string,
    unknown
  >;
  const isClock =
    typeof clock === 'object' &&
    clock !== null &&
    ['now', 'schedule'].every((name) => typeof Reflect.get(clock, name) === 'function');
  if (!isClock)
    throw new FlowError('config-invalid', 'clock: must be a clock with now and schedule, such as systemClock.');
  if (access !== undefined && access !== 'read' && access !== 'write')
    throw new FlowError('config-invalid', 'access: must be "read" or "write".');
  // Whoever means "read" and misspells its name would have the store written to.
  const [other] = Object.keys(others);
  if (other !== undefined)
    throw new FlowError('config-invalid', `${other}: there is no such option. There are clock and access.`);
}

/**
 * The store that a configuration or ROOMFLOW_STORE names; null where neither does. Throws what `openStore` throws.
 */
export async function chosenStore(
  choice: string | Store | undefined,
  env: Readonly<Record<string, string | undefined>>,
  clock: Clock,
): Promise<Store | null> {
  if (typeof choice === 'object') return choice;
  const address = addressIn(choice, env);
  return address === null ? null : await openStore(address, { clock });
}

function addressIn(choice: string | undefined, env: Readonly<Record<string, string | undefined>>): string | null {
  const address = choice ?? env['ROOMFLOW_STORE'] ?? '';
  if (address === '') return null;
  if (choice === undefined) assertStoreAddress(address, 'the store that ROOMFLOW_STORE names');
  return address;
}

/**
 * The chosen store, else the default one. Where that cannot be had because SQLite was not built, `onMissing` is told why
 * and sessions are kept in memory.
 */
export async function lastingStore(
  choice: string | Store | undefined,
  env: Readonly<Record<string, string | undefined>>,
  clock: Clock,
  onMissing: (reason: string) => void,
): Promise<Store> {
  const store = (await chosenStore(choice, env, clock)) ?? (await builtStore(clock, onMissing));
  return store ?? createMemoryStore({ clock });
}

/** The chosen store, else the default one, for whoever makes none; throws `store-absent` where that is a file that nobody has made yet. */
export async function existingStore(
  choice: string | Store | undefined,
  env: Readonly<Record<string, string | undefined>>,
  clock: Clock,
  access: StoreAccess,
): Promise<Store> {
  if (typeof choice === 'object') return choice;
  const address = addressIn(choice, env) ?? defaultStore;
  const path = /^sqlite:(.+)/.exec(address)?.[1];
  if (path !== undefined && !existsSync(path))
    throw new FlowError(
      'store-absent',
      `nothing was kept in ${path} yet. Name another store by --store, ROOMFLOW_STORE or agent.config.ts.`,
    );
  return await openStore(address, { clock, access });
}

/** The default store; null where SQLite was not built, which `onMissing` is told. Throws what `openStore` throws. */
export async function builtStore(clock: Clock, onMissing: (reason: string) => void): Promise<Store | null> {
  try {
    return await openStore(defaultStore, { clock });
  } catch (error) {
    if (!(error instanceof FlowError) || error.code !== 'store-driver-missing') throw error;
    onMissing(error.message);
    return null;
  }
}

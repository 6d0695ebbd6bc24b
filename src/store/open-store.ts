import { existsSync } from 'node:fs';
import { FlowError } from '../model/errors.ts';
import type { Store } from '../model/ports/store.ts';
import type { Clock } from '../model/ports/time.ts';
import { type FlatStore, storeOf } from './flat-store.ts';
import { createMemoryStore } from './memory/store.ts';

/** `read` opens a store without changing it. */
export type StoreAccess = 'read' | 'write';

/** Default address of sessions that must outlive the process. */
const defaultStore = 'sqlite:./data/roomflow.db';

/**
 * Opens the store of an address with a clock. Loads the driver only then. Throws the errors of the public `openStore`,
 * which adds the clock of the system, and `config-invalid` without a clock.
 */
export async function openStore(
  address: string,
  options: { readonly clock: Clock; readonly access?: StoreAccess },
): Promise<Store> {
  assertOpening(options);
  const { clock, access = 'write' } = options;
  if (address === 'memory') return createMemoryStore({ clock });
  if (/^sqlite:./.test(address)) {
    const { lookIntoSqlite, openSqliteStore } = await import('./sqlite/store.ts');
    const open = access === 'read' ? lookIntoSqlite : openSqliteStore;
    return await open(address.slice('sqlite:'.length), { clock });
  }
  if (/^postgres(ql)?:\/\//.test(address)) {
    const { openPostgresStore } = await import('./postgres/store.ts');
    return await openPostgresStore(address, { clock, access });
  }
  throw noAddress(address);
}

/** Throws `store-invalid` if the text is not the address of a store. */
export function assertStoreAddress(address: string, whose = 'the store'): void {
  if (address !== 'memory' && !/^(?:sqlite:.|postgres(?:ql)?:\/\/)/.test(address)) throw noAddress(address, whose);
}

function noAddress(address: string, whose = 'the store'): FlowError {
  // The address may contain a password: only its kind is repeated.
  const [kind] = /^[a-z][a-z0-9+.-]*:/i.exec(address) ?? [];
  const isKnown = /^(?:sqlite|postgres(?:ql)?):$/.test(kind ?? '');
  const fact =
    kind === undefined
      ? 'its address does not begin with a kind of store'
      : isKnown
        ? 'its address is incomplete'
        : `"${kind}" is not a kind of store`;
  return new FlowError(
    'store-invalid',
    `${whose} is not valid: ${fact}. Use memory, sqlite:PATH or postgres://USER@HOST/DATABASE.`,
  );
}

/** Checks options from untyped code. Throws `config-invalid`. */
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
  // A misspelled `access: 'read'` would otherwise open the store for writing.
  const [other] = Object.keys(others);
  if (other !== undefined)
    throw new FlowError('config-invalid', `${other}: there is no such option. There are clock and access.`);
}

/** Opens the store of the configuration or of ROOMFLOW_STORE; null without either. Throws the errors of `openStore`. */
export async function chosenStore(
  choice: string | Store | FlatStore | undefined,
  env: Readonly<Record<string, string | undefined>>,
  clock: Clock,
): Promise<Store | null> {
  if (typeof choice === 'object') return storeOf(choice);
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
 * Opens the chosen store, otherwise the default one. If SQLite was not built, calls `onMissing` with the reason and
 * uses memory.
 */
export async function lastingStore(
  choice: string | Store | FlatStore | undefined,
  env: Readonly<Record<string, string | undefined>>,
  clock: Clock,
  onMissing: (reason: string) => void,
): Promise<Store> {
  const store = (await chosenStore(choice, env, clock)) ?? (await builtStore(clock, onMissing));
  return store ?? createMemoryStore({ clock });
}

/**
 * Opens the chosen store, otherwise the default one, without creating it. Throws `store-absent` if its file does not
 * exist.
 */
export async function existingStore(
  choice: string | Store | FlatStore | undefined,
  env: Readonly<Record<string, string | undefined>>,
  clock: Clock,
  access: StoreAccess,
): Promise<Store> {
  if (typeof choice === 'object') return storeOf(choice);
  const address = addressIn(choice, env) ?? defaultStore;
  const path = /^sqlite:(.+)/.exec(address)?.[1];
  if (path !== undefined && !existsSync(path))
    throw new FlowError(
      'store-absent',
      `${path} does not exist yet. Name another store with --store, ROOMFLOW_STORE or agent.config.ts.`,
    );
  return await openStore(address, { clock, access });
}

/**
 * Opens the default store. If SQLite was not built, calls `onMissing` with the reason and returns null. Throws the
 * errors of `openStore`.
 */
export async function builtStore(clock: Clock, onMissing: (reason: string) => void): Promise<Store | null> {
  try {
    return await openStore(defaultStore, { clock });
  } catch (error) {
    if (!(error instanceof FlowError) || error.code !== 'store-driver-missing') throw error;
    onMissing(error.message);
    return null;
  }
}

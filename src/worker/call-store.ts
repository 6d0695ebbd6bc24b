import type { AgentConfig } from '../config.ts';
import { chosenStore, defaultStore, openStore } from '../durable/open-store.ts';
import { FlowError } from '../errors.ts';
import type { Store } from '../ports/store.ts';
import { systemClock } from '../session/system.ts';

/**
 * Opens where the calls of a worker are kept: the store that was chosen, else the default one. Null where they end with
 * their process: that was chosen, or SQLite was not built, which `onMissing` is told. Throws what `openStore` throws.
 */
export async function openCallStore(
  config: AgentConfig,
  env: NodeJS.ProcessEnv,
  onMissing: (reason: string) => void,
): Promise<Store | null> {
  const choice = config.store ?? env['ROOMFLOW_STORE'] ?? '';
  if (choice === 'memory') return null;
  if (choice !== '') return await chosenStore(choice, env, systemClock);
  try {
    return await openStore(defaultStore, { clock: systemClock });
  } catch (error) {
    if (!(error instanceof FlowError) || error.code !== 'store-driver-missing') throw error;
    onMissing(error.message);
    return null;
  }
}

import type { AgentConfig } from '../../config/config.ts';
import { builtStore, chosenStore } from '../../store/open-store.ts';
import type { Store } from '../../model/ports/store.ts';
import { systemClock } from '../../system.ts';

/**
 * Opens the store of a worker's calls: the configured store, else the default one. Null if calls end with their process,
 * because memory was chosen or SQLite is not built; the latter calls `onMissing`. Throws what `openStore` throws.
 */
export async function openCallStore(
  config: AgentConfig,
  env: NodeJS.ProcessEnv,
  onMissing: (reason: string) => void,
): Promise<Store | null> {
  const { store } = config;
  if ((store ?? env['ROOMFLOW_STORE']) === 'memory') return null;
  return (await chosenStore(store, env, systemClock)) ?? (await builtStore(systemClock, onMissing));
}

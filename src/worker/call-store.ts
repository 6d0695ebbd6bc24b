import type { AgentConfig } from '../config.ts';
import { builtStore, chosenStore } from '../durable/open-store.ts';
import type { Store } from '../ports/store.ts';
import { systemClock } from '../system.ts';

/**
 * Opens where the calls of a worker are kept: the store that was chosen, else the default one. Null where they end with
 * their process: that was chosen, or SQLite was not built, which `onMissing` is told. Throws what `openStore` throws.
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

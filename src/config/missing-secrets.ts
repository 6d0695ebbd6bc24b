import { envNames } from '../livekit/tools/mcp/env-text.ts';
import type { Environment } from '../people/outcomes/sign-delivery.ts';
import type { OpenedConfig } from './config.ts';

/** Returns the environment variables that a configuration names and that are not set, each with the place of its name. */
export function missingSecrets(
  { mcp = {}, httpTools = {}, outcomes }: Pick<OpenedConfig, 'mcp' | 'httpTools' | 'outcomes'>,
  env: Environment,
): readonly string[] {
  const ofServers = Object.entries(mcp).flatMap(([server, settings]) => {
    const headers = 'url' in settings ? Object.values(settings.headers ?? {}) : [];
    const named = headers.flatMap(envNames);
    return [...named, ...('command' in settings ? (settings.env ?? []) : [])].map((name) => [name, `mcp.${server}`]);
  });
  const ofHosts = Object.entries(httpTools).flatMap(([origin, { secrets = [] }]) =>
    secrets.map((name) => [name, `httpTools ${origin}`]),
  );
  const ofOutcomes = outcomes === undefined ? [] : [[outcomes.secret, 'outcomes.secret']];
  const missing = [...ofServers, ...ofHosts, ...ofOutcomes].filter(([name = '']) => (env[name] ?? '') === '');
  return [...new Set(missing.map(([name, place]) => `${name} (${place})`))];
}

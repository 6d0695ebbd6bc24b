import type { OpenedConfig } from './config.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const placeholder = /\{\{\s*env\.([A-Za-z_]\w*)\s*\}\}/g;

/** Returns the environment variables that a configuration names and that are not set, each with the place of its name. */
export function missingSecrets(
  { mcp = {}, httpTools = {}, outcomes }: Pick<OpenedConfig, 'mcp' | 'httpTools' | 'outcomes'>,
  env: Environment,
): readonly string[] {
  const ofServers = Object.entries(mcp).flatMap(([server, settings]) => {
    const headers = 'url' in settings ? Object.values(settings.headers ?? {}) : [];
    const named = headers.flatMap((text) => [...text.matchAll(placeholder)].map(([, name = '']) => name));
    return [...named, ...('command' in settings ? (settings.env ?? []) : [])].map((name) => [name, `mcp.${server}`]);
  });
  const ofHosts = Object.entries(httpTools).flatMap(([origin, { secrets = [] }]) =>
    secrets.map((name) => [name, `httpTools ${origin}`]),
  );
  const ofOutcomes = outcomes === undefined ? [] : [[outcomes.secret, 'outcomes.secret']];
  const missing = [...ofServers, ...ofHosts, ...ofOutcomes].filter(([name = '']) => (env[name] ?? '') === '');
  return [...new Set(missing.map(([name, place]) => `${name} (${place})`))];
}

import type { OpenedConfig } from './config.ts';
import type { ServersOptions } from '../livekit/tools/mcp/connect-servers.ts';

/** A configuration with the tools of its MCP servers. */
export interface ConnectedConfig {
  readonly config: OpenedConfig;
  readonly close: () => Promise<void>;
}

/** Connects to the MCP servers of a configuration. Throws `mcp-unreachable`, or `config-invalid` if a variable is missing. */
export async function connected(config: OpenedConfig, options: ServersOptions): Promise<ConnectedConfig> {
  const { mcp = {} } = config;
  if (Object.keys(mcp).length === 0) return { config, close: () => Promise.resolve() };
  // The SDK takes time to load, which a configuration without servers does not spend.
  const { connectServers } = await import('../livekit/tools/mcp/connect-servers.ts');
  const servers = await connectServers(mcp, options);
  return { config: { ...config, serverTools: servers.tools }, close: servers.close };
}

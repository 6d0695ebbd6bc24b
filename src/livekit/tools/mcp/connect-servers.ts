import { FlowError } from '../../../model/errors.ts';
import type { Clock } from '../../../model/ports/time.ts';
import type { FunctionTool } from '../function-tool.ts';
import type { ListedTool } from './listed-tools.ts';
import type { McpServers } from './mcp-schema.ts';
import { mcpTool } from './mcp-tool.ts';
import { connectServer, type ServerConnection, type ServerNote } from './server-connection.ts';

/** The servers of a configuration, each with one connection of this process. */
export interface ConnectedServers {
  /** Returns the functions with their newest declarations. An unchanged declaration keeps its function. */
  readonly tools: () => readonly FunctionTool[];
  readonly close: () => Promise<void>;
}

export interface ServersOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly clock: Clock;
  readonly note?: (note: ServerNote) => void;
  readonly onTools?: () => void;
}

/** Connects to all servers. Throws `mcp-unreachable` or `config-invalid`, and then leaves no connection open. */
export async function connectServers(servers: McpServers, options: ServersOptions): Promise<ConnectedServers> {
  const { env, clock, note = () => undefined, onTools = () => undefined } = options;
  const attempts = await Promise.allSettled(
    Object.entries(servers).map(([name, settings]) => connectServer({ name, settings, env, clock, note, onTools })),
  );
  const open = attempts.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const close = async (): Promise<void> => void (await Promise.all(open.map((one) => one.close())));
  const faults = attempts.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));
  if (faults.length > 0) {
    await close();
    throw faults.find((one) => one instanceof FlowError) ?? faults[0];
  }
  const made = new WeakMap<ListedTool, FunctionTool>();
  const toolOf = (server: ServerConnection, listed: ListedTool): FunctionTool => {
    const known = made.get(listed) ?? mcpTool(server, listed);
    made.set(listed, known);
    return known;
  };
  return {
    tools: () => open.flatMap((server) => [...server.tools.values()].map((listed) => toolOf(server, listed))),
    close,
  };
}

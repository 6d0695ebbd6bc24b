import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { envValue, withEnv } from './env-text.ts';
import type { McpServer } from './mcp-schema.ts';

interface ClientEvents {
  onClose(client: Client): void;
  /** Something of the transport failed, perhaps the server itself. */
  onDoubt(client: Client): void;
  onListChanged(client: Client): void;
}

const mostMessageBytes = 10_000_000;
const farewellMs = 1_000;

// Results are validated by our own interpreter of JSON Schema, which generates no code.
const noValidation = {
  getValidator: () => (input: unknown) => ({ valid: true, data: input as never, errorMessage: undefined }) as const,
};

/** Creates the transport of a server. Throws `config-invalid` if an environment variable is missing. */
export function transportOf(options: {
  readonly name: string;
  readonly settings: McpServer;
  readonly env: NodeJS.ProcessEnv;
}): Transport {
  const { name, settings, env } = options;
  if ('command' in settings) {
    const { command, args = [], cwd } = settings;
    const named = (settings.env ?? []).map((one) => [one, envValue(one, `mcp.${name}.env`, env)]);
    return new StdioClientTransport({
      ...{ command, args, env: Object.fromEntries(named) as Record<string, string> },
      ...(cwd === undefined ? {} : { cwd }),
      maxBufferSize: mostMessageBytes,
      // It may print what callers said.
      stderr: 'ignore',
    });
  }
  const headers = Object.entries(settings.headers ?? {}).map(([header, value]) => [
    header,
    withEnv(value, `mcp.${name}.headers.${header}`, env),
  ]);
  return new StreamableHTTPClientTransport(new URL(settings.url), {
    requestInit: { headers: Object.fromEntries(headers) as Record<string, string> },
  });
}

/** Opens the protocol on a transport. Rejects if the server does not answer in time. */
export async function openClient(transport: Transport, timeoutMs: number, on: ClientEvents): Promise<Client> {
  const client = new Client(
    { name: 'roomflow', version: '1' },
    { capabilities: {}, jsonSchemaValidator: noValidation },
  );
  Object.assign(client, { onclose: () => on.onClose(client), onerror: () => on.onDoubt(client) });
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => on.onListChanged(client));
  try {
    await client.connect(transport, { timeout: timeoutMs });
    return client;
  } catch (error) {
    await client.close().catch(() => undefined);
    throw error;
  }
}

/** Closes a client: ends the session at its server, or the server's process. Never throws. */
export async function closeClient(client: Client): Promise<void> {
  const { transport } = client;
  if (transport instanceof StreamableHTTPClientTransport)
    await Promise.race([transport.terminateSession().catch(() => undefined), afterFarewell()]);
  await client.close().catch(() => undefined);
}

function afterFarewell(): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, farewellMs).unref());
}

/** Names a server in an error, without the secrets that an address or arguments may contain. */
export function placeOf(settings: McpServer): string {
  if ('command' in settings) return `the program "${settings.command}"`;
  const { origin, pathname } = new URL(settings.url);
  return `the server at ${origin}${pathname}`;
}

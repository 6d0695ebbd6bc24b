import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { z } from 'zod';
import { errorKind, FlowError } from '../../../model/errors.ts';
import type { JsonObject } from '../../../model/json.ts';
import type { Clock } from '../../../model/ports/time.ts';
import { toolError } from '../tool-error.ts';
import { callResultSchema } from './mcp-result.ts';
import { type ListedTool, listTools } from './listed-tools.ts';
import type { McpServer } from './mcp-schema.ts';
import { closeClient, openClient, placeOf, transportOf } from './open-client.ts';

/** The connection of this process to one server. */
export interface ServerConnection {
  readonly name: string;
  /** The tools with their newest declarations. A tool that the server has removed stays, and its calls fail. */
  readonly tools: ReadonlyMap<string, ListedTool>;
  /**
   * Calls a tool. `key` is the idempotency key of a write; null for a read. Rejects with a ToolError if the server is
   * away, loses the call or takes too long, and when `signal` aborts.
   */
  call(tool: string, given: JsonObject, options: CallChoice): Promise<z.output<typeof callResultSchema>>;
  close(): Promise<void>;
}

export interface CallChoice {
  readonly key: string | null;
  readonly signal: AbortSignal;
}

export interface ServerOptions {
  readonly name: string;
  readonly settings: McpServer;
  readonly env: NodeJS.ProcessEnv;
  readonly clock: Clock;
  /** Receives the loss and the return of the server. */
  readonly note: (note: ServerNote) => void;
  /** The list of tools has changed. */
  readonly onTools: () => void;
}

export interface ServerNote {
  readonly event: 'mcp:lost' | 'mcp:back';
  readonly server: string;
  readonly reason?: string;
}

const connectMs = 8_000;
/** How long a call waits for a server that is being reached again. */
const patienceMs = 3_000;
const longestCallMs = 120_000;
const firstBackoffMs = 250;
const longestBackoffMs = 30_000;
const startPausesMs = [300, 1_000];
/** The place of a write's key in the request. */
const keyName = 'roomflow/idempotencyKey';

const away = 'The server of this tool cannot be reached. The call was not made.';
const lost = 'The connection to the server of this tool was lost. It is not known whether the call was made.';

/** Connects to a server and reads its tools. Throws `mcp-unreachable`. */
export async function connectServer(options: ServerOptions): Promise<ServerConnection> {
  const { name, settings, clock, note, onTools } = options;
  let live: Client | null = null;
  let opening: Promise<Client> | null = null;
  let isClosed = false;
  let failures = 0;
  /** The time of the last connection. */
  let since = 0;
  let cancelRetry: (() => void) | null = null;
  let tools: ReadonlyMap<string, ListedTool> = new Map();

  const take = (listed: ReadonlyMap<string, ListedTool>): void => {
    const changed = [...listed].filter(([tool, one]) => JSON.stringify(one) !== JSON.stringify(tools.get(tool)));
    const isFirst = tools.size === 0;
    tools = new Map([...tools, ...changed]);
    if (!isFirst && changed.length > 0) onTools();
  };
  const refresh = (client: Client): void => {
    listTools(client, connectMs).then(take, () => drop(client, 'no-list'));
  };
  const connect = async (): Promise<Client> => {
    const client = await openClient(transportOf(options), connectMs, {
      onClose: (one) => drop(one, 'closed'),
      onDoubt: (one) => void one.ping({ timeout: patienceMs }).catch(() => drop(one, 'silent')),
      onListChanged: refresh,
    });
    try {
      take(await listTools(client, connectMs));
    } catch (error) {
      await closeClient(client);
      throw error;
    }
    if (isClosed) await closeClient(client);
    // It may have been closed while the list was read.
    if (client.transport === undefined) throw new Error('closed');
    live = client;
    if (since > 0) note({ event: 'mcp:back', server: name });
    since = clock.now();
    return client;
  };
  const open = (): Promise<Client> => {
    if (live !== null) return Promise.resolve(live);
    opening ??= connect().finally(() => (opening = null));
    return opening;
  };
  const retry = (): void => {
    if (isClosed || cancelRetry !== null) return;
    const pauseMs = Math.min(firstBackoffMs * 2 ** failures, longestBackoffMs);
    failures += 1;
    cancelRetry = clock.schedule(pauseMs, () => {
      cancelRetry = null;
      open().catch(() => retry());
    });
  };
  const drop = (client: Client, reason: string): void => {
    if (live !== client) return;
    live = null;
    // A server that ends soon after each start is started ever more rarely.
    if (clock.now() - since > longestBackoffMs) failures = 0;
    void closeClient(client);
    note({ event: 'mcp:lost', server: name, reason });
    retry();
  };
  const reach = async (signal: AbortSignal): Promise<Client> => {
    if (isClosed) throw toolError(away);
    if (live !== null) return live;
    let cancel = (): void => undefined;
    const late = new Promise<never>((_resolve, reject) => {
      const end = (): void => reject(toolError(away));
      const stop = clock.schedule(patienceMs, end);
      signal.addEventListener('abort', end, { once: true });
      cancel = () => {
        stop();
        signal.removeEventListener('abort', end);
      };
    });
    return await Promise.race([open(), late])
      .catch(() => {
        throw toolError(away);
      })
      .finally(() => cancel());
  };

  const attempt = async (client: Client, tool: string, given: JsonObject, { key, signal }: CallChoice) => {
    const meta = key === null ? {} : { _meta: { [keyName]: key } };
    const params = { name: tool, arguments: given, ...meta };
    return await client.request({ method: 'tools/call', params }, callResultSchema, {
      timeout: longestCallMs,
      maxTotalTimeout: longestCallMs,
      // An abandoned write continues: its outcome must be known before the next attempt.
      ...(key === null ? { signal } : {}),
    });
  };
  const failed = (client: Client, error: unknown): Error => {
    const code = codeOf(error);
    if (code === timedOut) return toolError('The server of this tool did not answer in time.');
    if (code === connectionClosed) return toolError(lost);
    if (typeof code === 'number' && code < -32_000) return toolError('The server of this tool refused the call.');
    if (error instanceof Error && error.name === 'ZodError')
      return toolError('The server of this tool sent an invalid result.');
    drop(client, errorKind(error));
    return toolError(lost);
  };

  try {
    await openAtStart(open, clock);
  } catch (cause) {
    isClosed = true;
    if (cause instanceof FlowError) throw cause;
    throw new FlowError(
      'mcp-unreachable',
      `mcp.${name}: ${placeOf(settings)} does not answer (${errorKind(cause)}). Start it, or correct mcp.${name} in agent.config.ts.`,
      { cause },
    );
  }
  return {
    name,
    get tools() {
      return tools;
    },
    async call(tool, given, choice) {
      const client = await reach(choice.signal);
      try {
        return await attempt(client, tool, given, choice);
      } catch (error) {
        if (choice.signal.aborted && choice.key === null) throw error;
        // A restarted server does not know the session, and has not read the call.
        if (codeOf(error) !== sessionUnknown) throw failed(client, error);
        drop(client, 'session-unknown');
        const again = await reach(choice.signal);
        return await attempt(again, tool, given, choice).catch((second: unknown) => {
          throw failed(again, second);
        });
      }
    },
    async close() {
      isClosed = true;
      cancelRetry?.();
      await opening?.catch(() => undefined);
      const client = live;
      live = null;
      if (client !== null) await closeClient(client);
    },
  };
}

/** A server that starts at the same time may need a moment. */
async function openAtStart(open: () => Promise<Client>, clock: Clock): Promise<void> {
  for (const pauseMs of startPausesMs) {
    try {
      return void (await open());
    } catch (error) {
      if (error instanceof FlowError) throw error;
      await new Promise<void>((resolve) => void clock.schedule(pauseMs, resolve));
    }
  }
  await open();
}

/** Codes of JSON-RPC in MCP, and of HTTP for a session that the server does not know. */
const timedOut = -32_001;
const connectionClosed = -32_000;
const sessionUnknown = 404;

function codeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : null;
}

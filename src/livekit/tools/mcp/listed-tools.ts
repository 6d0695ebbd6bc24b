import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { z } from 'zod';
import { isJsonObject, type JsonObject } from '../../../model/json.ts';
import { cutText } from '../../../engine/limits.ts';

/** A tool as its server declares it. */
export interface ListedTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonObject;
  /** JSON Schema of structured results; null if none is declared. */
  readonly output: JsonObject | null;
  /** The server says that the tool changes nothing. */
  readonly isReadOnly: boolean;
}

const mostPages = 100;
const mostTools = 1_000;
const mostOfADescription = 1_000;

// Each tool is read alone, so that one invalid declaration does not remove the others.
const pageSchema = z.looseObject({ tools: z.array(z.unknown()), nextCursor: z.string().optional() });

const schema = z.custom<JsonObject>((value) => z.json().safeParse(value).success && isJsonObject(value as JsonObject));

const toolSchema = z.looseObject({
  name: z.string().min(1).max(128),
  description: z.string().optional().catch(undefined),
  inputSchema: schema,
  outputSchema: schema.optional(),
  annotations: z
    .looseObject({ readOnlyHint: z.boolean().optional().catch(undefined) })
    .optional()
    .catch(undefined),
});

/** Returns the tools of a server by name, without invalid declarations. Rejects if the server does not answer. */
export async function listTools(client: Client, timeoutMs: number): Promise<ReadonlyMap<string, ListedTool>> {
  const listed = new Map<string, ListedTool>();
  const seen = new Set<string>();
  let cursor: string | undefined;
  for (let page = 0; page < mostPages && listed.size < mostTools; page += 1) {
    const params = cursor === undefined ? {} : { cursor };
    const { tools, nextCursor } = await client.request({ method: 'tools/list', params }, pageSchema, {
      timeout: timeoutMs,
    });
    for (const tool of tools) add(listed, tool);
    // A repeated cursor would never end.
    if (nextCursor === undefined || seen.has(nextCursor)) break;
    seen.add(nextCursor);
    cursor = nextCursor;
  }
  return listed;
}

function add(listed: Map<string, ListedTool>, declared: unknown): void {
  const { data } = toolSchema.safeParse(declared);
  if (data === undefined || (data.inputSchema['type'] ?? 'object') !== 'object') return;
  listed.set(data.name, {
    name: data.name,
    description: cutText(data.description ?? '', mostOfADescription),
    parameters: { type: 'object', ...data.inputSchema },
    output: data.outputSchema ?? null,
    isReadOnly: data.annotations?.readOnlyHint === true,
  });
}

import { existsSync } from 'node:fs';
import { extname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createJiti } from 'jiti';
import { type AgentConfig, parseConfig } from '../config.ts';
import { FlowError } from '../errors.ts';
import type { Registered } from '../graph/registered.ts';
import { declarationsOf } from '../session/function-tool.ts';
import { checkFlow, type FlowCheck } from '../load/check-flow.ts';
import { builtinCatalog } from '../nodes/builtin.ts';

const codeExtensions = new Set(['.ts', '.mts', '.js', '.mjs']);

/** Where a project's configuration is looked for. */
export const defaultConfig = 'agent.config.ts';

/** Reads the configuration that was asked for; null where none was. */
export async function openConfig(file: string | undefined): Promise<AgentConfig | null> {
  if (file === undefined) return null;
  return parseConfig(await importDefault(file), file);
}

/** A flow as the runner takes it: a path, or what a TypeScript file exports. */
export async function openFlow(file: string): Promise<string | object> {
  if (!codeExtensions.has(extname(file))) return file;
  const flow = await importDefault(file);
  if (typeof flow === 'object' && flow !== null) return flow;
  throw new FlowError(
    'flow-invalid',
    `${file}: the default export is no flow. Write: export default defineFlow({ … }).`,
  );
}

/** Checks one flow file with the functions of a configuration, if there is one. */
export async function checkSource(file: string, config: AgentConfig | null): Promise<FlowCheck> {
  const source = await openFlow(file);
  return checkFlow(source, {
    catalog: builtinCatalog,
    ...(typeof source === 'object' ? { file } : {}),
    ...(config === null ? {} : registeredBy(config)),
  });
}

function registeredBy({ tools = [], handlers = {} }: AgentConfig): Registered {
  return {
    functions: new Set(tools.map((tool) => tool.name)),
    handlers: new Set(Object.keys(handlers)),
    declared: declarationsOf(tools),
  };
}

async function importDefault(file: string): Promise<unknown> {
  const path = resolve(file);
  if (!existsSync(path)) throw new FlowError('file-not-found', `${file} does not exist.`);
  try {
    return await createJiti(pathToFileURL(path).href).import(path, { default: true });
  } catch (cause) {
    const reason = cause instanceof Error ? (cause.message.split('\n')[0] ?? '') : String(cause);
    throw new FlowError('file-broken', `${file} cannot be loaded: ${reason}`, { cause });
  }
}

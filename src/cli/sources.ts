import { existsSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { cwd } from 'node:process';
import { type OpenedConfig, openConfig as readConfig } from '../config.ts';
import { FlowError } from '../errors.ts';
import type { Catalog } from '../graph/catalog.ts';
import type { Registered } from '../graph/registered.ts';
import { checkFlow, type FlowCheck } from '../load/check-flow.ts';
import { configAbove, configName } from '../load/config-above.ts';
import { openFlow } from '../load/open-flow.ts';
import { builtinCatalog } from '../nodes/builtin.ts';
import { registeredBy } from '../runner/registered-by.ts';
import { complain } from './output.ts';

/** The configuration that was asked for, else the project's own; undefined where there is none. */
export function configFile(asked: string | undefined): string | undefined {
  return asked ?? (existsSync(configName) ? configName : undefined);
}

/**
 * The configuration that was asked for, else the nearest above a flow's file, as `check` and editors take it; null where there
 * is none. One that nobody has named and that cannot be loaded is told, and done without.
 */
export async function openNearest(asked: string | undefined, file: string): Promise<OpenedConfig | null> {
  const found = asked ?? configAbove(resolve(file), cwd());
  if (found === undefined) return null;
  try {
    return await readConfig(asked ?? relative(cwd(), found));
  } catch (error) {
    if (asked !== undefined || !(error instanceof FlowError)) throw error;
    complain(`${error.message}\nUntil it is mended the flow is read without ${relative(cwd(), found)}.`);
    return null;
  }
}

/** Reads the configuration that was asked for; null where none was. */
export async function openConfig(file: string | undefined): Promise<OpenedConfig | null> {
  if (file === undefined) return null;
  return await readConfig(file);
}

/**
 * Checks one flow, by its file or as it is, with the functions, flows and node packs of a configuration, if there is one.
 * `catalog` are the node types where it is to be checked without the rest.
 */
export async function checkSource(
  file: string | object,
  config: OpenedConfig | null,
  catalog = config?.catalog ?? builtinCatalog,
): Promise<FlowCheck> {
  return await check(file, catalog, config === null ? {} : await registeredBy(config));
}

/** Checks a flow that is only replayed: what it names of code need not be there, for nothing is called. */
export async function checkReplayed(file: string | object, config: OpenedConfig | null): Promise<FlowCheck> {
  if (config === null) return await check(file, builtinCatalog, {});
  const { declared } = await registeredBy(config);
  return await check(file, config.catalog ?? builtinCatalog, declared === undefined ? {} : { declared });
}

async function check(file: string | object, catalog: Catalog, registered: Registered): Promise<FlowCheck> {
  const source = typeof file === 'string' ? await openFlow(file) : file;
  const place = typeof source === 'object' && typeof file === 'string' ? { file } : {};
  return checkFlow(source, { catalog, ...place, ...registered });
}

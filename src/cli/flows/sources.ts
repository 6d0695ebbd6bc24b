import { existsSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { cwd } from 'node:process';
import { type OpenedConfig, openConfig as readConfig } from '../../config/config.ts';
import { FlowError } from '../../model/errors.ts';
import type { Catalog } from '../../flow/graph/nodes/catalog.ts';
import type { Registered } from '../../flow/graph/compile/registered.ts';
import { checkFlow, type FlowCheck } from '../../flow/load/check-flow.ts';
import { configAbove, configName } from '../../flow/load/files/config-above.ts';
import { openFlow } from '../../flow/load/open-flow.ts';
import { builtinCatalog } from '../../flow/nodes/builtin.ts';
import { registeredBy } from '../../runner/registered-by.ts';
import { complain } from '../output.ts';

/** Returns the named configuration, else the one of the project; undefined if there is none. */
export function configFile(asked: string | undefined): string | undefined {
  return asked ?? (existsSync(configName) ? configName : undefined);
}

/**
 * Reads the named configuration, else the nearest one above a flow's file, as `check` and editors do; null if there is
 * none. If a configuration that was not named cannot be loaded, this reports it and continues without it.
 */
export async function openNearest(asked: string | undefined, file: string): Promise<OpenedConfig | null> {
  const found = asked ?? configAbove(resolve(file), cwd());
  if (found === undefined) return null;
  try {
    return await readConfig(asked ?? relative(cwd(), found));
  } catch (error) {
    if (asked !== undefined || !(error instanceof FlowError)) throw error;
    complain(`${error.message}\nThe flow is read without ${relative(cwd(), found)} until that is fixed.`);
    return null;
  }
}

/** Reads the named configuration; null if none is named. */
export async function openConfig(file: string | undefined): Promise<OpenedConfig | null> {
  if (file === undefined) return null;
  return await readConfig(file);
}

/**
 * Checks one flow, given by its file or document, with the functions, flows and node packs of a configuration.
 * `catalog` overrides the node types.
 */
export async function checkSource(
  file: string | object,
  config: OpenedConfig | null,
  catalog = config?.catalog ?? builtinCatalog,
): Promise<FlowCheck> {
  return await check(file, catalog, config === null ? {} : await registeredBy(config));
}

/** Checks a flow for a replay only. Its code may be missing because nothing is called. */
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

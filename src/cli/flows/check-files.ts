import { relative, resolve } from 'node:path';
import { cwd } from 'node:process';
import type { OpenedConfig } from '../../config/config.ts';
import { FlowError } from '../../model/errors.ts';
import type { Diagnostic } from '../../flow/document/problems/diagnostic.ts';
import { brokenConfig, configAbove } from '../../flow/load/files/config-above.ts';
import { flowFile } from '../../flow/load/files/flow-file.ts';
import { registeredBy } from '../../runner/registered-by.ts';
import { checkSource, openConfig } from './sources.ts';

/**
 * Returns a checker of flow files. It uses the nearest configuration above each file, as editors do. A configuration
 * that cannot be loaded adds one diagnostic to each of its flows.
 */
export function createFileChecker(): (file: string) => Promise<readonly Diagnostic[]> {
  const opened = new Map<string, Promise<OpenedConfig | FlowError>>();
  const configOf = async (file: string): Promise<OpenedConfig | FlowError | null> => {
    const found = configAbove(resolve(flowFile(file)), cwd());
    if (found === undefined) return null;
    const config = opened.get(found) ?? openWhole(relative(cwd(), found));
    opened.set(found, config);
    return await config;
  };
  return async (file) => {
    const config = await configOf(file);
    const broken = config instanceof FlowError ? [brokenConfig(file, config.message)] : [];
    const { diagnostics } = await checkSource(file, config instanceof FlowError ? null : config);
    return [...broken, ...diagnostics];
  };
}

/** Opens a configuration and loads everything it names; returns the error if that fails. */
async function openWhole(file: string): Promise<OpenedConfig | FlowError> {
  try {
    const config = await openConfig(file);
    if (config !== null) await registeredBy(config);
    return config ?? {};
  } catch (error) {
    if (error instanceof FlowError) return error;
    throw error;
  }
}

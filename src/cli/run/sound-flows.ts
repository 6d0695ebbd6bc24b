import type { OpenedConfig } from '../../config/config.ts';
import { promptedFlow } from '../../flow/document/classic.ts';
import { printDiagnostic } from '../output.ts';
import { checkSource } from '../flows/sources.ts';

/**
 * Checks the prompt and all flows of a configuration, and optionally one more flow, and prints the errors. A server
 * checks before it starts instead of failing in each session.
 */
export async function flowsAreSound(config: OpenedConfig, flow?: string): Promise<boolean> {
  const named = Object.values(config.flows ?? {});
  const prompt = promptedFlow(config);
  const sources = [...(flow === undefined ? [] : [flow]), ...(prompt === null ? [] : [prompt]), ...named];
  let isSound = true;
  for (const source of sources) {
    const { graph, tasks, diagnostics } = await checkSource(source, config);
    if (graph !== null || tasks !== null) continue;
    isSound = false;
    for (const one of diagnostics) if (one.severity === 'error') printDiagnostic(one);
  }
  return isSound;
}

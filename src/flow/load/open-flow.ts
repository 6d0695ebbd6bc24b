import { extname } from 'node:path';
import { FlowError } from '../../model/errors.ts';
import { flowFile } from './files/flow-file.ts';
import { importDefault } from './files/import-default.ts';
import { isFlowText } from './open-source.ts';

const codeExtensions = new Set(['.ts', '.mts', '.js', '.mjs']);

/** Checks whether a flow is the export of a TypeScript or JavaScript file. */
export function isCodeFile(source: unknown): source is string {
  return typeof source === 'string' && !isFlowText(source) && codeExtensions.has(extname(flowFile(source)));
}

/**
 * Returns a flow as the runner accepts it: a path, or the export of a TypeScript file. A folder means the flow in it.
 */
export async function openFlow(path: string): Promise<string | object> {
  if (!isCodeFile(path)) return path;
  const file = flowFile(path);
  const flow = await importDefault(file);
  if (typeof flow === 'object' && flow !== null) return flow;
  throw new FlowError(
    'flow-invalid',
    `${file}: the default export is not a flow. Write: export default defineFlow({ … }).`,
  );
}

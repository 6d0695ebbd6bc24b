import { extname } from 'node:path';
import { FlowError } from '../errors.ts';
import { flowFile } from './flow-file.ts';
import { importDefault } from './import-default.ts';
import { isFlowText } from './open-source.ts';

const codeExtensions = new Set(['.ts', '.mts', '.js', '.mjs']);

/** Whether a flow is what a TypeScript or JavaScript file exports. */
export function isCodeFile(source: unknown): source is string {
  return typeof source === 'string' && !isFlowText(source) && codeExtensions.has(extname(flowFile(source)));
}

/** A flow as the runner takes it: a path, or what a TypeScript file exports. A folder means the flow in it. */
export async function openFlow(path: string): Promise<string | object> {
  if (!isCodeFile(path)) return path;
  const file = flowFile(path);
  const flow = await importDefault(file);
  if (typeof flow === 'object' && flow !== null) return flow;
  throw new FlowError(
    'flow-invalid',
    `${file}: the default export is no flow. Write: export default defineFlow({ … }).`,
  );
}

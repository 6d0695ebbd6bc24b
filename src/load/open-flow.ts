import { extname } from 'node:path';
import { FlowError } from '../errors.ts';
import { importDefault } from './import-default.ts';

const codeExtensions = new Set(['.ts', '.mts', '.js', '.mjs']);

/** Whether a flow is what a TypeScript or JavaScript file exports. */
export function isCodeFile(source: unknown): source is string {
  return typeof source === 'string' && codeExtensions.has(extname(source));
}

/** A flow as the runner takes it: a path, or what a TypeScript file exports. */
export async function openFlow(file: string): Promise<string | object> {
  if (!isCodeFile(file)) return file;
  const flow = await importDefault(file);
  if (typeof flow === 'object' && flow !== null) return flow;
  throw new FlowError(
    'flow-invalid',
    `${file}: the default export is no flow. Write: export default defineFlow({ … }).`,
  );
}

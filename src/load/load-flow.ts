import type { ConversationDocument } from '../flow/document.ts';
import { FlowInvalidError } from './flow-invalid-error.ts';
import { readFlow, type ReadFlowOptions } from './read-flow.ts';

/**
 * Loads a conversation flow and resolves its files: from a file or folder, a YAML or JSON text, or an object. Throws
 * `flow-invalid`, a `FlowInvalidError` with all diagnostics, where one of them is an error.
 *
 * @example
 * const document = loadFlow('flows/intake.yaml');
 */
export function loadFlow(source: string | URL | object, options?: ReadFlowOptions): ConversationDocument {
  const { document, file, diagnostics } = readFlow(source, options);
  if (document === null) throw new FlowInvalidError(file, diagnostics);
  return document;
}

/**
 * Another name for `loadFlow`, as Python programs write it.
 *
 * @alias
 */
export const load_flow = loadFlow;

import { z } from 'zod';
import type { ConversationDocument } from '../document/document.ts';
import { assertOptions, type OptionShapes } from '../document/problems/option-faults.ts';
import { FlowInvalidError } from './problems/flow-invalid-error.ts';
import { readFlow, type ReadFlowOptions } from './read-flow.ts';

const shapes: OptionShapes<ReadFlowOptions> = { file: z.string(), baseFolder: z.string(), unsaved: null };

/**
 * Loads a conversation flow and resolves its files: from a file or folder, a YAML or JSON text, or an object. Throws
 * `flow-invalid`, a `FlowInvalidError` with all diagnostics, if one of them is an error. Throws `config-invalid` for
 * options of the wrong type.
 * @example
 * const document = loadFlow('flows/intake.yaml');
 */
export function loadFlow(source: string | URL | object, options?: ReadFlowOptions): ConversationDocument {
  if (options !== undefined) assertOptions(options, shapes);
  const { document, file, diagnostics } = readFlow(source, options);
  if (document === null) throw new FlowInvalidError(file, diagnostics);
  return document;
}

/**
 * Another name for `loadFlow`, in the style of Python.
 * @alias
 */
export const load_flow = loadFlow;

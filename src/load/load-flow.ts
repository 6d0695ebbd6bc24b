import { FlowError } from '../errors.ts';
import { formatDiagnostic, type Diagnostic } from '../flow/diagnostic.ts';
import type { ConversationDocument } from '../flow/document.ts';
import { readFlow, type ReadFlowOptions } from './read-flow.ts';

/** A flow that cannot be loaded, with everything that is wrong in it. */
export class FlowInvalidError extends FlowError {
  readonly diagnostics: readonly Diagnostic[];

  constructor(file: string, diagnostics: readonly Diagnostic[]) {
    const errors = diagnostics.filter(({ severity }) => severity === 'error');
    const lines = errors.slice(0, LISTED).map((diagnostic) => `  ${formatDiagnostic(diagnostic)}`);
    if (errors.length > LISTED) lines.push(`  … and ${errors.length - LISTED} more`);
    super('flow-invalid', `${file} has ${errors.length} error${errors.length === 1 ? '' : 's'}.\n${lines.join('\n')}`);
    this.name = 'FlowInvalidError';
    this.diagnostics = diagnostics;
  }
}

const LISTED = 20;

/** Loads a flow: takes what `readFlow` takes, and throws `flow-invalid` with all diagnostics where one is an error. */
export function loadFlow(source: string | URL | object, options?: ReadFlowOptions): ConversationDocument {
  const { document, file, diagnostics } = readFlow(source, options);
  if (document === null) throw new FlowInvalidError(file, diagnostics);
  return document;
}

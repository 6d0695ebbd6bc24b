import { FlowError } from '../../../model/errors.ts';
import { formatDiagnostic, type Diagnostic } from '../../document/problems/diagnostic.ts';
import { counted } from '../../../model/ports/counted.ts';

/**
 * A flow that cannot be loaded (`flow-invalid`). `diagnostics` has all its problems.
 * @example
 * try {
 *   loadFlow('flows/intake.yaml');
 * } catch (error) {
 *   if (error instanceof FlowInvalidError) for (const one of error.diagnostics) console.error(formatDiagnostic(one));
 * }
 */
export class FlowInvalidError extends FlowError {
  readonly diagnostics: readonly Diagnostic[];

  constructor(file: string, diagnostics: readonly Diagnostic[]) {
    const errors = diagnostics.filter(({ severity }) => severity === 'error');
    const lines = errors.slice(0, LISTED).map((diagnostic) => `  ${formatDiagnostic(diagnostic)}`);
    if (errors.length > LISTED) lines.push(`  … and ${errors.length - LISTED} more`);
    super('flow-invalid', `${file} has ${counted(errors.length, 'error')}.\n${lines.join('\n')}`);
    this.name = 'FlowInvalidError';
    this.diagnostics = diagnostics;
  }
}

const LISTED = 20;

import { FlowError } from '../errors.ts';
import type { FlowSource } from '../load/flow-library.ts';
import { checkFlow as check, type CheckFlowOptions, type FlowCheck } from '../load/check-flow.ts';
import { builtinCatalog } from '../nodes/builtin.ts';
import { isCatalog } from './option-faults.ts';

/**
 * Tells everything that is wrong in a flow, and resolves it: a file or folder, a YAML or JSON text, or a flow made in code.
 * Without options its node types are the built-in ones, and what code has to register is a note each; with `functions`,
 * `handlers` or `flows` what is not among them is an error. Whatever flow is given, what is wrong
 * with it is told in `diagnostics`; throws `catalog-invalid` alone, for a catalog that is none.
 *
 * @example
 * const { diagnostics } = checkFlow('flows/intake.yaml');
 * for (const one of diagnostics) console.log(formatDiagnostic(one));
 */
export function checkFlow(flow: FlowSource | object, options: Partial<CheckFlowOptions> = {}): FlowCheck {
  const { catalog = builtinCatalog } = options ?? {};
  if (!isCatalog(catalog))
    throw new FlowError('catalog-invalid', 'catalog must be a catalog, as createCatalog makes it.');
  return check(flow, { ...options, catalog });
}

import type { FlowSource } from '../load/flow-library.ts';
import { checkFlow as check, type CheckFlowOptions, type FlowCheck } from '../load/check-flow.ts';
import { builtinCatalog } from '../nodes/builtin.ts';

/**
 * Tells everything that is wrong in a flow, and resolves it: a file or folder, a YAML or JSON text, or a flow made in code.
 * Without options its node types are the built-in ones, and what code has to register is a note each; with `functions`,
 * `handlers` or `flows` what is not among them is an error. Never throws: whatever is given is told of in `diagnostics`.
 */
export function checkFlow(flow: FlowSource | object, options: Partial<CheckFlowOptions> = {}): FlowCheck {
  return check(flow, { catalog: builtinCatalog, ...options });
}

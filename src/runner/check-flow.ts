import { z } from 'zod';
import { FlowError } from '../model/errors.ts';
import {
  assertOptions,
  has,
  type OptionShape,
  optionShapes,
  type OptionShapes,
} from '../flow/document/problems/option-faults.ts';
import type { FlowSource } from '../flow/load/files/flow-library.ts';
import { checkFlow as check, type CheckFlowOptions, type FlowCheck } from '../flow/load/check-flow.ts';
import { builtinCatalog } from '../flow/nodes/builtin.ts';
import { isCatalog } from './options/option-faults.ts';

const names: OptionShape = ['a Set of names', (value) => value instanceof Set];

const shapes: OptionShapes<CheckFlowOptions> = {
  ...{ functions: names, handlers: names, flows: names, conversations: names, servers: names },
  ...{ language: z.string(), name: z.string(), file: z.string(), baseFolder: z.string() },
  declared: ['a Map by name', (value) => value instanceof Map],
  endless: optionShapes.flag,
  ...{ catalog: null, unsaved: null, waitOf: null, hosts: null, own: null, nodeForms: null, fallback: null },
};

/**
 * Checks a flow and compiles it: a file or folder, a YAML or JSON text, or a flow made in code. By default its node
 * types are the built-in ones, and each name that code must register is a note. With `functions`, `handlers` or `flows`,
 * names that they lack are errors. Never throws for a faulty flow: all faults are in `diagnostics`. Throws
 * `catalog-invalid` for an invalid catalog, and `config-invalid` for other options of a wrong type.
 *
 * @example
 * const { diagnostics } = checkFlow('flows/intake.yaml');
 * for (const one of diagnostics) console.log(formatDiagnostic(one));
 */
export function checkFlow(flow: FlowSource | object, options: Partial<CheckFlowOptions> = {}): FlowCheck {
  if (has(options)) assertOptions(options, shapes);
  const { catalog = builtinCatalog } = options ?? {};
  if (!isCatalog(catalog))
    throw new FlowError('catalog-invalid', 'catalog must be a catalog, as createCatalog makes it.');
  return check(flow, { ...options, catalog });
}

import { createCatalog, type Catalog } from '../graph/nodes/catalog.ts';
import { agentNodes } from './agent.ts';
import { controlBodyNodes } from './control-bodies.ts';
import { controlWaitNodes } from './control-waits.ts';
import { controlNodes } from './control.ts';
import { dataListNodes } from './data-lists.ts';
import { dataObjectNodes } from './data-objects.ts';
import { dataTextNodes } from './data-text.ts';
import { interruptNodes } from './interrupt.ts';
import { systemNodes } from './system.ts';

/** The built-in node types, available to every flow. */
export const builtinCatalog: Catalog = createCatalog([
  ...agentNodes,
  ...controlNodes,
  ...controlBodyNodes,
  ...controlWaitNodes,
  ...dataListNodes,
  ...dataObjectNodes,
  ...dataTextNodes,
  ...interruptNodes,
  ...systemNodes,
]);

import { createCatalog, type Catalog } from '../graph/catalog.ts';
import { controlNodes } from './control.ts';
import { dataListNodes } from './data-lists.ts';
import { dataObjectNodes } from './data-objects.ts';
import { dataTextNodes } from './data-text.ts';

/** The node types that every flow may use. */
export const builtinCatalog: Catalog = createCatalog([
  ...controlNodes,
  ...dataListNodes,
  ...dataObjectNodes,
  ...dataTextNodes,
]);

import { createCatalog, type Catalog } from '../graph/catalog.ts';
import { controlNodes } from './control.ts';
import { dataNodes } from './data.ts';

/** The node types that every flow may use. */
export const builtinCatalog: Catalog = createCatalog([...controlNodes, ...dataNodes]);

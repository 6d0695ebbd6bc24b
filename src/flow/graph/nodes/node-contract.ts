import { z } from 'zod';
import { schemaFaults } from '../../document/problems/schema-faults.ts';
import { shapeOf } from '../../document/problems/schema-shape.ts';
import { nodeTypeName } from './catalog.ts';

const schema = z.instanceof(z.ZodType, { error: 'must be a zod schema' });
const schemaOfMap = schema.refine(takesMap, 'must be a zod schema of an object, which is what a document gives');
const method = z.custom((value) => typeof value === 'function', 'must be a function').optional();
const flag = z.boolean().optional();

/** The argument of `defineNodeType`, for untyped code. */
const nodeTypeSchema = z
  .strictObject({
    name: z.string().regex(nodeTypeName, 'must be of the form "acme.lookup"'),
    description: z.string().trim().min(1, 'must say what the node does'),
    input: schemaOfMap,
    output: schema,
    config: schemaOfMap.optional(),
    literal: z.array(z.string()).optional(),
    runsFlow: z.string().optional(),
    capabilities: z
      .strictObject({
        ...{ isAgent: flag, supportsMultiTurn: flag, isStreaming: flag },
        ...{ fails: flag, writes: flag, asksPerson: flag },
      })
      .optional(),
    waitsFor: method,
    bodyNames: method,
    reads: method,
    faults: method,
    evaluate: method,
    run: method,
  })
  .refine(({ evaluate, run }) => (evaluate === undefined) !== (run === undefined), 'needs either evaluate or run');

/** Returns why an external value is not a node type, one text per reason; empty if it is one. */
export function nodeTypeFaults(value: unknown): readonly string[] {
  const { error } = nodeTypeSchema.safeParse(value);
  return schemaFaults(nodeTypeSchema, error?.issues ?? [], value);
}

function takesMap(value: z.ZodType): boolean {
  const { kinds, open } = shapeOf(value);
  return open || kinds.has('map');
}

import { defineNodeType } from 'roomflow';
import { z } from 'zod';

/** The stock of a workshop. A real pack would ask an inventory system. */
const stock = new Map([['tube', 12]]);

/** The node types of the pack, each with its input, its output and its code. */
export default [
  defineNodeType({
    name: 'workshop.stock',
    description: 'Tells how many of an article are there.',
    input: z.strictObject({ article: z.string().describe('The name of the article.') }),
    output: z.strictObject({ count: z.number() }),
    evaluate: ({ article }) => ({ ok: true, output: { count: stock.get(article) ?? 0 } }),
  }),
];

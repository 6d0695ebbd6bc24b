import { defineNodeType } from 'roomflow';
import { z } from 'zod';

/** The stock of a workshop; a real one would ask its own system. */
const stock = new Map([['tube', 12]]);

/** What a pack gives: node types, each with its input, its output, and what it does. */
export default [
  defineNodeType({
    name: 'workshop.stock',
    description: 'Tells how many of an article are there.',
    input: z.strictObject({ article: z.string().describe('The name of the article.') }),
    output: z.strictObject({ count: z.number() }),
    evaluate: ({ article }) => ({ ok: true, output: { count: stock.get(article) ?? 0 } }),
  }),
];

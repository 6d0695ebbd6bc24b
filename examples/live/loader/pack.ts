import { defineNodeType } from 'roomflow';
import { z } from 'zod';

export default [
  defineNodeType({
    name: 'shop.stock',
    description: 'Tells how many of an article are there.',
    input: z.strictObject({ article: z.string() }),
    output: z.strictObject({ count: z.number() }),
    evaluate: ({ article }) => ({ ok: true, output: { count: article === 'tube' ? 12 : 0 } }),
  }),
];

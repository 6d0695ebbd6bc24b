import { z } from 'zod';
import type { TokenCount } from '../model/events/turn-trace.ts';

const price = z.number().min(0).max(1_000_000);

/** Schema of `prices` in a configuration. */
export const tokenPricesSchema = z.record(
  z.string().min(1),
  z.strictObject({
    input: price.describe('Price of a million input tokens.'),
    output: price.describe('Price of a million output tokens.'),
    cached: price.optional().describe('Price of a million cached input tokens. Default: the price of input tokens.'),
  }),
);

/** Model prices by name; `*` applies to all others. Any currency, the same for all. */
export type TokenPrices = Readonly<z.output<typeof tokenPricesSchema>>;

/** Returns the cost of requests; null if a model has no price. */
export function costOf(
  requests: readonly { readonly model: string; readonly tokens: TokenCount }[],
  prices: TokenPrices,
): number | null {
  let cost = 0;
  for (const { model, tokens } of requests) {
    const found = priceOf(prices, model);
    if (found === undefined) return null;
    const { input, output, cached = input } = found;
    cost += (tokens.input - tokens.cached) * input + tokens.cached * cached + tokens.output * output;
  }
  // Rounded to a billionth of the currency, because sums of fractions are not exact.
  return Math.round(cost * 1_000) / 1e9;
}

function priceOf(prices: TokenPrices, model: string): TokenPrices[string] | undefined {
  if (Object.hasOwn(prices, model)) return prices[model];
  return Object.hasOwn(prices, '*') ? prices['*'] : undefined;
}

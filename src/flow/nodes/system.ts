import { z } from 'zod';
import { FlowError } from '../../model/errors.ts';
import type { Json } from '../../model/json.ts';
import { defineNodeType, type NodeType } from '../graph/nodes/node-type.ts';
import { asJson, tooLargeToKeep } from './json-fields.ts';

const done = z.strictObject({ ok: z.literal(true).describe('Always true.') });
const found = z.strictObject({ value: z.unknown().optional().describe('The value; absent if there is none.') });
const key = z.string().min(1).max(1_000);
const writes = { writes: true, neverFails: true } as const;

const systemLog = defineNodeType({
  name: 'system.log',
  description: 'Writes a line to the log.',
  input: z.strictObject({
    level: z.enum(['debug', 'info', 'warn', 'error']).describe('The log level.'),
    message: z.string().describe('The line. Do not log words of callers.'),
  }),
  output: done,
  capabilities: writes,
  async run({ level, message }, context) {
    context.log.write(level, message, { key: context.key });
    return Promise.resolve({ ok: true });
  },
});

const systemMetrics = defineNodeType({
  name: 'system.metrics',
  description: 'Records a measurement of a metric.',
  input: z.strictObject({
    name: z
      .string()
      .regex(/^[A-Za-z][\w./-]{0,254}$/, 'Write letters, digits and _ . - /, such as triage.duration_ms.')
      .describe('The metric, such as triage.duration_ms.'),
    value: z.number().min(0).describe('The measurement, 0 or more. Metrics keep count, sum and distribution.'),
    tags: z.record(z.string(), z.string()).optional().describe('Attributes of the measurement.'),
  }),
  output: done,
  capabilities: writes,
  async run({ name, value, tags = {} }, { metrics }) {
    metrics.record(name, value, tags);
    return Promise.resolve({ ok: true });
  },
});

const cacheGet = defineNodeType({
  name: 'system.cache.get',
  description: 'Reads a value from the cache. The output is empty if there is none.',
  input: z.strictObject({ key: key.describe('The key of the value.') }),
  output: found,
  run: async ({ key }, { cache }) => foundOf(await cache.get(key)),
});

const cacheSet = defineNodeType({
  name: 'system.cache.set',
  description: 'Puts a value into the cache. All sessions share the cache, and it may drop a value at any time.',
  input: z.strictObject({
    key: key.describe('The key of the value.'),
    value: z.unknown().describe('The value.'),
    ttlMs: z
      .number()
      .int()
      .min(1)
      .optional()
      .describe('The lifetime in milliseconds. Default: as long as there is room.'),
  }),
  output: done,
  capabilities: writes,
  async run({ key, value, ttlMs }, { cache }) {
    await cache.set(key, keepable(value), ttlMs);
    return { ok: true as const };
  },
});

const stateGet = defineNodeType({
  name: 'system.state.get',
  description: 'Reads a value that the session has stored. The output is empty if there is none.',
  input: z.strictObject({ key: key.describe('The key of the value.') }),
  output: found,
  run: async ({ key }, { state }) => foundOf(await state.get(key)),
});

const stateSet = defineNodeType({
  name: 'system.state.set',
  description: 'Stores a value in the session, as long as the session is stored.',
  input: z.strictObject({
    key: key.describe('The key of the value.'),
    value: z.unknown().describe('The value.'),
  }),
  output: done,
  capabilities: writes,
  async run({ key, value }, { state }) {
    await state.set(key, keepable(value));
    return { ok: true as const };
  },
});

/** The log, metrics, cache and state nodes. */
export const systemNodes: readonly NodeType[] = [cacheGet, cacheSet, systemLog, systemMetrics, stateGet, stateSet];

function foundOf(value: Json | undefined): { value?: Json } {
  return value === undefined ? {} : { value };
}

function keepable(value: unknown): Json {
  const tooLarge = tooLargeToKeep(value);
  if (tooLarge !== null) throw new FlowError(tooLarge.code, tooLarge.message);
  return asJson(value);
}

import { z } from 'zod';
import type { ExpectedAnswer, GeneratorYield, WaitYield } from '../../model/signals/generator-yield.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import { FlowError } from '../../model/errors.ts';
import type { AnswerKind, FlowReturn } from '../../flow/document/generator.ts';
import { schemaFaults } from '../../flow/document/problems/schema-faults.ts';
import { slotSchema } from '../../flow/document/slot.ts';
import { normalizeSpelling } from '../../flow/document/problems/spelling.ts';
import { durationMs } from '../../flow/document/times.ts';
import { issuesText } from '../../flow/graph/describe-issue.ts';
import { askedSlot } from '../../flow/graph/generator-graph.ts';
import { parseSafely } from '../../flow/graph/parse-safely.ts';
import type { NodeType } from '../../flow/graph/nodes/node-type.ts';

const zodSchema = z.custom<z.ZodType>((value) => value instanceof z.ZodType);

const yieldSchema = z.discriminatedUnion(
  'type',
  [
    z.strictObject({ type: z.literal('say'), text: z.string() }),
    z.strictObject({
      type: z.literal('ask'),
      key: z.string().min(1),
      text: z.string(),
      again: z.string().optional(),
      expects: z.union([zodSchema, z.looseObject({ type: z.string() })]).optional(),
      isConsent: z.literal(true).optional(),
    }),
    z.strictObject({
      type: z.literal('tool'),
      name: z.string().min(1),
      args: z.record(z.string(), z.unknown()).optional(),
      effect: z.enum(['read', 'write']).optional(),
      timeoutMs: z.number().positive().optional(),
      retry: z
        .strictObject({ maxAttempts: z.number().int().min(1), backoffMs: z.number().min(0).optional() })
        .optional(),
    }),
    z.strictObject({
      type: z.enum(['interrupt.confirm', 'interrupt.escalate', 'interrupt.wait']),
      key: z.string().min(1),
      input: z.record(z.string(), z.unknown()),
    }),
    z.strictObject({ type: z.literal('handoff'), to: z.string().min(1), input: z.unknown().optional() }),
    z.strictObject({ type: z.literal('end'), reason: z.string().optional() }),
  ],
  {
    error: ({ code }) =>
      code === 'invalid_union'
        ? 'must be say, ask, tool, interrupt.escalate, interrupt.confirm, interrupt.wait, handoff or end'
        : undefined,
  },
);

const noTypes: ReadonlyMap<string, NodeType> = new Map();

/** Converts a yield to the form of the log. Throws `yield-invalid` if it is not a valid yield or not JSON. */
export function recordYield(made: unknown, interrupts: ReadonlyMap<string, NodeType> = noTypes): GeneratorYield {
  const parsed = yieldSchema.safeParse(made);
  if (!parsed.success)
    throw invalid(schemaFaults(yieldSchema, parsed.error.issues, made, 'the yield')[0] ?? 'it is not a yield');
  const { data } = parsed;
  switch (data.type) {
    case 'say':
      return { type: 'say', text: data.text };
    case 'ask': {
      const { key, text, again = null, isConsent } = data;
      const question: GeneratorYield = {
        type: 'ask',
        key,
        text,
        again,
        expects: expectedAnswer(data.expects),
        ...(isConsent === undefined ? {} : { isConsent }),
      };
      const slot = question.expects?.slot ?? null;
      if (slot !== null && askedSlot(question) === null) throw invalid(`the rules of question "${key}" are broken`);
      return question;
    }
    case 'tool': {
      const { name, args = {}, effect, timeoutMs = null, retry } = data;
      return {
        type: 'tool',
        name,
        args: toJson(args) as JsonObject, // A record stays a record.
        write: effect !== 'read',
        timeoutMs,
        retry: { maxAttempts: retry?.maxAttempts ?? 1, backoffMs: retry?.backoffMs ?? 0 },
      };
    }
    case 'interrupt.confirm':
    case 'interrupt.escalate':
    case 'interrupt.wait':
      return recordWait(data, interrupts.get(data.type));
    case 'handoff':
      return { type: 'handoff', to: data.to, input: toJson(data.input ?? {}) };
    case 'end':
      return { type: 'end', reason: data.reason ?? completed };
  }
}

/** Converts a wait, with its input read by its node type. */
function recordWait(
  { type: node, key, input }: { readonly type: string; readonly key: string; readonly input: object },
  type: NodeType | undefined,
): WaitYield {
  if (type === undefined || !('interrupts' in type)) throw invalid('nothing here waits for people');
  const given = normalizeSpelling(type.input, toJson(input)).value as JsonObject; // JSON stays JSON.
  const { data, error } = parseSafely(type.input, given);
  if (error !== undefined) throw invalid(issuesText('its input', type.input, error, given));
  if (type.asksCaller?.(given) === true) throw invalid('interrupt.confirm asks the caller without of. Use ask');
  const asked = type.opens(data);
  if (asked.deadlines.some(({ policy }) => policy.act === 'go_to'))
    throw invalid('a deadline with go_to has no node to go to. Use answer, and go on by it');
  const { say = null, meanwhile = {} } = given as { say?: string; meanwhile?: Company }; // Checked by its schema.
  const { every = '20s', say: lines = [], functions } = meanwhile;
  if (functions !== undefined) throw invalid('meanwhile offers no functions in a generator');
  if (say !== null && typeof say !== 'string') throw invalid('say is one text in a generator');
  const texts = typeof lines === 'string' ? [lines] : lines;
  if (!Array.isArray(texts)) throw invalid('the lines of meanwhile are texts in a generator');
  const isSilent = asked.due !== null && given['meanwhile'] === undefined;
  return {
    type: 'wait',
    node,
    key,
    asked,
    say,
    company: isSilent ? null : { everyMs: durationMs(every), lines: texts },
  };
}

interface Company {
  readonly every?: string;
  readonly say?: string | readonly string[];
  readonly functions?: readonly string[];
}

/** Converts a generator's return value to the end of the flow. */
export function recordReturn(returned: FlowReturn): GeneratorYield {
  const reason: unknown = typeof returned === 'object' && returned !== null ? returned.reason : undefined;
  return { type: 'end', reason: typeof reason === 'string' ? reason : completed };
}

const completed = 'completed';

function expectedAnswer(expects: AnswerKind | z.ZodType | { type: string } | undefined): ExpectedAnswer | null {
  if (expects === undefined) return null;
  if (expects instanceof z.ZodType) {
    const schema = z.toJSONSchema(expects, { io: 'input', unrepresentable: 'any' }) as JsonObject; // JSON Schema is JSON.
    const { $schema: _schema, ...rest } = schema;
    return { slot: slotLike(rest), schema: rest };
  }
  const parsed = slotSchema.safeParse(expects);
  if (!parsed.success)
    throw invalid(
      schemaFaults(slotSchema, parsed.error.issues, expects, 'expects')[0] ?? 'its kind of answer is not valid',
    );
  return { slot: toJson(parsed.data) as JsonObject, schema: null }; // A slot document is a JSON object.
}

/** Returns the slot whose rules read what a schema of one simple value describes; null for other schemas. */
function slotLike(schema: JsonObject): JsonObject | null {
  const { type, format, minimum, maximum } = schema;
  const values = schema['enum'];
  if (Array.isArray(values) && values.every((value) => typeof value === 'string')) return { type: 'enum', values };
  if (type === 'boolean') return { type };
  if (type === 'number' || type === 'integer')
    return {
      type,
      // Zod bounds integers by the safe range; that bound is not the author's.
      ...(typeof minimum === 'number' && Number.isSafeInteger(minimum) && minimum > Number.MIN_SAFE_INTEGER
        ? { minimum }
        : {}),
      ...(typeof maximum === 'number' && Number.isSafeInteger(maximum) && maximum < Number.MAX_SAFE_INTEGER
        ? { maximum }
        : {}),
    };
  if (type !== 'string') return null;
  if (format === undefined) return { type: 'text' };
  return format === 'date' || format === 'time' || format === 'email' ? { type: format } : null;
}

function toJson(value: unknown): Json {
  try {
    return JSON.parse(JSON.stringify(value) ?? 'null') as Json;
  } catch (cause) {
    throw new FlowError('yield-invalid', 'a flow yielded a value that JSON cannot represent, such as a cycle.', {
      cause,
    });
  }
}

function invalid(fact: string): FlowError {
  return new FlowError(
    'yield-invalid',
    `a flow yielded what cannot be done: ${fact.replace(/\.$/, '')}. Yield say, ask, tool, interrupt, handoff or end.`,
  );
}

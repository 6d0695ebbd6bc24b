import type { Context } from 'hono';
import { z } from 'zod';
import type { Json, JsonObject } from '../model/json.ts';
import { digitsLost, lossyNumber } from '../model/ports/lossy-numbers.ts';
import { HttpProblem } from '../http/problem.ts';

const text = z.string().max(20_000);
const id = z.string().min(1).max(200);
const by = z.enum(['typed', 'voice']).optional();
const json = z.record(
  z.string(),
  z.custom<Json>((value) => z.json().safeParse(value).success),
) as z.ZodType<JsonObject>;

/** The request bodies of the protocol. */
export const bodies = {
  showFlow: z.strictObject({ flow: id }),
  newSession: z.strictObject({ flow: id.optional(), input: json.optional(), by }),
  words: z.strictObject({ text: text.min(1), eventId: id.optional() }),
  keys: z.strictObject({ digits: z.string().regex(/^[0-9*#A-D]{1,50}$/), eventId: id.optional() }),
  place: z.strictObject({ by }),
  decision: z.strictObject({
    key: z.string().min(1).max(2_000),
    factsHash: id,
    decision: z.string().max(200).optional(),
    text: text.optional(),
    comment: text.optional(),
    resolution: json.optional(),
  }),
  fork: z.strictObject({ seq: z.int().min(1), by, withTodaysFile: z.boolean().optional() }),
  reveal: z.strictObject({ reason: z.string().max(1_000).optional() }),
  saveTest: z.strictObject({
    name: z
      .string()
      .regex(/^[\w-]{1,80}$/)
      .optional(),
  }),
  timing: z.strictObject({ name: z.enum(['speech.end', 'speech.first_audio']), at: z.number() }),
  saveFile: z.strictObject({ text: z.string().max(1_000_000) }),
  placeInText: z.strictObject({
    path: z.string().max(2_000),
    text: z.string().max(1_000_000),
    offset: z.number().int().min(0).max(1_000_000),
  }),
  checkText: z.strictObject({ path: z.string().max(2_000), text: z.string().max(1_000_000) }),
  nothing: z.strictObject({}),
} as const;

/** Makes members optional instead of undefined, as in the types of the protocol. */
type Exact<Value> = { [Name in keyof Value as undefined extends Value[Name] ? never : Name]: Value[Name] } & {
  [Name in keyof Value as undefined extends Value[Name] ? Name : never]?: Exclude<Value[Name], undefined>;
};

/** Reads the body of a request. Throws a 415 for another content type and a 400 for an invalid body. */
export async function bodyOf<Schema extends z.ZodType>(
  context: Context,
  schema: Schema,
): Promise<Exact<z.output<Schema>>> {
  // A form of another page can be sent without a preflight request, but not as JSON.
  if (!/^application\/json\b/i.test(context.req.header('content-type') ?? ''))
    throw new HttpProblem(415, 'request-invalid', 'Send the body as application/json.');
  let given: unknown;
  const text = await context.req.text();
  try {
    given = JSON.parse(text);
  } catch {
    throw new HttpProblem(400, 'request-invalid', 'The body is not JSON.');
  }
  if (lossyNumber(text) !== null) throw new HttpProblem(400, 'request-invalid', `The body ${digitsLost}`);
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data as Exact<z.output<Schema>>; // zod omits absent members.
  const [issue] = parsed.error.issues;
  const place = issue?.path.map(String).join('.') ?? '';
  throw new HttpProblem(400, 'request-invalid', `"${place.slice(0, 100)}" is not valid (${issue?.code}).`);
}

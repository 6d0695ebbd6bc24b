import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { type Actor, refOf } from '../../people/authority.ts';
import { findWait, isOpen, mayStillCome, pageFor, type PostedWait, resourceOf } from '../../people/waits.ts';
import type { EffectOf } from '../../model/ports/store.ts';
import { actorOf, assertMay } from '../access.ts';
import { decide, longestPark } from '../decide.ts';
import { linkTo } from '../link-to.ts';
import type { HttpParts } from '../parts.ts';
import { refusals } from '../problem.ts';
import { refusalOf } from '../refusal-of.ts';
import { idSchema, jsonAnswer, jsonBody, limitOf, objectSchema } from '../schemas.ts';

const waitSchema = z
  .object({
    key: z.string(),
    sessionId: z.string(),
    wait: z.enum(['confirm', 'admin_resolution', 'proxy_input', 'timeout', 'scheduler', 'transfer']),
    to: z.string().nullable(),
    event: z.string().nullable().openapi({ description: 'The name of the awaited event.' }),
    question: z.string(),
    facts: objectSchema,
    factsHash: z.string().openapi({ description: 'The hash of the facts that a resolution refers to.' }),
    options: z.array(z.string()),
    schema: objectSchema.openapi({ description: 'JSON Schema of the resolution.' }),
    deadline: z.string().nullable(),
    isOpen: z.boolean(),
  })
  .openapi('Wait');

const pageSchema = z.object({
  waits: z.array(waitSchema),
  next: z
    .string()
    .nullable()
    .openapi({ description: 'The value of `after` for the next page; null on the last page.' }),
});

/** The start of a page, from `next`. */
const placeSchema = z
  .string()
  .max(4_000)
  .transform((text, context) => {
    const { data } = placeShape.safeParse(placeIn(text));
    if (data !== undefined) return data;
    context.addIssue({ code: 'custom', message: 'must be the `next` of the previous page' });
    return z.NEVER;
  });
const placeShape = z.strictObject({ sessionId: z.string(), key: z.string() });

const resolutionSchema = z
  .strictObject({ resolution: objectSchema, factsHash: z.string().max(200) })
  .openapi('Resolution', { example: { resolution: { decision: 'approve' }, factsHash: '4f1c…' } });

const keyParam = z.object({
  key: idSchema.openapi({
    param: { name: 'key', in: 'path' },
    description: 'The key of the wait, percent-encoded because it contains slashes.',
  }),
});

/** `GET /waits`, `GET /waits/{key}`, `POST /waits/{key}/resolve` and `POST /waits/{key}/link`. */
export function addWaitRoutes(app: OpenAPIHono, parts: HttpParts): void {
  const { store, authority } = parts;
  app.openapi(
    createRoute({
      method: 'get',
      path: '/waits',
      summary: 'Lists the open waits that the actor may see.',
      security: [{ bearer: [] }],
      request: {
        query: z.strictObject({
          sessionId: idSchema.optional(),
          event: idSchema.optional().openapi({ description: 'Only waits for the event with this name.' }),
          limit: limitOf(500),
          after: placeSchema.optional().openapi({ type: 'string', description: 'The `next` of the previous page.' }),
        }),
      },
      responses: { 200: jsonAnswer('A page of the waits.', pageSchema), ...refusals(401) },
    }),
    async (context) => {
      const actor = await actorOf(parts, context);
      const may = (wait: PostedWait) => authority.may(actor, 'wait:read', resourceOf(wait));
      const { waits, next } = await pageFor(store, context.req.valid('query'), may);
      return context.json({ waits: waits.map(viewOf), next: next === null ? null : placeText(next) }, 200);
    },
  );
  app.openapi(
    createRoute({
      method: 'get',
      path: '/waits/{key}',
      summary: 'Returns one wait, open or over.',
      security: [{ bearer: [] }],
      request: { params: keyParam },
      responses: { 200: jsonAnswer('The wait.', waitSchema), ...refusals(401, 404) },
    }),
    async (context) => {
      const { wait } = await seen(parts, context, context.req.valid('param').key, 'wait:read');
      return context.json(viewOf(wait), 200);
    },
  );
  app.openapi(
    createRoute({
      method: 'post',
      path: '/waits/{key}/resolve',
      summary: 'Decides a wait. The first valid decision counts; repeating it returns the same answer.',
      description:
        'A decision that arrives before its wait is stored waits for up to a minute, or for the time in `Prefer: wait=SECONDS`.',
      security: [{ bearer: [] }],
      request: { params: keyParam, body: jsonBody(resolutionSchema) },
      responses: {
        200: jsonAnswer(
          'The decision is recorded.',
          z.object({ status: z.literal('recorded'), key: z.string(), resolution: objectSchema }).openapi('Recorded'),
        ),
        ...refusals(401, 404, 409),
      },
    }),
    async (context) => {
      const actor = await actorOf(parts, context);
      const { key } = context.req.valid('param');
      const { resolution, factsHash } = context.req.valid('json');
      const parkMs = (await mayStillCome(store, key)) ? patienceOf(context) : 0;
      await decide(parts, { key, resolution, factsHash, actor, parkMs });
      return context.json({ status: 'recorded' as const, key, resolution }, 200);
    },
  );
  app.openapi(
    createRoute({
      method: 'post',
      path: '/waits/{key}/link',
      summary: 'Creates a link with which the asked person can decide the wait once, in a browser.',
      security: [{ bearer: [] }],
      request: {
        params: keyParam,
        body: jsonBody(
          z.strictObject({
            to: idSchema
              .optional()
              .openapi({ description: 'The person who gets the link. Default: the person who is asked.' }),
            expiresInMs: z.int().min(1_000).max(2_592_000_000).optional(),
          }),
        ),
      },
      responses: {
        201: jsonAnswer('The link.', z.object({ url: z.string(), expiresAt: z.string() }).openapi('Link')),
        ...refusals(401, 404, 409),
      },
    }),
    async (context) => {
      const { key } = context.req.valid('param');
      const { to, expiresInMs } = context.req.valid('json');
      const { actor, wait } = await seen(parts, context, key, 'wait:link', to);
      const { url, grant } = linkTo(parts, wait, { ...(to === undefined ? {} : { to }), expiresInMs });
      const details = { key, link: grant.id, to: grant.to };
      const record = { actor: refOf(actor), action: 'wait:link', outcome: 'allowed' as const, details };
      await store.inbox.post([], [{ ...record, sessionId: wait.sessionId }]);
      return context.json({ url, expiresAt: new Date(grant.expiresAt).toISOString() }, 201);
    },
  );
}

/** Returns a wait if the actor may see it. An actor without permission gets the same refusal for a missing wait. */
async function seen(
  parts: HttpParts,
  context: Context,
  key: string,
  action: 'wait:read' | 'wait:link',
  to?: string,
): Promise<{ readonly actor: Actor; readonly wait: PostedWait }> {
  const actor = await actorOf(parts, context);
  const wait = await findWait(parts.store, key);
  const resource = wait === null ? { key } : resourceOf(wait);
  await assertMay(parts, actor, action, to === undefined ? resource : { ...resource, to });
  if (wait === null) throw refusalOf({ outcome: 'unknown' });
  return { actor, wait };
}

function viewOf({ sessionId, effect }: PostedWait): z.output<typeof waitSchema> {
  const { key, payload, deadline } = effect;
  const { wait, to, question, facts, factsHash, options, schema, event = null } = payload;
  return {
    ...{ key, sessionId, wait, to, event, question, facts, factsHash, schema },
    options: [...options],
    deadline: deadline === undefined ? null : new Date(deadline).toISOString(),
    isOpen: isOpen(effect),
  };
}

function placeText(place: EffectOf): string {
  return Buffer.from(JSON.stringify(place)).toString('base64url');
}

function placeIn(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString());
  } catch {
    return null;
  }
}

/** Returns the time of `Prefer: wait=SECONDS` in milliseconds. */
function patienceOf(context: Context): number {
  const [, seconds] = /(?:^|[\s,;])wait=(\d{1,5})\b/.exec(context.req.header('prefer') ?? '') ?? [];
  return seconds === undefined ? longestPark : Math.min(Number(seconds) * 1_000, longestPark);
}

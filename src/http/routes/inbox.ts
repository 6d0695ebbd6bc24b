import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import { refOf } from '../../people/authority.ts';
import { allowed } from '../access.ts';
import type { HttpParts } from '../parts.ts';
import { HttpProblem, refusals } from '../problem.ts';
import { idSchema, jsonAnswer, limitOf } from '../schemas.ts';

const entrySchema = z
  .object({
    key: z.string(),
    sessionId: z.string(),
    type: z.string().openapi({ description: 'The type of the signal. Its words and values are not included.' }),
    state: z.enum(['open', 'dead']),
    dueAt: z.string(),
    notBefore: z.string(),
    attempts: z.int().openapi({ description: 'The number of failed attempts to take it.' }),
    claims: z.int().openapi({
      description:
        'Consecutive claims without an outcome. A value above 1 means that a process died while it held the entry.',
    }),
    reason: z.string().nullable(),
    actor: z.string().nullable().openapi({ description: 'The id of the actor who posted it.' }),
  })
  .openapi('InboxEntry');

const keyParam = z.object({ key: idSchema.openapi({ param: { name: 'key', in: 'path' } }) });

/** `GET /inbox` and `POST /inbox/{key}/repost`. */
export function addInboxRoutes(app: OpenAPIHono, parts: HttpParts): void {
  const { store } = parts;
  app.openapi(
    createRoute({
      method: 'get',
      path: '/inbox',
      summary: 'Lists the entries that sessions have not taken yet, and dead letters.',
      security: [{ bearer: [] }],
      request: {
        query: z.strictObject({
          state: z.enum(['open', 'dead']).optional(),
          sessionId: idSchema.optional(),
          limit: limitOf(50),
        }),
      },
      responses: { 200: jsonAnswer('The entries.', z.object({ entries: z.array(entrySchema) })), ...refusals(401) },
    }),
    async (context) => {
      const { state, sessionId, limit } = context.req.valid('query');
      await allowed(parts, context, 'inbox:list', sessionId === undefined ? {} : { sessionId });
      const listed = await store.inbox.list({
        ...(state === undefined ? {} : { state }),
        ...(sessionId === undefined ? {} : { sessionId }),
        limit,
      });
      const entries = listed.map(({ entry, state, notBefore, attempts, claims, reason }) => ({
        ...{ key: entry.key, sessionId: entry.sessionId, type: entry.signal.type, state, attempts, claims, reason },
        dueAt: new Date(entry.dueAt).toISOString(),
        notBefore: new Date(notBefore).toISOString(),
        actor: entry.actor?.id ?? null,
      }));
      return context.json({ entries }, 200);
    },
  );
  app.openapi(
    createRoute({
      method: 'post',
      path: '/inbox/{key}/repost',
      summary: 'Opens a dead letter again.',
      security: [{ bearer: [] }],
      request: { params: keyParam },
      responses: {
        200: jsonAnswer('The entry is due now.', z.object({ key: z.string(), status: z.literal('reposted') })),
        ...refusals(401, 404),
      },
    }),
    async (context) => {
      const { key } = context.req.valid('param');
      const actor = await allowed(parts, context, 'inbox:repost', { key });
      const record = { actor: refOf(actor), action: 'inbox:repost', outcome: 'allowed' as const, details: { key } };
      if (!(await store.inbox.repost(key, [{ ...record, sessionId: null }])))
        throw new HttpProblem(
          404,
          'entry-unknown',
          'There is no dead letter of this key. GET /inbox?state=dead lists them.',
        );
      return context.json({ key, status: 'reposted' as const }, 200);
    },
  );
}

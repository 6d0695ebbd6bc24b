import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import { allowed } from '../access.ts';
import type { HttpParts } from '../parts.ts';
import { refusals } from '../problem.ts';
import { idSchema, jsonAnswer, limitOf, objectSchema } from '../schemas.ts';

const recordSchema = z
  .object({
    seq: z.int(),
    at: z.string(),
    actor: z.object({ id: z.string(), name: z.string().optional() }).nullable(),
    action: z.string(),
    outcome: z.enum(['allowed', 'denied']),
    sessionId: z.string().nullable(),
    details: objectSchema,
    hash: z.string().openapi({ description: 'The hash that chains the record to the previous one.' }),
  })
  .openapi('AuditRecord');

/** `GET /audit`. */
export function addAuditRoutes(app: OpenAPIHono, parts: HttpParts): void {
  app.openapi(
    createRoute({
      method: 'get',
      path: '/audit',
      summary: 'Lists audit records in order: allowed and denied actions with their actors.',
      security: [{ bearer: [] }],
      request: {
        query: z.strictObject({
          sessionId: idSchema.optional(),
          fromSeq: z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER).default(1),
          limit: limitOf(100),
        }),
      },
      responses: { 200: jsonAnswer('The records.', z.object({ records: z.array(recordSchema) })), ...refusals(401) },
    }),
    async (context) => {
      const { sessionId, ...page } = context.req.valid('query');
      const about = sessionId === undefined ? {} : { sessionId };
      await allowed(parts, context, 'audit:read', about);
      const records = await parts.store.audit.list({ ...about, ...page });
      return context.json({ records: records.map((one) => ({ ...one, at: new Date(one.at).toISOString() })) }, 200);
    },
  );
}

import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import { mayReadMetrics } from '../access.ts';
import type { HttpParts } from '../parts.ts';
import { HttpProblem, refusals } from '../problem.ts';
import { jsonAnswer } from '../schemas.ts';

const healthSchema = z.object({ status: z.literal('ok') }).openapi('Health');

/** `GET /healthz`, `GET /readyz` and `GET /metrics`. */
export function addHealthRoutes(app: OpenAPIHono, parts: HttpParts): void {
  const { store, stopping, metrics } = parts;
  app.openapi(
    createRoute({
      method: 'get',
      path: '/healthz',
      summary: 'Checks whether the process answers.',
      responses: { 200: jsonAnswer('The check passed.', healthSchema), ...refusals() },
    }),
    (context) => context.json({ status: 'ok' as const }, 200),
  );
  app.openapi(
    createRoute({
      method: 'get',
      path: '/readyz',
      summary: 'Checks whether the server takes requests: its store answers and it is not stopping.',
      responses: { 200: jsonAnswer('The check passed.', healthSchema), ...refusals() },
    }),
    async (context) => {
      if (stopping.aborted) throw new HttpProblem(503, 'server-stopping', 'The server is stopping.');
      await store.sessions.list({ limit: 1 });
      return context.json({ status: 'ok' as const }, 200);
    },
  );
  app.openapi(
    createRoute({
      method: 'get',
      path: '/metrics',
      summary: 'Returns the metrics in the format of Prometheus.',
      security: [{ bearer: [] }],
      responses: {
        200: { description: 'The metrics.', content: { 'text/plain': { schema: z.string() } } },
        ...refusals(401, 404),
      },
    }),
    async (context) => {
      await mayReadMetrics(parts, context);
      if (metrics === null) throw new HttpProblem(404, 'path-unknown', 'This server has no metrics.');
      return context.text(await metrics.text(), 200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' });
    },
  );
}

import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import {
  findSession,
  hitlIn,
  readKept,
  sessionUnknown,
  standIn,
  standOf,
  valuesOf,
} from '../../runner/conversation/kept-sessions.ts';
import { actorOf, allowed, assertMay } from '../access.ts';
import type { HttpParts } from '../parts.ts';
import { refusals } from '../problem.ts';
import { jsonAnswer, limitOf, sessionParam } from '../schemas.ts';

const summarySchema = z
  .object({
    sessionId: z.string(),
    /** ISO 8601. */
    updatedAt: z.string(),
    stand: z.string().openapi({ description: 'The status, flow and node of the session.' }),
    signals: z.int(),
    isOwned: z.boolean().openapi({ description: 'Whether a process owns the session.' }),
  })
  .openapi('SessionSummary');

const sessionSchema = z
  .object({
    sessionId: z.string(),
    stand: z.string(),
    signals: z.int(),
    hitlState: z
      .enum(['none', 'pending_confirm', 'live_takeover', 'pending_admin_resolution', 'resolved', 'timed_out'])
      .openapi({ description: 'The person the session waits for, or the outcome; live_takeover during a takeover.' }),
    escalationId: z.string().optional(),
    proxyId: z.string().optional(),
    scheduleId: z.string().optional(),
    values: z.array(z.string()).openapi({ description: 'The values of the session. Personal values are masked.' }),
    open: z.array(z.object({ key: z.string(), kind: z.string(), state: z.string() })),
    events: z.array(z.object({ seq: z.number(), time: z.number(), type: z.string(), nodeId: z.string().nullable() })),
  })
  .openapi('Session');

/** `GET /sessions` and `GET /sessions/{id}`. */
export function addSessionRoutes(app: OpenAPIHono, parts: HttpParts): void {
  const { store, clock } = parts;
  app.openapi(
    createRoute({
      method: 'get',
      path: '/sessions',
      summary: 'Lists the most recently committed sessions, latest first.',
      security: [{ bearer: [] }],
      request: { query: z.strictObject({ limit: limitOf(50) }) },
      responses: { 200: jsonAnswer('The sessions.', z.object({ sessions: z.array(summarySchema) })), ...refusals(401) },
    }),
    async (context) => {
      await allowed(parts, context, 'session:list');
      const listed = await store.sessions.list({ limit: context.req.valid('query').limit });
      const sessions = await Promise.all(
        listed.map(async ({ sessionId, seq, updatedAt, lease }) => {
          const kept = await store.sessions.get(sessionId);
          const isOwned = lease !== null && lease.expiresAt > clock.now();
          const stand = kept === null ? 'deleted' : await standIn(store, kept);
          return { sessionId, updatedAt: new Date(updatedAt).toISOString(), stand, signals: seq, isOwned };
        }),
      );
      return context.json({ sessions }, 200);
    },
  );
  app.openapi(
    createRoute({
      method: 'get',
      path: '/sessions/{id}',
      summary: 'Returns the values, the open effects and the last events of a session.',
      security: [{ bearer: [] }],
      request: { params: sessionParam, query: z.strictObject({ events: limitOf(20) }) },
      responses: { 200: jsonAnswer('The session.', sessionSchema), ...refusals(401, 404) },
    }),
    async (context) => {
      const { id } = context.req.valid('param');
      const actor = await actorOf(parts, context);
      // Checked before the store is read, so that the time of a refusal does not reveal whether the session exists.
      await assertMay(parts, actor, 'session:read', { sessionId: id });
      const found = await findSession(store, id);
      // The id may be the log name of a telephone number, which leads to another id.
      if (found !== null && found.sessionId !== id)
        await assertMay(parts, actor, 'session:read', { sessionId: found.sessionId });
      const { snapshot, effects, events } = await readKept(store, found ?? sessionUnknown(id), false);
      const { sessionId, seq, state } = snapshot;
      const open = effects.filter(({ state }) => state === 'intended' || state === 'started');
      return context.json(
        {
          sessionId,
          stand: standOf(state, effects),
          signals: seq,
          ...hitlIn(state, effects),
          values: [...valuesOf(state)],
          open: open.map(({ key, kind, state }) => ({ key, kind, state })),
          events: events
            .slice(-context.req.valid('query').events)
            .map(({ seq, time, type, nodeId }) => ({ seq, time, type, nodeId: nodeId ?? null })),
        },
        200,
      );
    },
  );
}

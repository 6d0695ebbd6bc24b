import { OpenAPIHono } from '@hono/zod-openapi';
import { routePath } from 'hono/route';
import { errorKind } from '../model/errors.ts';
import { gate, keepNumbers, limitBodies, setHeaders } from './gate.ts';
import type { HttpParts } from './parts.ts';
import { invalidRequest } from './invalid-request.ts';
import { HttpProblem, problemOf } from './problem.ts';
import { addAuditRoutes } from './routes/audit.ts';
import { addHealthRoutes } from './routes/health.ts';
import { addInboxRoutes } from './routes/inbox.ts';
import { addLinkRoutes, refusalPage } from './routes/links.ts';
import { addPlanRoutes } from './routes/plans.ts';
import { addSessionRoutes } from './routes/sessions.ts';
import { addWaitRoutes } from './routes/waits.ts';
import { addWordRoutes } from './routes/words.ts';

/** Creates the app of `roomflow serve`: its routes by subject, and `/openapi.json`. */
export function createHttpApp(parts: HttpParts): OpenAPIHono {
  const { logger, metrics, clock } = parts;
  const app = new OpenAPIHono({
    defaultHook(result) {
      if (result.success) return;
      throw new HttpProblem(400, 'request-invalid', invalidRequest(result.error.issues));
    },
  });
  app.use(async (context, next) => {
    const began = clock.now();
    await next();
    setHeaders(context);
    const route = routePath(context, -1);
    const { method } = context.req;
    metrics?.request(method, route, context.res.status, clock.now() - began);
    // A path may contain a token or a telephone number, so only its pattern is logged.
    logger.info({ event: 'http:request', method, route, status: context.res.status }, 'http');
  });
  app.use(gate(parts));
  app.use(limitBodies());
  app.use(keepNumbers());

  addHealthRoutes(app, parts);
  addSessionRoutes(app, parts);
  addWordRoutes(app, parts);
  addWaitRoutes(app, parts);
  addLinkRoutes(app, parts);
  addInboxRoutes(app, parts);
  addPlanRoutes(app, parts);
  addAuditRoutes(app, parts);

  app.openAPIRegistry.registerComponent('securitySchemes', 'bearer', { type: 'http', scheme: 'bearer' });
  app.doc31('/openapi.json', { openapi: '3.1.0', info: { title: 'Roomflow', version: '1' } });
  app.notFound((context) => {
    const { code, message } = new HttpProblem(404, 'path-unknown', 'There is no such path. See /openapi.json.');
    return context.json({ code, message }, 404);
  });
  app.onError((error, context) => {
    const problem = problemOf(error);
    if (problem.status === 401) context.header('www-authenticate', 'Bearer');
    if (problem.status >= 500) logger.error({ event: 'http:failed', error: errorKind(error) }, 'http');
    return (
      refusalPage(parts, context, problem) ??
      context.json({ code: problem.code, message: problem.message }, problem.status)
    );
  });
  return app;
}

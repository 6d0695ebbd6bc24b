import { createHash, timingSafeEqual } from 'node:crypto';
import type { Context } from 'hono';
import { type Action, type Actor, refOf, type Resource } from '../people/authority.ts';
import type { LinkGrant } from '../people/links.ts';
import type { HttpParts } from './parts.ts';
import { HttpProblem } from './problem.ts';

/** Returns the sender of a request by its bearer token or, with `grant`, by a link. Throws a 401. */
export async function actorOf(parts: HttpParts, context: Context, grant?: LinkGrant): Promise<Actor> {
  const { method } = context.req;
  const actor = await parts.authority.actorOf({
    method,
    path: new URL(context.req.url).pathname,
    headers: context.req.header(),
    bearer: /^Bearer ([\w.~+/=-]+)$/i.exec(context.req.header('authorization') ?? '')?.[1] ?? null,
    link: grant === undefined ? null : { to: grant.to },
  });
  if (actor !== null) return actor;
  const details = { reason: 'actor-unknown', ...(grant === undefined ? {} : { link: grant.id, key: grant.key }) };
  await parts.audit.refused({
    action: grant === undefined ? 'http:actor' : 'wait:resolve',
    sessionId: grant?.sessionId ?? null,
    details,
  });
  throw new HttpProblem(
    401,
    'actor-unknown',
    'The sender of this request is unknown. See resolveActor in agent.config.ts.',
  );
}

/** Returns the sender if `can` allows the action. Throws a 401 or, with an audit record, a 403. */
export async function allowed(
  parts: HttpParts,
  context: Context,
  action: Action,
  resource: Resource = {},
): Promise<Actor> {
  const actor = await actorOf(parts, context);
  await assertMay(parts, actor, action, resource);
  return actor;
}

/** Lets a request read the metrics by the token for metrics, or by a right of its sender. Throws a 401 or a 403. */
export async function mayReadMetrics(parts: HttpParts, context: Context): Promise<void> {
  const token = parts.metricsToken ?? '';
  const given = /^Bearer (.+)$/i.exec(context.req.header('authorization') ?? '')?.[1] ?? '';
  // Hashes have one length, so the time of the comparison does not depend on the token.
  if (token !== '' && timingSafeEqual(hashOf(given), hashOf(token))) return;
  await allowed(parts, context, 'metrics:read');
}

function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** Throws a 403, with an audit record, if `can` denies the action. */
export async function assertMay(parts: HttpParts, actor: Actor, action: Action, resource: Resource): Promise<void> {
  if (await parts.authority.may(actor, action, resource)) return;
  const { sessionId = null, key } = resource;
  const details = { reason: 'not-allowed', ...(key === undefined ? {} : { key }) };
  await parts.audit.denied({ actor: refOf(actor), action, sessionId, details });
  throw notAllowed();
}

export function notAllowed(): HttpProblem {
  return new HttpProblem(403, 'not-allowed', 'You may not do this. See can in agent.config.ts.');
}

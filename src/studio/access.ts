import type { Context, MiddlewareHandler } from 'hono';
import { getCookie } from 'hono/cookie';
import type { HttpParts } from '../http/parts.ts';
import { HttpProblem } from '../http/problem.ts';
import { type Action, type Actor, type Authority, refOf, type Resource } from '../people/authority.ts';
import type { Store } from '../model/ports/store.ts';
import type { Clock } from '../model/ports/time.ts';
import { plainHtml } from './page-shell.ts';
import { createReveals, type Reveals } from './reveals.ts';
import { isToken } from './token.ts';

/** The access rules of a studio. */
export interface StudioAccess {
  /** A request with this token comes from the user of this machine. */
  readonly token: string;
  /** The cookie name contains the port, because browsers share cookies between ports. */
  readonly cookie: string;
  /** The actor of requests with the token. */
  readonly local: Actor;
  /** Identifies senders without the token; null if only the token is accepted. */
  readonly others: Pick<Authority, 'actorOf'> | null;
  /** The rights of actors; null if everything is allowed. */
  readonly authority: Pick<Authority, 'may'> | null;
  readonly audit: HttpParts['audit'];
}

/** Lifetime of the cookie in seconds. It outlives restarts, as the token does. */
const cookieSeconds = 30 * 24 * 3600;

/**
 * Admits requests with the token, in the cookie or once in the address. The address is redirected at once, so that the
 * token does not stay in the history or a referrer. Sets the actor as a variable of the request.
 */
export function admit(access: StudioAccess): MiddlewareHandler<StudioEnv> {
  const { token, cookie, local, others, audit } = access;
  return async (context, next): Promise<Response | undefined> => {
    const url = new URL(context.req.url);
    const given = url.searchParams.get('token');
    if (context.req.method === 'GET' && url.pathname === '/' && given !== null && isToken(token, given)) {
      context.header('set-cookie', `${cookie}=${token}; HttpOnly; SameSite=Strict; Path=/; Max-Age=${cookieSeconds}`);
      return context.redirect('/', 303);
    }
    const isLocal = isToken(token, getCookie(context, cookie));
    const actor = isLocal ? local : await actorOf(others, context);
    if (actor === null) {
      await audit.refused({ action: 'http:actor', sessionId: null, details: { reason: 'actor-unknown' } });
      if (url.pathname === '/')
        return context.html(plainHtml('Not here', 'Open the address that roomflow printed.'), 401);
      throw new HttpProblem(401, 'actor-unknown', 'Open the address that roomflow printed.');
    }
    context.set('actor', actor);
    await next();
    return undefined;
  };
}

/** Variables of requests to a studio. */
export interface StudioEnv {
  Variables: { actor: Actor };
}

async function actorOf(others: StudioAccess['others'], context: Context): Promise<Actor | null> {
  if (others === null) return null;
  const { method } = context.req;
  return await others.actorOf({
    method,
    path: new URL(context.req.url).pathname,
    headers: context.req.header(),
    bearer: /^Bearer ([\w.~+/=-]+)$/i.exec(context.req.header('authorization') ?? '')?.[1] ?? null,
    link: null,
  });
}

/** Throws a 403 and records the denial if the sender may not perform the action. */
export async function assertMay(
  { authority, audit }: Pick<StudioAccess, 'authority' | 'audit'>,
  actor: Actor,
  action: Action,
  resource: Resource = {},
): Promise<void> {
  if (authority === null || (await authority.may(actor, action, resource))) return;
  const { sessionId = null } = resource;
  await audit.denied({ actor: refOf(actor), action, sessionId, details: { reason: 'not-allowed' } });
  throw new HttpProblem(403, 'not-allowed', 'You may not do this. See can in agent.config.ts.');
}

/** Creates the reveals of a store's sessions. They check the right and record who revealed what and why. */
export function revealsOf(
  access: Pick<StudioAccess, 'authority' | 'audit'>,
  store: Pick<Store, 'inbox'>,
  clock: Clock,
): Reveals {
  return createReveals(
    () => clock.now(),
    async (actor, sessionId, reason) => {
      await assertMay(access, actor, 'session:reveal', { sessionId });
      const details = reason === null ? {} : { reason };
      await store.inbox.post(
        [],
        [{ actor: refOf(actor), action: 'session:reveal', outcome: 'allowed', sessionId, details }],
      );
    },
  );
}

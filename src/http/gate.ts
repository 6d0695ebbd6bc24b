import type { Context, MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { digitsLost, unkeptNumber } from '../ports/kept-numbers.ts';
import type { HttpParts } from './parts.ts';
import { HttpProblem } from './problem.ts';

const loopbackNames = ['127.0.0.1', 'localhost', '[::1]'];
const largestBody = 1_000_000;

/**
 * Lets a request in by its Host and Origin. A page of a foreign name that resolves to this machine (DNS rebinding) gives
 * itself away by the Host, and a foreign page by the Origin, which browsers send with every request that changes anything.
 */
export function gate({ hosts, publicUrl, audit }: Pick<HttpParts, 'hosts' | 'publicUrl' | 'audit'>): MiddlewareHandler {
  const names = new Set([...loopbackNames, ...hosts.map((host) => host.toLowerCase())]);
  const origins = new Set<string>();
  if (publicUrl !== null) {
    const { hostname, origin } = new URL(publicUrl);
    names.add(hostname);
    origins.add(origin);
  }
  return async (context, next) => {
    const host = (context.req.header('host') ?? '').toLowerCase();
    if (!names.has(host.replace(/:\d+$/, ''))) {
      await audit.refused({ action: 'http:host', sessionId: null, details: { reason: 'host-foreign' } });
      throw new HttpProblem(421, 'host-foreign', 'This server has another name. See http.publicUrl and http.hosts.');
    }
    const origin = context.req.header('origin');
    const isOwn = origin === undefined || origins.has(origin) || ownOrigins(host).includes(origin);
    if (!isOwn) {
      await audit.refused({ action: 'http:origin', sessionId: null, details: { reason: 'origin-foreign' } });
      throw new HttpProblem(403, 'origin-foreign', 'Pages of other origins may not send requests to this server.');
    }
    await next();
  };
}

function ownOrigins(host: string): readonly string[] {
  return [`http://${host}`, `https://${host}`];
}

/** Refuses bodies over 1 MB, whether their length is told or not. */
export function limitBodies(): MiddlewareHandler {
  const limit = bodyLimit({
    maxSize: largestBody,
    onError: () => {
      throw new HttpProblem(413, 'body-too-large', 'The body is larger than 1 MB.');
    },
  });
  return async (context, next) => {
    // A request of HTTP/1.1 has no body without one of these, and of some methods none could be read.
    const hasBody = ['content-length', 'transfer-encoding'].some((name) => context.req.header(name) !== undefined);
    return hasBody ? await limit(context, next) : await next();
  };
}

/** Refuses JSON whose numbers would become others. What is no JSON is refused by its route. */
export function keepNumbers(): MiddlewareHandler {
  return async (context, next) => {
    const { req } = context;
    const isJson = req.method !== 'GET' && /json/i.test(req.header('content-type') ?? '');
    if (isJson && unkeptNumber(await req.text()) !== null)
      throw new HttpProblem(400, 'request-invalid', `The body ${digitsLost}`);
    await next();
  };
}

/** What no answer of this server lets a browser do. */
export function setHeaders(context: Context): void {
  const headers = {
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    // The path of a link is not told to others; `no-referrer` would make a form's Origin null.
    'referrer-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
  };
  for (const [name, value] of Object.entries(headers)) context.header(name, value);
  if (context.res.headers.get('content-security-policy') === null)
    context.header('content-security-policy', "default-src 'none'; frame-ancestors 'none'");
}

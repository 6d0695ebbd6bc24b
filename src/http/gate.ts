import type { Context, MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { digitsLost, lossyNumber } from '../model/ports/lossy-numbers.ts';
import type { HttpParts } from './parts.ts';
import { HttpProblem } from './problem.ts';

const loopbackNames = ['127.0.0.1', 'localhost', '[::1]'];
const largestBody = 1_000_000;

/**
 * Checks the Host and Origin of a request. The Host reveals DNS rebinding: a foreign name that resolves to this machine.
 * The Origin reveals a foreign page, because browsers send it with every request that changes data.
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
      throw new HttpProblem(
        421,
        'host-foreign',
        'The Host header names another server. See http.publicUrl and http.hosts.',
      );
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

/** Refuses bodies over 1 MB, with or without a Content-Length. */
export function limitBodies(): MiddlewareHandler {
  const limit = bodyLimit({
    maxSize: largestBody,
    onError: () => {
      throw new HttpProblem(413, 'body-too-large', 'The body is larger than 1 MB.');
    },
  });
  return async (context, next) => {
    // An HTTP/1.1 request has a body only with one of these headers.
    const hasBody = ['content-length', 'transfer-encoding'].some((name) => context.req.header(name) !== undefined);
    return hasBody ? await limit(context, next) : await next();
  };
}

/** Refuses JSON with numbers that would lose digits. The route refuses a body that is not JSON. */
export function keepNumbers(): MiddlewareHandler {
  return async (context, next) => {
    const { req } = context;
    const isJson = req.method !== 'GET' && /json/i.test(req.header('content-type') ?? '');
    if (isJson && lossyNumber(await req.text()) !== null)
      throw new HttpProblem(400, 'request-invalid', `The body ${digitsLost}`);
    await next();
  };
}

/** Sets the security headers of every answer. */
export function setHeaders(context: Context): void {
  const headers = {
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    // Keeps the path of a link from other sites. `no-referrer` would make a form's Origin null.
    'referrer-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
  };
  for (const [name, value] of Object.entries(headers)) context.header(name, value);
  if (context.res.headers.get('content-security-policy') === null)
    context.header('content-security-policy', "default-src 'none'; frame-ancestors 'none'");
}

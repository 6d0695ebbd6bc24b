import { request } from 'node:http';
import { onTestFinished } from 'vitest';
import { createMemoryStore } from '../../src/store/memory/store.ts';
import { type HttpServer, startHttpServer } from '../../src/http/server.ts';
import { type Can, createAuthority } from '../../src/people/authority.ts';
import { createLinkSigner, type LinkGrant, type LinkSigner } from '../../src/people/links.ts';
import type { Store } from '../../src/model/ports/store.ts';
import { systemCivilTime } from '../../src/system.ts';
import { createCountingIds } from '../../src/testing/counting-ids.ts';
import { createVirtualClock, type VirtualClock } from '../../src/testing/virtual-clock.ts';

export const secret = 'a secret of at least thirty-two characters';

/** A server on loopback with its own store and the parts around it. */
export interface Desk {
  readonly store: Store;
  readonly clock: VirtualClock;
  readonly server: HttpServer;
  readonly links: LinkSigner;
  /** The lines of its log, as JSON. */
  readonly log: readonly string[];
  /** Returns the path of a link. By default it allows both decisions for an hour. */
  link(grant?: Partial<LinkGrant>): string;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/** The token that may only read the metrics. */
export const metricsToken = 'a-token-for-metrics';

/** Ada may do everything, and so may the holders of links. Eve is known, and may do nothing. */
export async function openDesk(
  can: Can = ({ id }) => id !== 'eve',
  watched: (store: Store) => Store = (store) => store,
): Promise<Desk> {
  const clock = createVirtualClock();
  const store = watched(createMemoryStore({ clock }));
  const links = createLinkSigner({ secret, previous: null, clock });
  const log: string[] = [];
  const write = (fields: object): void => void log.push(JSON.stringify(fields));
  const authority = createAuthority({
    resolveActor: ({ bearer, link }) => {
      if (link !== null) return { id: link.to };
      return bearer === 'ada' || bearer === 'eve' ? { id: bearer } : null;
    },
    can,
    clock,
  });
  const recall = { flow: 'f', reach: 'wait', segment: nobody } as const;
  const ids = createCountingIds();
  const plans = { store, clock, ids, civil: systemCivilTime, zone: 'UTC', campaigns: { recall } };
  const server = await startHttpServer({
    plans,
    ...{ store, clock, ids, authority, links, port: 0, publicUrl: 'https://desk.example/' },
    logger: { info: write, error: write },
    metricsToken,
  });
  onTestFinished(() => server.stop());
  return {
    ...{ store, clock, server, links, log },
    link: (grant = {}) => {
      const sessionId = grant.sessionId ?? 's';
      const usual = { id: 'l1', sessionId, key: `${sessionId}/5/1`, to: 'refunds', factsHash: 'f1' };
      const expiresAt = clock.now() + 3_600_000;
      return `/approve/${links.sign({ ...usual, decisions: ['approve', 'reject'], expiresAt, ...grant })}`;
    },
  };
}

async function* nobody(): AsyncIterable<never> {}

/** Sends one request exactly as written, foreign headers included. `bearer` defaults to Ada; null sends none. */
export function ask(
  { server }: Pick<Desk, 'server'>,
  method: string,
  path: string,
  sent: {
    readonly bearer?: string | null;
    readonly headers?: Readonly<Record<string, string>>;
    readonly json?: unknown;
    readonly form?: Readonly<Record<string, string>>;
    readonly raw?: string | Buffer;
  } = {},
): Promise<Answer> {
  const { bearer = 'ada', json, form, raw } = sent;
  const body =
    json === undefined ? (form === undefined ? raw : new URLSearchParams(form).toString()) : JSON.stringify(json);
  const headers = {
    ...(bearer === null ? {} : { authorization: `Bearer ${bearer}` }),
    ...(json === undefined ? {} : { 'content-type': 'application/json' }),
    ...(form === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
    ...sent.headers,
  };
  return new Promise((resolve, reject) => {
    const sending = request(`${server.url}${path}`, { method, headers, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (text += chunk));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
    });
    sending.on('error', reject);
    sending.end(body);
  });
}

export function jsonOf({ text }: Answer): Record<string, unknown> {
  return JSON.parse(text) as Record<string, unknown>; // Each answer but pages and metrics is an object.
}

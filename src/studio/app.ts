import { Hono } from 'hono';
import { streamSSE } from 'hono/streaming';
import { errorKind, FlowError } from '../model/errors.ts';
import { gate, limitBodies, setHeaders } from '../http/gate.ts';
import type { HttpLog } from '../http/parts.ts';
import { HttpProblem, problemOf, type ProblemStatus } from '../http/problem.ts';
import type { Clock } from '../model/ports/time.ts';
import { admit, assertMay, type StudioAccess, type StudioEnv } from './access.ts';
import { bodies, bodyOf } from './bodies.ts';
import type { StudioBackend, LiveActions } from './sessions/desk.ts';
import { type Asset, newNonce, pageHtml, pagePolicy, plainHtml } from './page-shell.ts';
import type { About, StudioEvent } from './protocol.ts';
import type { StepShown } from './protocol/session-shown.ts';
import type { Reveals } from './reveals.ts';
import { challengePath, proofOf } from './token.ts';

/** The parts of a studio server. */
export interface StudioParts {
  readonly desk: StudioBackend;
  readonly access: StudioAccess;
  readonly reveals: Reveals;
  readonly assets: ReadonlyMap<string, Asset>;
  readonly clock: Clock;
  readonly version: string;
  /** Allowed `Host` names in addition to the loopback names. */
  readonly hosts: readonly string[];
  readonly publicUrl: string | null;
  readonly log: HttpLog;
  /** Aborted when the server stops. */
  readonly stopping: AbortSignal;
}

/** Interval of keep-alive messages in milliseconds. */
const beatMs = 15_000;
/** Delay before a page reconnects, in milliseconds. */
const retryMs = 500;

/** Creates the HTTP app of a studio: the page, its event stream and the requests of the protocol. */
export function createStudioApp(parts: StudioParts): Hono<StudioEnv> {
  const { desk, access, reveals, assets, clock, version, hosts, publicUrl, log, stopping } = parts;
  const app = new Hono<StudioEnv>();
  app.use(async (context, next) => {
    await next();
    setHeaders(context);
    context.header('referrer-policy', 'no-referrer');
    context.header('permissions-policy', 'microphone=(self), camera=(), geolocation=()');
  });
  app.use(gate({ hosts, publicUrl, audit: access.audit }));
  app.use(limitBodies());
  // Lets a holder of the token, such as an editor's server, distinguish this studio from another program at its port.
  app.get(challengePath, (context) => {
    const proof = proofOf(access.token, context.req.query('challenge') ?? '');
    if (proof === null) throw new HttpProblem(400, 'request-invalid', '"challenge" is not valid.');
    return context.text(proof, 200, { 'content-length': String(proof.length) });
  });
  app.use(admit(access));

  app.get('/', (context) => {
    if (!assets.has('studio.js'))
      return context.html(plainHtml('Not built', 'The page is not built: run node .ci/setup.mjs build.'), 500);
    const nonce = newNonce();
    context.header('content-security-policy', pagePolicy(nonce, context.req.header('host') ?? '', desk.connects));
    return context.html(pageHtml(nonce));
  });
  app.get('/assets/:name', (context) => {
    const asset = assets.get(context.req.param('name'));
    if (asset === undefined) throw new HttpProblem(404, 'path-unknown', 'There is no such file.');
    return context.body(new Uint8Array(asset.body), 200, { 'content-type': asset.type });
  });

  const mayRead = (context: { var: StudioEnv['Variables'] }, sessionId: string): Promise<void> =>
    assertMay(access, context.var.actor, 'session:read', { sessionId });
  app.get('/api/about', async (context) => {
    const about: About = { ...(await desk.about()), version, now: clock.now(), at: desk.newsOf(null, false).last };
    return context.json(about);
  });
  app.get('/api/events', async (context) => {
    const sessionId = context.req.query('session') ?? null;
    const wantsStates = context.req.query('states') === 'yes';
    if (sessionId === null) await assertMay(access, context.var.actor, 'session:list');
    else await mayRead(context, sessionId);
    const isRevealed = sessionId !== null && reveals.holds(context.req.query('reveal') ?? '', sessionId);
    const news = desk.newsOf(sessionId, isRevealed);
    const after = Number(context.req.header('last-event-id') ?? context.req.query('after') ?? news.last);
    return streamSSE(context, async (stream) => {
      const over = new AbortController();
      const stop = (): void => over.abort();
      stopping.addEventListener('abort', stop);
      stream.onAbort(stop);
      let cancelBeat = (): void => undefined;
      const beat = (): void => {
        cancelBeat = clock.schedule(beatMs, () => void stream.write(': beat\n\n').then(beat, stop));
      };
      beat();
      const unfollow = desk.follow(sessionId, isRevealed);
      try {
        const from = Number.isInteger(after) && after >= 0 ? after : news.last;
        // The first bytes show the browser that the stream is open.
        await stream.write(`retry: ${retryMs}\n\n`);
        for await (const { seq, event } of news.after(from, sessionId, over.signal)) {
          await stream.writeSSE({
            id: String(seq),
            event: event.type,
            data: JSON.stringify(dataOf(event, wantsStates || desk.live === null)),
          });
        }
      } finally {
        unfollow();
        cancelBeat();
        stopping.removeEventListener('abort', stop);
      }
    });
  });
  app.get('/api/sessions', async (context) => {
    await assertMay(access, context.var.actor, 'session:list');
    return context.json(await desk.sessions());
  });
  app.get('/api/sessions/:id', async (context) => {
    const sessionId = context.req.param('id');
    await mayRead(context, sessionId);
    const isRevealed = reveals.holds(context.req.query('reveal') ?? '', sessionId);
    const detail = await desk.detail(sessionId, isRevealed);
    if (detail === null) throw new HttpProblem(404, 'session-unknown', 'There is no such session.');
    // Events after the read are not part of the answer.
    const at = desk.newsOf(sessionId, isRevealed).last;
    const needsStates = detail.folds === 'server' || context.req.query('states') === 'yes';
    const steps = needsStates ? detail.steps : detail.steps.map(withoutState);
    return context.json({ ...detail, steps, at });
  });
  app.get('/api/sessions/:id/inbox', async (context) => {
    const sessionId = context.req.param('id');
    await mayRead(context, sessionId);
    return context.json(await desk.inbox(sessionId));
  });
  app.get('/api/flows/:hash', async (context) => {
    await assertMay(access, context.var.actor, 'session:list');
    const flow = await desk.flow(context.req.param('hash'));
    if (flow === null) throw new HttpProblem(404, 'flow-unknown', 'There is no such version of a flow.');
    return context.json(flow);
  });
  app.post('/api/sessions/:id/against', async (context) => {
    await mayRead(context, context.req.param('id'));
    return context.json(await desk.against(context.req.param('id')));
  });
  app.post('/api/sessions/:id/reveal', async (context) => {
    const { reason } = await bodyOf(context, bodies.reveal);
    const key = await reveals.grant(context.var.actor, context.req.param('id'), reason ?? null);
    return context.json({ key });
  });
  addLiveRoutes(app, desk.live, clock);

  app.notFound((context) => context.json({ code: 'path-unknown', message: 'There is nothing here.' }, 404));
  app.onError((error, context) => {
    const { status, code, message } = refusalOf(error);
    if (status >= 500) log.error({ event: 'studio:failed', error: errorKind(error) }, 'studio');
    return context.json({ code, message }, status);
  });
  return app;
}

function addLiveRoutes(app: Hono<StudioEnv>, given: LiveActions | null, clock: Clock): void {
  const live = (): LiveActions => {
    if (given !== null) return given;
    throw new HttpProblem(403, 'not-allowed', 'This studio only looks at sessions.');
  };
  const done = { ok: true } as const;
  app.post('/api/show', async (context) => {
    await live().show(await bodyOf(context, bodies.showFlow));
    return context.json(done);
  });
  app.post('/api/sessions', async (context) =>
    context.json(await live().begin(await bodyOf(context, bodies.newSession))),
  );
  app.post('/api/sessions/:id/words', async (context) =>
    context.json(await live().words(context.req.param('id'), await bodyOf(context, bodies.words))),
  );
  app.post('/api/sessions/:id/keys', async (context) =>
    context.json(await live().keys(context.req.param('id'), await bodyOf(context, bodies.keys))),
  );
  app.post('/api/sessions/:id/interrupt', async (context) => {
    await bodyOf(context, bodies.nothing);
    await live().interrupt(context.req.param('id'));
    return context.json(done);
  });
  app.post('/api/sessions/:id/hang-up', async (context) => {
    await bodyOf(context, bodies.nothing);
    await live().hangUp(context.req.param('id'));
    return context.json(done);
  });
  app.post('/api/sessions/:id/call-back', async (context) =>
    context.json(await live().callBack(context.req.param('id'), await bodyOf(context, bodies.place))),
  );
  app.post('/api/sessions/:id/voice', async (context) => {
    await bodyOf(context, bodies.nothing);
    return context.json(await live().callBack(context.req.param('id'), { by: 'voice' }));
  });
  app.post('/api/sessions/:id/decide', async (context) => {
    await live().decide(context.req.param('id'), await bodyOf(context, bodies.decision));
    return context.json(done);
  });
  app.post('/api/sessions/:id/fork', async (context) =>
    context.json(await live().fork(context.req.param('id'), await bodyOf(context, bodies.fork))),
  );
  app.post('/api/sessions/:id/test', async (context) =>
    context.json(await live().saveTest(context.req.param('id'), await bodyOf(context, bodies.saveTest))),
  );
  app.post('/api/sessions/:id/timing', async (context) => {
    const timing = await bodyOf(context, bodies.timing);
    // A time that is off by more than an hour means that the clock of the page is wrong.
    if (Math.abs(timing.at - clock.now()) < 3_600_000) live().timing(context.req.param('id'), timing);
    return context.json(done);
  });
  app.get('/api/requests/:id', (context) => {
    const request = live().request(context.req.param('id'));
    if (request === null) throw new HttpProblem(404, 'path-unknown', 'This request is no longer stored.');
    return context.json(request);
  });
  app.get('/api/files', (context) => context.json(live().files.list()));
  app.get('/api/file', (context) => {
    const file = live().files.read(context.req.query('path') ?? '');
    context.header('etag', `"${file.etag}"`);
    return context.json(file);
  });
  app.put('/api/file', async (context) => {
    const { text } = await bodyOf(context, bodies.saveFile);
    const etag = /^"([\w-]+)"$/.exec(context.req.header('if-match') ?? '')?.[1] ?? null;
    const outcome = live().files.save(context.req.query('path') ?? '', text, etag);
    if ('changed' in outcome) {
      const message = 'The file has changed since it was read. Nothing was saved.';
      return context.json({ code: 'file-changed', message, current: outcome.changed }, 412);
    }
    context.header('etag', `"${outcome.saved.etag}"`);
    return context.json(outcome.saved);
  });
  app.get('/api/node-tests', async (context) => context.json(await live().nodeTests()));
  app.post('/api/complete', async (context) =>
    context.json(await live().complete(await bodyOf(context, bodies.placeInText))),
  );
  app.post('/api/hover', async (context) =>
    context.json(await live().hover(await bodyOf(context, bodies.placeInText))),
  );
  app.post('/api/check', async (context) => context.json(await live().check(await bodyOf(context, bodies.checkText))));
}

/** Removes the state if the page folds the log itself. */
function dataOf(event: StudioEvent, needsStates: boolean): unknown {
  if (event.type !== 'step' || needsStates) return event.data;
  return withoutState(event.data);
}

function withoutState<Step extends StepShown>(step: Step): Step {
  return { ...step, state: null, effects: null };
}

const statuses: Readonly<Record<string, ProblemStatus>> = {
  'session-unknown': 404,
  'session-over': 409,
  'session-taken': 409,
  'flow-unknown': 404,
  'flow-invalid': 409,
  'flow-version-missing': 409,
  'file-not-found': 404,
  'step-unknown': 409,
  'copy-impossible': 409,
  'wait-over': 409,
  'facts-changed': 409,
  'request-invalid': 400,
  'input-missing': 400,
  'input-invalid': 400,
  'not-allowed': 403,
  'not-started': 503,
  'worker-gone': 503,
  'server-missing': 409,
  'room-unreachable': 503,
  'key-missing': 409,
  'plugin-missing': 409,
  'file-exists': 409,
};

/** Messages of FlowErrors are sent to the page. Of other errors only the kind is logged. */
function refusalOf(error: unknown): {
  readonly status: ProblemStatus;
  readonly code: string;
  readonly message: string;
} {
  const status = error instanceof FlowError ? statuses[error.code] : undefined;
  if (!(error instanceof FlowError) || status === undefined) return problemOf(error);
  const { code, message } = error;
  return { status, code, message: message.replace(`${code}: `, '') };
}

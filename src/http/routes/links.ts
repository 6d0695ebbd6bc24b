import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import type { JsonObject } from '../../model/json.ts';
import type { AuditRecord } from '../../model/inbox.ts';
import type { Actor } from '../../people/authority.ts';
import type { LinkGrant } from '../../people/links.ts';
import { findWait, isOpen, type PostedWait, resourceOf, successorOf, takesWords } from '../../people/waits.ts';
import { actorOf, assertMay } from '../access.ts';
import { decide, longestPark } from '../decide.ts';
import { linkTo } from '../link-to.ts';
import { decisionOn } from '../../people/resolve-wait.ts';
import { type Asker, askerOf } from '../asker.ts';
import { wallTime } from '../moment.ts';
import { answerPage, contentSecurityPolicy, escaped, listOf, paragraph, type Sender } from '../page.ts';
import { questionPage, shownName } from '../question-page.ts';
import type { HttpParts } from '../parts.ts';
import { HttpProblem, refusals } from '../problem.ts';
import { refusalOf } from '../refusal-of.ts';

const html = (description: string) => ({ description, content: { 'text/html': { schema: z.string() } } });

const tokenParam = z.object({
  token: z
    .string()
    .max(8_192)
    .openapi({ param: { name: 'token', in: 'path' } }),
});

const decisionForm = z
  .object({
    factsHash: z.string().min(1).max(200),
    decision: z.string().max(200).optional().openapi({ description: 'One of the buttons.' }),
    comment: z.string().max(10_000).optional(),
    text: z.string().max(10_000).optional().openapi({ description: 'The answer in words, if the wait is for words.' }),
  })
  .openapi('Decision');

/** `GET /approve/{token}` shows a wait, and `POST /approve/{token}` decides it. */
export function addLinkRoutes(app: OpenAPIHono, parts: HttpParts): void {
  app.openapi(
    createRoute({
      method: 'get',
      path: '/approve/{token}',
      summary: 'Shows the facts and the buttons of a wait. Fetching it never decides.',
      request: { params: tokenParam },
      responses: { 200: html('The page.'), ...refusals(401, 404, 409, 410) },
    }),
    (context) =>
      paged(context, async () => {
        const { grant, wait } = await reached(parts, context);
        const { key, payload } = wait.effect;
        const decided = await decisionOn(parts.store, wait.sessionId, key);
        if (decided !== null) return await decidedPage(parts, context, { grant, wait, decided });
        const isSame = grant.key === key && grant.factsHash === payload.factsHash;
        // The facts have changed since the link was created, so the new facts get a new link.
        const action = isSame ? '' : linkTo(parts, wait, { to: grant.to, expiresInMs: leftOf(parts, grant) }).token;
        const decisions = isSame ? grant.decisions : payload.options;
        const { question, facts, factsHash } = payload;
        const asksForWords = takesWords(wait);
        const { flow, zone } = await askerOf(parts.store, wait.sessionId);
        const { deadline: endsAt = null } = wait.effect;
        const asked = { question, facts, factsHash, decisions, asksForWords, action, endsAt, flow, zone };
        const now = parts.clock.now();
        return questionPage({
          ...senderOf(parts, grant),
          ...asked,
          now,
          otherwise: defaultOf(wait),
          areChanged: !isSame,
        });
      }),
  );
  app.openapi(
    createRoute({
      method: 'post',
      path: '/approve/{token}',
      summary: 'Decides a wait by its link, once.',
      request: {
        params: tokenParam,
        body: { required: true, content: { 'application/x-www-form-urlencoded': { schema: decisionForm } } },
      },
      responses: { 200: html('The decision is recorded.'), ...refusals(401, 404, 409, 410) },
    }),
    (context) =>
      paged(context, async () => {
        const grant = await granted(parts, context);
        const actor = await actorOf(parts, context, grant);
        const form = context.req.valid('form');
        const answer = { key: grant.key, resolution: resolutionIn(form, grant), actor, link: grant.id };
        await decide(parts, { ...answer, factsHash: form.factsHash, parkMs: longestPark });
        const wait = await findWait(parts.store, grant.key);
        const decided = wait === null ? null : await decisionOn(parts.store, wait.sessionId, grant.key);
        const { zone } = await askerOf(parts.store, grant.sessionId);
        const told = [
          decided === null ? '' : listOf(rowsOf(decided, zone)),
          paragraph('The assistant takes it up within moments. You may close this page.'),
        ];
        return answerPage(senderOf(parts, grant), 'Recorded.', told, 'See what came of it');
      }),
  );
}

/** Converts the form to a resolution. Throws a 400 for a decision that the link does not allow. */
function resolutionIn(
  { decision, comment = '', text }: z.output<typeof decisionForm>,
  { decisions }: LinkGrant,
): JsonObject {
  // An empty field counts as missing.
  if (decision === undefined) return text === undefined || text.trim() === '' ? {} : { text: text.trim() };
  if (!decisions.includes(decision))
    throw new HttpProblem(400, 'resolution-invalid', 'This link does not allow that decision.');
  return { decision, ...(comment.trim() === '' ? {} : { comment: comment.trim() }) };
}

/** Returns the grant of a token. Throws a 401 for a forged token and a 410 for an expired one, with an audit record. */
async function granted(parts: HttpParts, context: Context): Promise<LinkGrant> {
  const { links, audit } = parts;
  const read = links?.read(context.req.param('token') ?? '') ?? { state: 'forged' as const };
  if (read.state === 'valid') return read.grant;
  const grant = read.state === 'expired' ? read.grant : null;
  await audit.refused({
    action: 'wait:resolve',
    sessionId: grant?.sessionId ?? null,
    details: { reason: `link-${read.state}`, ...(grant === null ? {} : { link: grant.id, key: grant.key }) },
  });
  if (grant !== null) throw new HttpProblem(410, 'link-expired', await expiryOf(parts, grant));
  throw new HttpProblem(
    401,
    'link-invalid',
    'This link was not signed by this server. Copy the whole link from the message.',
  );
}

/** The message about an expired link. A link ends with its wait at the latest, so a new link may not help. */
async function expiryOf({ store }: HttpParts, { key }: LinkGrant): Promise<string> {
  const wait = await findWait(store, key);
  return wait === null || isOpen(wait.effect)
    ? 'This link has expired. Ask for a new one.'
    : 'This link has expired, and so has its question. There is nothing left to decide.';
}

/** Returns the wait of a link, or its successor if the facts have changed. */
async function reached(
  parts: HttpParts,
  context: Context,
): Promise<{ readonly grant: LinkGrant; readonly actor: Actor; readonly wait: PostedWait }> {
  const grant = await granted(parts, context);
  const actor = await actorOf(parts, context, grant);
  const own = await findWait(parts.store, grant.key);
  await assertMay(parts, actor, 'wait:read', own === null ? { key: grant.key } : resourceOf(own));
  if (own === null) throw new HttpProblem(404, 'wait-unknown', 'The question is not there yet. Try again in a minute.');
  const wait = isOpen(own.effect) ? own : await successorOf(parts.store, own);
  if (wait !== null) return { grant, actor, wait };
  if ((await decisionOn(parts.store, own.sessionId, own.effect.key)) === null) throw refusalOf({ outcome: 'over' });
  return { grant, actor, wait: own };
}

/** The decision, its actor and its time. */
function rowsOf({ details, actor, at }: AuditRecord, zone: string): readonly (readonly [string, string])[] {
  const { decision } = details;
  return [
    ['Answer', typeof decision === 'string' ? escaped(shownName(decision)) : 'In words'],
    ['By', escaped(actor?.name ?? actor?.id ?? '–')],
    ['When', escaped(wallTime(at, zone))],
  ];
}

interface Decided {
  readonly grant: LinkGrant;
  readonly wait: PostedWait;
  readonly decided: AuditRecord;
}

/** Renders the page of a decided wait: the answer and its result. A program gets the refusal `wait-over`. */
async function decidedPage(parts: HttpParts, context: Context, { grant, wait, decided }: Decided): Promise<string> {
  if (wantsJson(context)) throw new HttpProblem(409, 'wait-over', 'The wait was decided already.');
  const asker = await askerOf(parts.store, wait.sessionId);
  context.status(409);
  const told = [listOf(rowsOf(decided, asker.zone)), paragraph(outcomeOf(wait, asker))];
  return answerPage(senderOf(parts, grant), 'It was decided already.', told);
}

function outcomeOf({ effect }: PostedWait, { hasEnded }: Asker): string {
  if (isOpen(effect)) return 'The assistant has not taken it up yet. Load this page again in a moment.';
  const then = hasEnded ? 'It has ended since.' : 'It goes on.';
  return effect.state === 'done'
    ? `The assistant has acted on it. ${then}`
    : `It came too late to be acted on. ${then}`;
}

/** Returns the decision that counts without an answer in time; null if there is none. */
function defaultOf({ effect: { payload } }: PostedWait): string | null {
  const decision = payload.policy?.act === 'answer' ? payload.policy.resolution['decision'] : undefined;
  return typeof decision === 'string' ? decision : null;
}

function senderOf({ business }: Pick<HttpParts, 'business'>, grant: LinkGrant | null): Sender {
  return { business, to: grant?.to ?? '' };
}

function leftOf({ clock }: HttpParts, { expiresAt }: LinkGrant): number {
  return Math.max(expiresAt - clock.now(), 0);
}

/** Renders a page. Errors thrown here become pages too, by `refusalPage`. */
async function paged(context: Context, page: () => Promise<string>): Promise<Response> {
  const text = await page();
  context.header('content-security-policy', contentSecurityPolicy);
  return context.html(text);
}

/** Renders a refusal for a person who followed a link; null for programs. */
export function refusalPage(
  parts: Pick<HttpParts, 'business'>,
  context: Context,
  problem: HttpProblem,
): Response | Promise<Response> | null {
  if (!context.req.path.startsWith('/approve/') || wantsJson(context)) return null;
  context.header('content-security-policy', contentSecurityPolicy);
  const back = problem.code === 'facts-changed' ? 'Show the facts as they are now' : null;
  const page = answerPage(senderOf(parts, null), titleOf(problem), [paragraph(problem.message)], back);
  return context.html(page, problem.status);
}

function wantsJson(context: Context): boolean {
  return context.req.header('accept')?.includes('application/json') === true;
}

function titleOf({ code, status }: HttpProblem): string {
  if (status === 503) return 'Please try again in a minute.';
  if (code === 'wait-over' || code === 'link-expired') return 'Too late.';
  if (code === 'request-invalid') return 'Please go back and try again.';
  return code === 'facts-changed' ? 'Please look again.' : 'This cannot be done.';
}

import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { type Actor, refOf, type Resource } from '../../people/authority.ts';
import { type PersonalAct, postAct, wasPosted } from '../../people/post-act.ts';
import { keyOfMessage, messageSignal, receiveMessage } from '../../people/messages/receive-message.ts';
import { assertActAllowed } from '../../runner/conversation/assert-act-allowed.ts';
import { allowed } from '../access.ts';
import type { HttpParts } from '../parts.ts';
import { HttpProblem, refusals } from '../problem.ts';
import { idSchema, jsonAnswer, jsonBody, sessionParam, textSchema } from '../schemas.ts';

const postedSchema = z
  .object({
    key: z.string(),
    status: z
      .enum(['posted', 'duplicate'])
      .openapi({ description: 'A duplicate was posted before. It is taken once.' }),
  })
  .openapi('Posted');

/** The sender's id of the entry. Without it an id is generated, and duplicates are not recognised. */
const ownId = idSchema.max(200);

const messageSchema = z.strictObject({ id: ownId, text: textSchema }).openapi('Message');
const proxySchema = z
  .strictObject({
    id: ownId.optional(),
    text: textSchema,
    proxyId: idSchema.optional().openapi({ description: 'The key of the wait, if the words are for a wait.' }),
  })
  .openapi('ProxyWords');
const takeoverSchema = z
  .discriminatedUnion('do', [
    z.strictObject({ do: z.literal('start'), id: ownId.optional() }),
    z.strictObject({ do: z.literal('say'), id: ownId.optional(), text: textSchema }),
    z.strictObject({
      do: z.literal('end'),
      id: ownId.optional(),
      node: idSchema.optional().openapi({ description: 'The node to continue at. Default: the current node.' }),
      note: textSchema.optional().openapi({ description: 'A note about the takeover for the model.' }),
    }),
  ])
  .openapi('Takeover');

const answers = {
  202: jsonAnswer('The entry is posted. The session takes it as soon as it is free.', postedSchema),
  ...refusals(401, 404, 409, 429),
};

/** Maximum number of waiting entries of a session: more than a caller writes before an answer. */
const mostWaiting = 200;

/** Throws a 429 if too many entries wait for a session, because every turn reads them all. */
async function assertRoom({ store }: HttpParts, sessionId: string): Promise<void> {
  const waiting = await store.inbox.list({ state: 'open', sessionId, limit: mostWaiting });
  if (waiting.length === mostWaiting)
    throw new HttpProblem(429, 'session-full', 'Too many entries wait for this session. Send it again later.');
}

/** `POST /sessions/{id}/messages`, `…/proxy` and `…/takeover`. */
export function addWordRoutes(app: OpenAPIHono, parts: HttpParts): void {
  const post = async (
    context: Context,
    actor: Actor,
    act: Omit<PersonalAct, 'id' | 'actor'> & { readonly id: string | undefined },
  ) => {
    const whole = { ...act, id: act.id ?? parts.ids.create('act'), actor: refOf(actor) };
    if (!(await wasPosted(parts.store, whole))) {
      await assertRoom(parts, act.sessionId);
      await assertActAllowed(parts.store, whole);
    }
    return context.json(await postAct(parts, whole), 202);
  };
  app.openapi(
    createRoute({
      method: 'post',
      path: '/sessions/{id}/messages',
      summary: 'Posts a caller’s message from a text channel. `id` is the message id of the provider.',
      security: [{ bearer: [] }],
      request: { params: sessionParam, body: jsonBody(messageSchema) },
      responses: answers,
    }),
    async (context) => {
      const { sessionId } = aboutOf(context.req.valid('param'));
      const actor = await allowed(parts, context, 'message:post', { sessionId });
      const message = { sessionId, ...context.req.valid('json') };
      if (!(await parts.store.inbox.isConsumed(keyOfMessage(message)))) {
        await assertRoom(parts, sessionId);
        await assertActAllowed(parts.store, { sessionId, signal: messageSignal(message) });
      }
      return context.json(await receiveMessage(parts, { ...message, actor: refOf(actor) }), 202);
    },
  );
  app.openapi(
    createRoute({
      method: 'post',
      path: '/sessions/{id}/proxy',
      summary: 'Posts a turn by a person who speaks for the caller.',
      security: [{ bearer: [] }],
      request: { params: sessionParam, body: jsonBody(proxySchema) },
      responses: answers,
    }),
    async (context) => {
      const about = aboutOf(context.req.valid('param'));
      const actor = await allowed(parts, context, 'proxy:say', about);
      const { id = parts.ids.create('act'), text, proxyId } = context.req.valid('json');
      const signal = {
        type: 'user:turn' as const,
        eventId: `proxy/${about.sessionId}/${id}`,
        text,
        via: 'proxy' as const,
      };
      return post(context, actor, { ...about, id, action: 'proxy:say', signal, proxyId });
    },
  );
  app.openapi(
    createRoute({
      method: 'post',
      path: '/sessions/{id}/takeover',
      summary: 'Takes a conversation over, speaks with the agent’s voice, or gives it back.',
      security: [{ bearer: [] }],
      request: { params: sessionParam, body: jsonBody(takeoverSchema) },
      responses: answers,
    }),
    async (context) => {
      const about = aboutOf(context.req.valid('param'));
      const body = context.req.valid('json');
      const action = `takeover:${body.do}` as const;
      const actor = await allowed(parts, context, action, about);
      return post(context, actor, { ...about, id: body.id, action, signal: signalOf(body) });
    },
  );
}

function aboutOf({ id }: { readonly id: string }): Resource & { readonly sessionId: string } {
  return { sessionId: id };
}

function signalOf(body: z.output<typeof takeoverSchema>): PersonalAct['signal'] {
  switch (body.do) {
    case 'start':
      return { type: 'takeover:started' };
    case 'say':
      return { type: 'takeover:said', text: body.text };
    case 'end': {
      const { node, note } = body;
      return {
        type: 'takeover:ended',
        ...(node === undefined ? {} : { node }),
        ...(note === undefined ? {} : { note }),
      };
    }
  }
}

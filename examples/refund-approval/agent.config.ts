import { createHash, timingSafeEqual } from 'node:crypto';
import { defineConfig } from 'roomflow';
import { flowTool } from 'roomflow/livekit';
import { z } from 'zod';

/** Who works at which desk, by the token that they bring; a real application asks its own accounts. */
const people = [
  { id: 'ada', queue: 'refunds', token: process.env['ADA_TOKEN'] },
  { id: 'ben', queue: 'support', token: process.env['BEN_TOKEN'] },
];

/** What everybody who works here may look at. */
const looking = new Set(['session:list', 'session:read', 'inbox:list', 'audit:read', 'metrics:read']);

const httpPort = Number(process.env['HTTP_PORT'] ?? 8090);

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
/** Takes as long for a wrong token as for the right one. */
const isSame = (one: string, other: string): boolean => timingSafeEqual(digest(one), digest(other));

export default defineConfig({
  initialFlow: 'refund-approval',
  flows: { 'refund-approval': 'flow.yaml' },
  store: process.env['ROOMFLOW_STORE'] ?? 'sqlite:refunds.db',
  tools: [
    flowTool({
      name: 'refund_order',
      description: 'Pays the amount back.',
      parameters: z.object({ order: z.number().int(), amount: z.number() }),
      // The payment provider gets the key, and pays once, however often it is asked.
      execute: ({ order, amount }, { key }) => Promise.resolve({ order, paid: amount, reference: key }),
    }),
  ],
  // A chat, a mail, a page: whoever is asked gets the question, and a link to decide on.
  notify: {
    refunds: ({ question, link }) =>
      process.stderr.write(`To the refunds desk: ${question} ${link ?? 'See roomflow waits.'}\n`),
  },
  // Whoever has hung up is called back: by telephone where LIVEKIT_SIP_TRUNK is set and the session has a contact, else in
  // a room that they are told of; here that is a line for whoever tries it.
  calls: { every: '1m', ring: ({ room }) => process.stderr.write(`To the caller: please join the room ${room}.\n`) },
  worker: { agentName: 'refunds', healthPort: Number(process.env['PORT'] ?? 8081) },
  http: { port: httpPort, publicUrl: `http://127.0.0.1:${httpPort}` },
  resolveActor: ({ bearer, link }) => {
    // The signed link was sent to one desk: whoever has it acts for that desk.
    if (link !== null) return { id: `link:${link.to}`, queue: link.to };
    const person = people.find(({ token }) => token !== undefined && bearer !== null && isSame(token, bearer));
    return person === undefined ? null : { id: person.id, queue: person.queue };
  },
  // What is not named here is denied. Whoever makes a link lets its holder decide, so that both take the desk that is asked.
  can: (actor, action, { to }) => {
    // Whoever has the store at hand, by the command line, may do everything.
    if (actor.id.startsWith('os:')) return true;
    const decides = action === 'wait:resolve' || action === 'wait:link' || action === 'wait:read';
    return decides ? actor['queue'] === to : looking.has(action);
  },
});

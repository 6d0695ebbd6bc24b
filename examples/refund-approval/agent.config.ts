import { createHash, timingSafeEqual } from 'node:crypto';
import { defineConfig } from 'roomflow';
import { flowTool } from 'roomflow/livekit';
import { z } from 'zod';

/** The people by desk and token. A real application uses its accounts. */
const people = [
  { id: 'ada', queue: 'refunds', token: process.env['ADA_TOKEN'] },
  { id: 'ben', queue: 'support', token: process.env['BEN_TOKEN'] },
];

/** The actions that all of these people may do. */
const looking = new Set(['session:list', 'session:read', 'inbox:list', 'audit:read', 'metrics:read']);

const httpPort = Number(process.env['HTTP_PORT'] ?? 8090);

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
/** Compares in constant time. */
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
      // The payment provider receives the key, so that a repeated request pays once.
      execute: ({ order, amount }, { key }) => Promise.resolve({ order, paid: amount, reference: key }),
    }),
  ],
  // A chat message, a mail or a page: it contains the question and a link to decide.
  notify: {
    refunds: ({ question, link }) =>
      process.stderr.write(`To the refunds desk: ${question} ${link ?? 'See roomflow waits.'}\n`),
  },
  // A caller who has hung up is called back: by telephone if LIVEKIT_SIP_TRUNK is set and the session has a contact, otherwise
  // in a room. `ring` announces the room; here it prints a line.
  calls: { every: '1m', ring: ({ room }) => process.stderr.write(`To the caller: please join the room ${room}.\n`) },
  worker: { agentName: 'refunds', healthPort: Number(process.env['PORT'] ?? 8081) },
  http: { port: httpPort, publicUrl: `http://127.0.0.1:${httpPort}` },
  resolveActor: ({ bearer, link }) => {
    // The signed link was sent to one desk. Its holder acts for that desk.
    if (link !== null) return { id: `link:${link.to}`, queue: link.to };
    const person = people.find(({ token }) => token !== undefined && bearer !== null && isSame(token, bearer));
    return person === undefined ? null : { id: person.id, queue: person.queue };
  },
  // Other actions are denied. A link lets its holder decide, so both actions require the desk that is asked.
  can: (actor, action, { to }) => {
    // A user of the command line has access to the store, and may do everything.
    if (actor.id.startsWith('os:')) return true;
    const decides = action === 'wait:resolve' || action === 'wait:link' || action === 'wait:read';
    return decides ? actor['queue'] === to : looking.has(action);
  },
});

import { z } from 'zod';
import { transferOutcomes, type TransferRequest } from '../../../model/transfer.ts';
import type { WaitRequest } from '../../../model/signals/wait-request.ts';
import { transferSchema } from '../../document/people/transfer.ts';
import { defineNodeType } from './node-type.ts';

/** Milliseconds that a person may take to answer, by default. */
const usualRingMs = 30_000;
/** Milliseconds for dialing, the briefing and a new process after a crash, beyond the time of ringing. */
const marginMs = { cold: 15_000, warm: 90_000 } as const;

const summaryPrompt =
  'Summarise for a colleague who takes the call over, in two sentences: who calls, what they want, what was agreed.';

/** The wait for the outcome of `transfer` in a node. Documents do not name it as a type. */
export const transferNode = defineNodeType({
  name: 'interrupt.transfer',
  description: 'Puts the caller through to a person, another agent or another flow.',
  input: transferSchema.omit({ say: true, on: true }),
  output: z.object({ outcome: z.enum(transferOutcomes) }),
  interrupts: true,
  opens({ to, mode = 'cold', brief, hold = 'music', ringMs = usualRingMs }): WaitRequest {
    const request = { mode, brief: briefOf(brief), hold, ringMs };
    const text = typeof brief === 'string' ? brief : '';
    if (typeof to === 'string')
      return {
        ...waiting(null, ringMs + marginMs[mode], ''),
        transfer: { ...request, to: { kind: 'line', address: to.trim() } },
      };
    if ('agent' in to)
      return {
        ...waiting(null, ringMs + marginMs.cold, ''),
        transfer: { ...request, to: { kind: 'agent', name: to.agent } },
      };
    if ('queue' in to) return waiting(to.queue, ringMs, text);
    return { ...waiting(null, ringMs, ''), handsTo: to.flow };
  },
});

function briefOf(brief: z.output<typeof transferSchema>['brief']): TransferRequest['brief'] {
  if (brief === undefined) return null;
  if (typeof brief === 'string') return { text: brief };
  return { prompt: brief.summary === true ? summaryPrompt : brief.summary };
}

function waiting(to: string | null, withinMs: number, question: string): WaitRequest {
  return {
    wait: 'transfer',
    to,
    question,
    // A changed text does not begin the transfer again.
    facts: {},
    // A person in a queue answers by taking the call over.
    options: to === null ? transferOutcomes : ['refused'],
    schema: {
      type: 'object',
      properties: { decision: { type: 'string', enum: [...transferOutcomes] }, participant: { type: 'string' } },
      required: ['decision'],
    },
    reach: 'wait',
    due: null,
    deadlines: [{ due: { afterMs: withinMs }, policy: { act: 'answer', resolution: { decision: 'no_answer' } } }],
  };
}

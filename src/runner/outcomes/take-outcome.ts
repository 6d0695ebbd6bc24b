import type { OpenedConfig } from '../../config/config.ts';
import type { InboxEntry } from '../../model/inbox.ts';
import type { Graph } from '../../flow/graph/graph.ts';
import { summariseLog } from '../../livekit/context/summarise-log.ts';
import { sendRequest } from '../../livekit/tools/http/send-request.ts';
import type { StoredEntry } from '../../model/ports/inbox.ts';
import type { SessionSnapshot, Store } from '../../model/ports/store.ts';
import type { Clock } from '../../model/ports/time.ts';
import { type DeliveryNote, deliverOutcome, type SendDelivery } from '../../people/outcomes/deliver-outcome.ts';
import type { TextTurnParts } from '../text-turn.ts';
import { prepareOutcome } from './prepare-outcome.ts';

export interface OutcomeParts {
  readonly config: Pick<OpenedConfig, 'outcomes'>;
  readonly store: Store;
  readonly clock: Clock;
  readonly graphOf: (hash: string) => Promise<Graph | null>;
  /** Opens the model of summaries; null if there is none. */
  readonly modelOf: () => Promise<TextTurnParts['model'] | null>;
  readonly tell: (note: DeliveryNote) => void;
  /** Default: a request over HTTP. */
  readonly send?: SendDelivery | undefined;
}

/** An entry about the outcome of an ended session. */
export type OutcomeSignal = Extract<InboxEntry['signal'], { type: 'outcome:due' | 'outcome:ready' }>;

/** How long a receiver may take to answer, in milliseconds: shorter than the claim of an entry. */
const answerMs = 20_000;

/** Creates the function that puts outcomes together and delivers them. */
export function createOutcomes({ config, store, clock, graphOf, modelOf, tell, send = sendByHttp }: OutcomeParts) {
  const { outcomes: settings } = config;
  const summarise = async (sessionId: string, log: Parameters<typeof summariseLog>[1]['log'], prompt: string) => {
    const model = await modelOf().catch(() => null);
    if (model === null) return null;
    return await summariseLog(model, { log, effects: await store.effects.list(sessionId) }, prompt, clock);
  };
  return async (stored: StoredEntry, signal: OutcomeSignal, kept: SessionSnapshot | null): Promise<void> => {
    if (signal.type === 'outcome:due')
      return await prepareOutcome({ store, clock, graphOf, summarise }, stored, signal, kept);
    await deliverOutcome({ store, clock, settings, env: process.env, send, tell }, stored, signal);
  };
}

const sendByHttp: SendDelivery = async ({ url, headers, body, allowPrivate }) => {
  const length = { 'content-length': String(Buffer.byteLength(body)) };
  const request = { method: 'POST', url: new URL(url), headers: { ...headers, ...length }, body };
  const { status } = await sendRequest(request, { allowPrivate, signal: AbortSignal.timeout(answerMs) });
  return status;
};

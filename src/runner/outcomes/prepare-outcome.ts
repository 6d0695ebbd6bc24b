import type { InboxEntry } from '../../model/inbox.ts';
import type { Json } from '../../model/json.ts';
import type { Graph } from '../../flow/graph/graph.ts';
import { outcomeFields, reportingFlow } from '../../kernel/outcome.ts';
import { readState } from '../../kernel/state/upgrade.ts';
import type { StoredEntry } from '../../model/ports/inbox.ts';
import type { LoggedSignal, SessionSnapshot, Store } from '../../model/ports/store.ts';
import type { Clock } from '../../model/ports/time.ts';
import { deliveryId } from '../../people/outcomes/sign-delivery.ts';

type OutcomeDue = Extract<InboxEntry['signal'], { type: 'outcome:due' }>;

export interface PrepareParts {
  readonly store: Store;
  readonly clock: Clock;
  /** Returns the flow of a hash; null if it is not available. */
  readonly graphOf: (hash: string) => Promise<Graph | null>;
  /** Writes a summary of the conversation; null if the model fails. */
  readonly summarise: (sessionId: string, log: readonly LoggedSignal[], prompt: string) => Promise<string | null>;
}

/** How often a summary is tried, and the delay after the first failure in milliseconds. */
const summaryAttempts = 3;
const summaryPauseMs = 10_000;

/**
 * Puts the outcome of an ended session together and posts it for delivery. The posted body is final: if this process dies,
 * the next one finds it. An outcome without the summary that its flow asks for is delivered once the model has failed
 * several times.
 */
export async function prepareOutcome(
  { store, clock, graphOf, summarise }: PrepareParts,
  { entry, attempts }: StoredEntry,
  signal: OutcomeDue,
  kept: SessionSnapshot | null,
): Promise<void> {
  const { key, sessionId } = entry;
  if (kept === null) return void (await store.inbox.withdraw(key));
  const state = readState(kept.state);
  const flow = reportingFlow(state);
  const graph = await graphOf(flow.hash);
  const log = await store.steps.list(sessionId);
  const prompt = graph?.outcome?.summary ?? null;
  const summary = prompt === null ? null : await summarise(sessionId, log, prompt);
  if (prompt !== null && summary === null && attempts + 1 < summaryAttempts)
    return await store.inbox.defer(key, {
      until: clock.now() + summaryPauseMs * 4 ** attempts,
      reason: 'summary-failed',
    });
  const id = deliveryId(key);
  const startedAt = log[0]?.signal.at ?? signal.endedAt;
  const { fields, unconfirmed, unsettled } = outcomeFields(graph, state);
  const data: Json = {
    session_id: sessionId,
    flow: flow.id,
    outcome: signal.outcome,
    fields,
    unconfirmed,
    unsettled,
    ...(prompt === null ? {} : { summary }),
    started_at: new Date(startedAt).toISOString(),
    ended_at: new Date(signal.endedAt).toISOString(),
    duration_ms: signal.endedAt - startedAt,
    ...originOf(state.people.origin),
  };
  const body = JSON.stringify({ type: 'conversation.ended', timestamp: new Date(signal.endedAt).toISOString(), data });
  const ready: InboxEntry = {
    ...entry,
    key: `${key}/delivery`,
    dueAt: clock.now(),
    signal: { type: 'outcome:ready', id, body },
  };
  await store.inbox.post([ready]);
  await store.inbox.post([], [], [key]);
  await store.inbox.withdraw(key);
}

function originOf(origin: ReturnType<typeof readState>['people']['origin']): { readonly [name: string]: Json } {
  const { scheduleId, campaignId } = origin ?? {};
  return {
    ...(scheduleId === undefined ? {} : { schedule_id: scheduleId }),
    ...(campaignId === undefined ? {} : { campaign_id: campaignId }),
  };
}

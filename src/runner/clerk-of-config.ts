import { agentOptions, callOptions, type OpenedConfig } from '../config/config.ts';
import { errorKind, FlowError } from '../model/errors.ts';
import { isOfHost, settleHostEffects } from '../store/sql/settle-host-effects.ts';
import type { InboxEntry } from '../model/inbox.ts';
import type { FlowSource } from '../flow/load/files/flow-library.ts';
import { checkRecipient, countCall, isCampaignSession, takeCampaignEntry } from '../people/campaigns/keep-campaigns.ts';
import { callRulesOf } from '../people/calls/call-settings.ts';
import { afterCallRule } from '../people/outcomes/outcome-settings.ts';
import type { DeliveryNote, SendDelivery } from '../people/outcomes/deliver-outcome.ts';
import { isAbandoned } from '../people/outcomes/leave-idle.ts';
import { type CallNote, createCallOut, type PlaceCall } from '../people/calls/call-out.ts';
import { type ClerkOptions, createClerk, type LongWork } from '../people/clerk.ts';
import { durationMs } from '../people/duration.ts';
import { isScheduleSession, takeTick } from '../people/schedules/keep-schedules.ts';
import type { StoredEntry } from '../model/ports/inbox.ts';
import type { SessionSnapshot } from '../model/ports/store.ts';
import { builtinCatalog } from '../flow/nodes/builtin.ts';
import { createClerkRuns } from './tasks/clerk-runs.ts';
import { isFollowUpDue } from './follow-ups.ts';
import { createRetention } from './forgetting/keep-retention.ts';
import { guarded } from './guarded.ts';
import { takeHeadless } from './headless.ts';
import { ownerName } from '../engine/session/process-owner.ts';
import { attemptOf } from '../engine/commit/signal-of-entry.ts';
import { callEntry } from '../engine/session/call-entry.ts';
import { planParts } from './plans.ts';
import { createOutcomes } from './outcomes/take-outcome.ts';
import { settleUnowned, storedGraph } from './tasks/settle-unowned.ts';
import { createSharedFlows } from './shared-flows.ts';
import { taskRunState } from './tasks/task-run-state.ts';
import { takeTextTurn, type TextTurnParts } from './text-turn.ts';
import type { Ids } from '../model/ports/time.ts';

export interface ConfiguredClerkOptions extends Omit<ClerkOptions, 'take' | 'lookAside'> {
  readonly config: OpenedConfig;
  /** Returns the flow of a name, or the flow that sessions begin with; null for the prompt. */
  readonly flowOf: (name: string | undefined) => Promise<FlowSource | null>;
  readonly ids: Ids;
  /** Opens the model of text conversations, on first use. Without it no text conversation runs. */
  readonly openModel?: () => Promise<TextTurnParts['model']>;
  /** Calls people. If absent, lines wait for the person's next call, unless another process calls them. */
  readonly placeCall?: PlaceCall | null;
  /** Receives each completed turn of a text conversation. */
  readonly onTurn?: TextTurnParts['onTurn'];
  /** Receives the outcomes of calls. */
  readonly onCall?: (note: CallNote) => void;
  /** Sends the outcome of a conversation. Default: a request over HTTP. */
  readonly sendOutcome?: SendDelivery;
  /** Receives the results of deliveries of outcomes. */
  readonly onOutcome?: (note: DeliveryNote) => void;
}

/** Creates a clerk for the conversations, task runs, schedules and campaigns of a configuration. */
export function createConfiguredClerk({ config, flowOf, ids, openModel, onTurn, ...options }: ConfiguredClerkOptions) {
  const {
    placeCall: place = null,
    onCall: tell = () => undefined,
    onOutcome = () => undefined,
    sendOutcome,
    ...rest
  } = options;
  const { store, clock, onError, onFailed } = rest;
  const plans = planParts(config, { store, clock, ids });
  const callOut = createCallOut({
    ...{ store, clock, place, tell, onError, rules: callRulesOf(config.calls) },
    count: (campaignId, result) => countCall(plans, campaignId, result),
  });

  const isScheduled = (sessionId: string): Promise<boolean> => isFollowUpDue(store, sessionId);
  const shared = createSharedFlows();
  const catalog = config.catalog ?? builtinCatalog;
  // Sessions are owned under the name of the claim, so that a process which finds a dead clerk's claims can release both.
  const owner = ownerName(ids.create('clerk'));
  const runs = createClerkRuns({
    ...{ config, store, clock, ids },
    ...(openModel === undefined ? {} : { openModel }),
    onFailed: ({ error, ...note }) => onFailed({ ...note, reason: errorKind(error) }),
  });
  const take = async (stored: StoredEntry): Promise<LongWork | void> => {
    const entry = attemptOf(stored);
    const { sessionId, signal } = entry;
    if (isScheduleSession(sessionId)) return await takeTick(plans, sessionId, entry.key);
    if (isCampaignSession(sessionId)) {
      const state = await takeCampaignEntry(plans, entry);
      // A separate entry reads the page again, with growing delay.
      if (state !== null && state.failure !== null && state.status !== 'stopped')
        onFailed({ key: entry.key, sessionId, reason: state.failure, attempt: state.attempts });
      return;
    }
    const kept = await store.sessions.get(sessionId);
    const run = kept === null ? null : taskRunState(kept.state);
    if (run !== null) return { work: runs.goOn(sessionId, run) };
    if (isOutcome.has(signal.type) && isOfHost(kept) && (await settleHostEffects(store, sessionId, owner, clock.now())))
      return;
    if (signal.type === 'outcome:due' || signal.type === 'outcome:ready')
      return await takeOutcome(stored, signal, kept);
    if (
      signal.type === 'session:idle' &&
      !(await isAbandoned({ store, clock, isScheduled }, stored, signal.afterMs, kept))
    )
      return;
    if (signal.type === 'session:idle') await takeHeadless(await headlessOptions(entry), entry);
    else if (signal.type === 'call:due') await callOut(stored);
    else if (await settleUnowned({ store, clock, ids, owner, catalog, shared }, entry, kept)) return;
    else if ((await checkRecipient(plans, stored)) === 'go')
      // The call itself begins the session, and its agent takes the entry.
      await (isFirstCall(entry) ? callOut(stored) : converse(entry, kept));
  };
  const isFirstCall = ({ signal, reach }: InboxEntry): boolean =>
    signal.type === 'session:started' && reach === 'call' && place !== null;
  let model: Promise<TextTurnParts['model']> | null = null;
  const modelOf = async (): Promise<TextTurnParts['model'] | null> => {
    if (openModel === undefined) return null;
    model ??= openModel();
    // A failed attempt to open the model is repeated by the next turn.
    const opened = await model.catch((error: unknown) => {
      model = null;
      throw error;
    });
    // Each concurrent text conversation adds a listener.
    opened?.setMaxListeners(0);
    return opened;
  };
  const takeOutcome = createOutcomes({
    ...{ config, store, clock, modelOf, tell: onOutcome, send: sendOutcome },
    graphOf: (hash) => storedGraph({ store, catalog, shared }, hash),
  });
  /** Runs a whole turn of a text conversation. Returns false if there is no address to write to. */
  const isWritten = async (entry: InboxEntry, kept: SessionSnapshot | null): Promise<boolean> => {
    if (entry.reach !== 'message' || config.channels === undefined || openModel === undefined) return false;
    const opened = await modelOf();
    try {
      await takeTextTurn({ config, store, clock, ids, flowOf, model: opened, shared, owner, onTurn }, entry, kept);
      return true;
    } catch (error) {
      if (error instanceof FlowError && error.code === 'contact-missing') return false;
      throw error;
    }
  };
  const converse = async (entry: InboxEntry, kept: SessionSnapshot | null): Promise<void> => {
    if (await isWritten(entry, kept)) return;
    const given = await headlessOptions(entry);
    await guarded({ store, clock }, entry, 'wait', async () => {
      const call = await askForCall(entry);
      const { speaks } = await takeHeadless(given, entry);
      if (call !== null && !speaks) await store.inbox.withdraw(call);
    });
  };
  const headlessOptions = async ({ sessionId, signal }: InboxEntry) => {
    const flow = await flowOf(signal.type === 'session:started' ? signal.flow : undefined);
    const told = await callOptions(config, { sessionId, room: null, participant: null, input: {} });
    const given = { ...agentOptions(config), ...afterCallRule(config.outcomes), shared, owner, ...told };
    return { ...given, ...(flow === null ? {} : { flow }), store, sessionId, clock, ids, onError };
  };
  /** Posts the call before anything is taken, so that a crash in between loses neither the lines nor the call. */
  const askForCall = async (entry: InboxEntry): Promise<string | null> => {
    const due = await store.inbox.listDue({ sessionId: entry.sessionId, dueBy: clock.now(), limit: mostTaken });
    const asking = [entry, ...due.map((one) => one.entry)].find(
      ({ reach, signal }) => reach === 'call' && signal.type !== 'call:due',
    );
    if (asking === undefined) return null;
    const call = callEntry(asking);
    await store.inbox.post([call]);
    return call.key;
  };
  const { retention } = config;
  const keptMs = retention === undefined ? undefined : durationMs(retention);
  const forgetOld = createRetention({ store, clock, ids, keptMs });
  const timekeeper = config.timekeeper?.();
  const clerk = createClerk({
    ...rest,
    owner,
    ...(timekeeper === undefined ? {} : { timekeeper }),
    take,
    async lookAside() {
      await runs.lookForLeft();
      await forgetOld();
    },
  });
  return {
    start: () => clerk.start(),
    /** Rereads the flows for sessions that begin from now on. */
    renewFlows(): void {
      shared.renew();
      runs.renew();
    },
    /** Hands over running runs, and resolves when begun work is done. */
    async stop(): Promise<void> {
      runs.stop();
      await clerk.stop();
    },
  };
}

/** Signals that settle an effect of a host's checkpoint, which a flow does not read. */
const isOutcome: ReadonlySet<string> = new Set(['wait:resolved', 'wait:expired', 'effect:settled']);

/** How many entries of a session are searched for a request for a call. */
const mostTaken = 100;

import { agentOptions, callOptions, type OpenedConfig } from '../config.ts';
import { FlowError } from '../errors.ts';
import type { InboxEntry } from '../events/inbox.ts';
import type { FlowSource } from '../load/flow-library.ts';
import { checkRecipient, isCampaignSession, takeCampaignEntry } from '../people/campaigns/keep-campaigns.ts';
import { type ClerkOptions, createClerk } from '../people/clerk.ts';
import { isScheduleSession, takeTick } from '../people/schedules/keep-schedules.ts';
import type { StoredEntry } from '../ports/inbox.ts';
import { takeHeadless } from './headless.ts';
import { attemptOf } from '../turn/engine/signal-of-entry.ts';
import { planParts } from './plans.ts';
import { taskRunState } from './task-run-state.ts';
import { takeTextTurn, type TextTurnParts } from './text-turn.ts';
import type { Ids } from '../ports/time.ts';

export interface ConfiguredClerkOptions extends Omit<ClerkOptions, 'take'> {
  readonly config: OpenedConfig;
  /** The flow of a name, or the one that sessions begin in; null for the prompt. */
  readonly flowOf: (name: string | undefined) => Promise<FlowSource | null>;
  readonly ids: Ids;
  /** Opens the model of written conversations, once there is one. Without it nothing is written. */
  readonly openModel?: () => Promise<TextTurnParts['model']>;
}

/** A clerk for the conversations, schedules and campaigns of a configuration. */
export function createConfiguredClerk({ config, flowOf, ids, openModel, ...options }: ConfiguredClerkOptions) {
  const { store, clock, onError } = options;
  const plans = planParts(config, { store, clock, ids });

  const take = async (stored: StoredEntry): Promise<{ readonly speaks: boolean }> => {
    const entry = attemptOf(stored);
    // Whoever runs it again under its id takes what has come for it, with the flow and the input that the run has.
    if (await isTaskRun(entry.sessionId))
      throw new FlowError('session-taken', 'a run of a task flow takes its own inbox.');
    if (isScheduleSession(entry.sessionId)) await takeTick(plans, entry.sessionId, entry.key);
    else if (isCampaignSession(entry.sessionId)) await takeCampaignEntry(plans, entry);
    else if ((await checkRecipient(plans, stored)) === 'go')
      return isFirstCall(entry) ? await callFirst(entry) : await converse(entry);
    return { speaks: false };
  };
  const isTaskRun = async (sessionId: string): Promise<boolean> => {
    const kept = await store.loadSnapshot(sessionId);
    return kept !== null && taskRunState(kept.state) !== null;
  };
  const isFirstCall = ({ signal, reach }: InboxEntry): boolean =>
    signal.type === 'session:started' && reach === 'call' && options.reach?.call !== undefined;
  /** The call itself begins the session. Dispatched twice by a crash, the second agent finds it taken, or over, and leaves. */
  const callFirst = async (entry: InboxEntry): Promise<{ readonly speaks: boolean }> => {
    await options.reach?.call?.(entry);
    await store.post([], [], [entry.key]);
    await store.withdraw(entry.key);
    return { speaks: false };
  };
  let model: Promise<TextTurnParts['model']> | null = null;
  /** A written conversation takes a whole turn; false where nobody knows where to write. */
  const isWritten = async (entry: InboxEntry): Promise<boolean> => {
    if (entry.reach !== 'message' || config.channels === undefined || openModel === undefined) return false;
    model ??= openModel();
    try {
      await takeTextTurn({ config, store, clock, ids, flowOf, model: await model }, entry);
      return true;
    } catch (error) {
      if (error instanceof FlowError && error.code === 'contact-missing') return false;
      throw error;
    }
  };
  const converse = async (entry: InboxEntry): Promise<{ readonly speaks: boolean }> => {
    if (await isWritten(entry)) return { speaks: false };
    const { sessionId, signal } = entry;
    const flow = await flowOf(signal.type === 'session:started' ? signal.flow : undefined);
    const told = await callOptions(config, { sessionId, room: null, participant: null, input: {} });
    const rest = { ...agentOptions(config), ...told, ...(flow === null ? {} : { flow }) };
    return await takeHeadless({ ...rest, store, sessionId, clock, ids, onError }, entry);
  };
  const timekeeper = config.timekeeper?.();
  return createClerk({ ...options, ...(timekeeper === undefined ? {} : { timekeeper }), take });
}

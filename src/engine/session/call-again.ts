import type { InboxEntry } from '../../model/inbox.ts';
import type { FlowFact } from '../../model/events/event.ts';
import type { SessionState } from '../../kernel/state/state.ts';
import type { StepEntries } from './after-call.ts';

const none: StepEntries = { posts: [], withdraws: [] };

/**
 * Returns the next call of a step that decides on one. It is a new conversation, whose id continues the numbers of the
 * first one's, so that each attempt is placed once.
 */
export function callAgainEntries(state: SessionState, facts: readonly FlowFact[], at: number): StepEntries {
  const again = facts.find((fact) => fact.type === 'callee:again');
  const { callee, origin } = state.people;
  if (again === undefined || callee === null) return none;
  const { attempt, afterMs } = again.data;
  const sessionId = attemptId(state.sessionId, attempt);
  const call: InboxEntry = {
    key: `${state.sessionId}/callee/${attempt}`,
    sessionId,
    dueAt: at + afterMs,
    signal: { type: 'session:started', flow: callee.flow, input: state.knowledge.input },
    reach: 'call',
    correlation: {
      ...origin,
      ...(origin?.campaignId === undefined ? {} : { triggerType: 'campaign' }),
      ...{ callAttempt: attempt },
      ...(callee.hasMessage ? { messageLeft: true } : {}),
    },
    actor: null,
  };
  return { posts: [call], withdraws: [] };
}

function attemptId(sessionId: string, attempt: number): string {
  return `${attempt === 2 ? sessionId : sessionId.replace(/~\d+$/, '')}~${attempt}`;
}

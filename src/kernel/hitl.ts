import type { OutsideWait } from '../events/effect.ts';
import type { HitlState } from '../events/event.ts';
import type { EntryCorrelation } from '../events/inbox.ts';
import { confirmationIn, waitingIn } from './draft.ts';
import type { SessionState } from './state.ts';

/** What a session waits for, as responses, events and `state` tell it; the ids are those of the wait that counts. */
export interface Hitl {
  readonly hitlState: HitlState;
  readonly escalationId?: string;
  readonly proxyId?: string;
  readonly scheduleId?: string;
}

/**
 * Derives what people are waited for from the waits that are open and the last one that has ended: a person who talks to
 * the caller comes before a decision, that before a yes, and what is open before what is over. Throws nothing.
 *
 * @example
 * const { hitlState } = hitlOf(newSession('call-17'));
 */
export function hitlOf(state: SessionState): Hitl {
  const open = waitingIn(state).map(({ key, payload }) => ({ ...payload, escalationId: payload.escalationId ?? key }));
  const counts = open.find(({ wait }) => isForPerson.has(wait)) ?? open[0] ?? state.lastWait;
  const kinds = open.map(({ wait }) => wait);
  return { hitlState: nameOf(state, kinds), ...idsOf(state.correlation), ...(counts === null ? {} : idsOf(counts)) };
}

const isForPerson: ReadonlySet<OutsideWait['wait']> = new Set(['confirm', 'admin_resolution', 'proxy_input']);

function nameOf(state: SessionState, open: readonly OutsideWait['wait'][]): HitlState {
  if (state.takeover !== null && state.status !== 'ended') return 'live_takeover';
  if (open.includes('admin_resolution') || open.includes('proxy_input')) return 'pending_admin_resolution';
  if (open.includes('confirm') || confirmationIn(state) !== undefined) return 'pending_confirm';
  return state.lastWait?.outcome ?? 'none';
}

/** Whoever waits for a time alone has asked nobody. */
function idsOf(
  one: (EntryCorrelation & { readonly wait?: OutsideWait['wait'] }) | null,
): Pick<Hitl, 'escalationId' | 'proxyId' | 'scheduleId'> {
  const { wait, escalationId, proxyId, scheduleId } = one ?? {};
  const isAsked = wait === undefined || isForPerson.has(wait);
  return {
    ...(escalationId === undefined || !isAsked ? {} : { escalationId }),
    ...(proxyId === undefined ? {} : { proxyId }),
    ...(scheduleId === undefined ? {} : { scheduleId }),
  };
}

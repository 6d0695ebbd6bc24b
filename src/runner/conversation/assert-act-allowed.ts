import { FlowError } from '../../model/errors.ts';
import type { OutsideSignal } from '../../model/inbox.ts';
import { isJsonObject, type Json } from '../../model/json.ts';
import { proxyIdOf } from '../../model/proxy-id.ts';
import { openOfKind, waitingIn } from '../../kernel/state/draft.ts';
import type { SessionState } from '../../kernel/state/state.ts';
import { readState } from '../../kernel/state/upgrade.ts';
import { planStand } from '../../people/schedules/plan-stand.ts';
import type { SessionSnapshot, Store } from '../../model/ports/store.ts';
import { taskRunState } from '../tasks/task-run-state.ts';

/** An act on a conversation from outside. */
export interface OutsideAct {
  readonly sessionId: string;
  readonly signal: OutsideSignal;
  /** The wait that words answer, if any. */
  readonly proxyId?: string | undefined;
}

/**
 * Checks whether the stored conversation can take an act, so that the sender receives an error
 * instead of silence. A message may begin a conversation. Throws `session-unknown`, `session-over`,
 * `session-kind-wrong` if it is not a conversation, `wait-unknown`, `takeover-missing` and `node-unknown`.
 */
export async function assertActAllowed(store: Store, { sessionId, signal, proxyId }: OutsideAct): Promise<void> {
  const isMessage = signal.type === 'user:turn' && signal.via === 'message';
  const kept = await store.sessions.get(sessionId);
  if (kept === null && isMessage) return;
  if (kept === null) throw new FlowError('session-unknown', 'the store has no such session. GET /sessions lists them.');
  const state = conversationIn(kept);
  // A conversation that is ending may still have a last line for the sender of a message to read.
  const returns = openOfKind(state, 'end')?.payload.returns ?? null;
  const goesOn = returns !== null || (isMessage && openOfKind(state, 'say') !== undefined);
  const isOver = state.status === 'ended' || (state.status === 'ending' && !goesOn);
  if (isOver) throw new FlowError('session-over', 'the session has ended. Start a new one.');
  if (proxyId !== undefined && !waitingIn(state).some((wait) => proxyIdOf(wait) === proxyId))
    throw new FlowError(
      'wait-unknown',
      'the session has no open wait with this proxyId. GET /waits lists the open waits.',
    );
  const isInTakeover = signal.type === 'takeover:said' || signal.type === 'takeover:ended';
  if (isInTakeover && state.people.takeover === null && !(await isBeingTakenOver(store, sessionId)))
    throw new FlowError('takeover-missing', 'the conversation has not been taken over. Send {"do": "start"} first.');
  if (signal.type === 'takeover:ended' && signal.node !== undefined)
    await assertNodeIn(store, kept, state, signal.node);
}

function conversationIn({ state }: SessionSnapshot): SessionState {
  if (taskRunState(state) !== null)
    throw new FlowError(
      'session-kind-wrong',
      'the session is a run of a task flow, not a conversation. Answer its wait: POST /waits/{key}/resolve.',
    );
  if (planStand(state) !== null)
    throw new FlowError(
      'session-kind-wrong',
      'the session is a schedule or a campaign, not a conversation. Name a conversation.',
    );
  return readState(state);
}

/** Checks for a takeover that was posted and not taken yet. */
async function isBeingTakenOver(store: Store, sessionId: string): Promise<boolean> {
  const open = await store.inbox.list({ state: 'open', sessionId, limit: mostOpen });
  return open.some(({ entry }) => entry.signal.type === 'takeover:started');
}

/** More entries than one session has open. */
const mostOpen = 1_000;

async function assertNodeIn(
  store: Store,
  { graphHash }: SessionSnapshot,
  state: SessionState,
  node: string,
): Promise<void> {
  const document = await store.graphs.get(graphHash);
  if (Object.hasOwn(state.position.dynamicNodes, node) || nodesOf(document).includes(node)) return;
  throw new FlowError(
    'node-unknown',
    `flow "${state.position.flow.id}", which has the conversation, has no such node. Name one of its nodes, or leave it out.`,
  );
}

/** Returns the node ids of a stored flow; none for a generator. */
function nodesOf(document: Json | null): readonly unknown[] {
  const nodes = isJsonObject(document) ? document['nodes'] : null;
  if (Array.isArray(nodes)) return nodes.map((node: Json) => (isJsonObject(node) ? node['id'] : null));
  return isJsonObject(nodes ?? null) ? Object.keys(nodes as object) : [];
}

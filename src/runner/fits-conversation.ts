import { FlowError } from '../errors.ts';
import type { OutsideSignal } from '../events/inbox.ts';
import { isJsonObject, type Json } from '../events/json.ts';
import { proxyIdOf } from '../events/proxy-id.ts';
import { openOfKind, waitingIn } from '../kernel/draft.ts';
import type { SessionState } from '../kernel/state.ts';
import { readState } from '../kernel/upgrade.ts';
import { planStand } from '../people/plan-stand.ts';
import type { SessionSnapshot, Store } from '../ports/store.ts';
import { taskRunState } from './task-run-state.ts';

/** Something that is said or done in a conversation from outside of it. */
export interface OutsideAct {
  readonly sessionId: string;
  readonly signal: OutsideSignal;
  /** Of the wait that words are for, where they are for one. */
  readonly proxyId?: string | undefined;
}

/**
 * Whether a conversation can take an act as it is kept: whoever sends what would come to nothing is told so, and not only the
 * session. A message may begin a conversation. Throws `session-unknown`, `session-over`, `session-unfit` for what is no
 * conversation, `wait-unknown`, `takeover-none` and `node-unknown`.
 */
export async function assertFits(store: Store, { sessionId, signal, proxyId }: OutsideAct): Promise<void> {
  const isMessage = signal.type === 'user:turn' && signal.via === 'message';
  const kept = await store.loadSnapshot(sessionId);
  if (kept === null && isMessage) return;
  if (kept === null)
    throw new FlowError('session-unknown', 'the store keeps no such session. GET /sessions lists them.');
  const state = conversationIn(kept);
  // Of one that is ending only its last words are left, which whoever writes is still to read.
  const returns = openOfKind(state, 'end')?.payload.returns ?? null;
  const goesOn = returns !== null || (isMessage && openOfKind(state, 'say') !== undefined);
  const isOver = state.status === 'ended' || (state.status === 'ending' && !goesOn);
  if (isOver) throw new FlowError('session-over', 'the session has ended. Begin another one.');
  if (proxyId !== undefined && !waitingIn(state).some((wait) => proxyIdOf(wait) === proxyId))
    throw new FlowError(
      'wait-unknown',
      'the session waits for no words by this proxyId. GET /waits lists what is open.',
    );
  const isInTakeover = signal.type === 'takeover:said' || signal.type === 'takeover:ended';
  if (isInTakeover && state.takeover === null && !(await isBeingTakenOver(store, sessionId)))
    throw new FlowError('takeover-none', 'nobody has taken the conversation over. Send {"do": "start"} first.');
  if (signal.type === 'takeover:ended' && signal.node !== undefined)
    await assertNodeIn(store, kept, state, signal.node);
}

function conversationIn({ state }: SessionSnapshot): SessionState {
  if (taskRunState(state) !== null)
    throw new FlowError(
      'session-unfit',
      'the session is a run of a task flow, in which nobody talks. Answer what it waits for: POST /waits/{key}/resolve.',
    );
  if (planStand(state) !== null)
    throw new FlowError(
      'session-unfit',
      'the session is a schedule or a campaign, and no conversation. Name one that is.',
    );
  return readState(state);
}

/** Somebody takes it over who was posted and is not taken yet. */
async function isBeingTakenOver(store: Store, sessionId: string): Promise<boolean> {
  const open = await store.listEntries({ state: 'open', sessionId, limit: mostOpen });
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
  const document = await store.loadGraph(graphHash);
  if (Object.hasOwn(state.dynamicNodes, node) || nodesOf(document).includes(node)) return;
  throw new FlowError(
    'node-unknown',
    `flow "${state.flow.id}", which has the conversation, has no such node. Name one of its nodes, or leave it out.`,
  );
}

/** The ids of a flow as a store has kept it; none of a generator's. */
function nodesOf(document: Json | null): readonly unknown[] {
  const nodes = isJsonObject(document) ? document['nodes'] : null;
  if (Array.isArray(nodes)) return nodes.map((node: Json) => (isJsonObject(node) ? node['id'] : null));
  return isJsonObject(nodes ?? null) ? Object.keys(nodes as object) : [];
}

import type { Effect } from '../events/effect.ts';
import type { FlowFact } from '../events/event.ts';
import type { Signal } from '../events/signal.ts';
import type { Graph } from '../graph/graph.ts';
import { settleBatch } from './batch.ts';
import { createDraft, type Draft, tell } from './draft.ts';
import { call, comeBackFromFlow, endSession, request, start, swap } from './lifecycle.ts';
import { resume } from './resume.ts';
import { failReply, intendCall, settleEffect, settleSpeech } from './settle-effect.ts';
import type { SessionState } from './state.ts';
import { takeTurn } from './user-turn.ts';

/** What one signal makes of a session. */
export interface Step {
  readonly state: SessionState;
  /** What the world is now to do, in this order. */
  readonly effects: readonly Effect[];
  /** What happened, for those who watch. */
  readonly facts: readonly FlowFact[];
}

/**
 * The one place where a conversation moves: pure and total. The same graph, state and signal give the same step, and
 * no signal throws. A session is the fold of this function over its signals; live, replayed, simulated and resumed
 * sessions differ only in where the signals come from.
 */
export function step(graph: Graph, state: SessionState, signal: Signal): Step {
  const draft = createDraft(graph, state, signal.at);
  if (state.status === 'new' && signal.type !== 'session:started') ignore(draft, signal, 'not-started');
  else if (isOver(state) && !settlesAfterTheEnd(state, signal)) ignore(draft, signal, 'ended');
  else advance(draft, signal);
  return { state: draft.state, effects: draft.effects, facts: draft.facts };
}

function advance(draft: Draft, signal: Signal): void {
  switch (signal.type) {
    case 'session:started':
      if (draft.state.status === 'new') return start(draft, signal);
      return ignore(draft, signal, 'already-started');
    case 'session:resumed':
      return resume(draft);
    case 'session:ended':
      return endSession(draft, signal);
    case 'user:turn':
      return takeTurn(draft, signal);
    case 'tool:called':
      return intendCall(draft, signal);
    case 'batch:settled':
      return settleBatch(draft, signal);
    case 'effect:settled':
      return settleEffect(draft, signal);
    case 'speech:settled':
      return settleSpeech(draft, signal);
    case 'reply:failed':
      return failReply(draft, signal);
    case 'node:requested':
      return request(draft, signal);
    case 'flow:swapped':
      return swap(draft, signal);
    case 'flow:called':
      return call(draft, signal);
    case 'flow:returned':
      return comeBackFromFlow(draft, signal.type);
  }
}

function isOver(state: SessionState): boolean {
  return state.status === 'ending' || state.status === 'ended';
}

/** After the end nothing moves any more, but what is under way still settles. */
function settlesAfterTheEnd(state: SessionState, signal: Signal): boolean {
  switch (signal.type) {
    case 'effect:settled':
    case 'speech:settled':
    case 'session:resumed':
    case 'batch:settled':
    case 'reply:failed':
      return true;
    case 'session:ended':
    case 'flow:returned':
      return state.status === 'ending';
    case 'session:started':
    case 'user:turn':
    case 'tool:called':
    case 'node:requested':
    case 'flow:swapped':
    case 'flow:called':
      return false;
  }
}

function ignore(draft: Draft, signal: Signal, reason: 'not-started' | 'ended' | 'already-started'): void {
  tell(draft, { type: 'signal:ignored', data: { signal: signal.type, reason } });
}

import { owedIn } from '../kernel/owed.ts';
import type { CallerQuestions } from '../livekit/agent/caller-questions.ts';
import type { Conversation } from './open-conversation.ts';

/** What a session has still to do by itself: nothing where it waits for its caller or for others; `left` if nothing of it is under way. */
export type WorkLeft = 'none' | 'under-way' | 'left';

export function workLeft(
  { engine, agent }: Pick<Conversation, 'engine' | 'agent'>,
  questions: Pick<CallerQuestions, 'isPut'>,
): WorkLeft {
  // The caller has the word: what asked goes on with their answer.
  if (questions.isPut()) return 'none';
  const owed = owedIn(engine.state);
  if (owed.length === 0) return 'none';
  return !agent.isStill || owed.some(({ kind }) => kind === 'context') ? 'under-way' : 'left';
}

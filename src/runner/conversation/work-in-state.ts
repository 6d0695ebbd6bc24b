import { unperformedEffects } from '../../kernel/question/unperformed-effects.ts';
import type { CallerQuestions } from '../../livekit/agent/caller-questions.ts';
import type { Conversation } from './open-conversation.ts';

/** Work that a session has still to do by itself: none if it waits for its caller or others; `left` if none of it is running. */
export type WorkLeft = 'none' | 'under-way' | 'left';

export function workLeft(
  { engine, agent }: Pick<Conversation, 'engine' | 'agent'>,
  questions: Pick<CallerQuestions, 'isPut'>,
): WorkLeft {
  // It is the caller's turn; their answer continues the work that asked.
  if (questions.isPut()) return 'none';
  const owed = unperformedEffects(engine.state);
  if (owed.length === 0) return 'none';
  return !agent.isStill || owed.some(({ kind }) => kind === 'context') ? 'under-way' : 'left';
}

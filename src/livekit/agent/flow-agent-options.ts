import type { llm } from '@livekit/agents';
import type { Clock } from '../../ports/time.ts';
import type { Engine } from '../../turn/engine/engine.ts';
import type { TurnHost } from '../../turn/engine/perform.ts';
import type { Responses } from '../../turn/reply/responses.ts';
import type { CallerQuestions } from './caller-questions.ts';
import type { TroubleLines } from '../speech/trouble-lines.ts';
import type { ViewTools } from '../tools/view-tools.ts';

/** The options of an agent, the same for text and realtime models. */
export interface FlowAgentOptions {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly tools: ViewTools;
  /** The history before the flow took the session over. */
  readonly history: llm.ChatContext;
  readonly lines: TroubleLines;
  act: TurnHost['act'];
  runTask: TurnHost['runTask'];
  /** The questions of tasks to the caller. */
  readonly questions: CallerQuestions;
  /** Sums a conversation up by a prompt; null where that fails or takes too long. */
  summarise(prompt: string, context: llm.ChatContext): Promise<string | null>;
  /** The flow has ended, and what it said last was heard. */
  onEnd(reason: string): void;
  /** LiveKit closed the session: the caller hung up, or a model failed for good. */
  readonly onClose: () => void;
  /** The hooks, router and structured output around the replies. */
  readonly responses: Responses;
  /** The heard part of one message of the agent, and whether the caller cut it off. */
  onSpeech(heard: string, interrupted: boolean): void;
  /** Something in a turn failed that no rule of the flow covers. */
  onError(error: unknown): void;
  /** The store keeps this session no more; the caller knows, if they could be told. */
  onStoreLost(reason: string): void;
  /** A model failed, that of the language, the voice or the ears: the kind of error and its status. */
  onModelTrouble(reason: string, stage?: 'model' | 'tts' | 'stt'): void;
}

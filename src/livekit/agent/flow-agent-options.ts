import type { llm } from '@livekit/agents';
import type { TransferPayload } from '../../model/transfer.ts';
import type { Clock } from '../../model/ports/time.ts';
import type { Engine } from '../../engine/engine.ts';
import type { TurnHost } from '../../engine/performer.ts';
import type { Responses } from '../../engine/reply/responses.ts';
import type { CallerQuestions } from './caller-questions.ts';
import type { TroubleLines } from '../speech/failure-lines.ts';
import type { ViewTools } from '../tools/view-tools.ts';

/** Options of an agent, for text and realtime models. */
export interface FlowAgentOptions {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly tools: ViewTools;
  /** The history before the flow took over the session. */
  readonly history: llm.ChatContext;
  readonly lines: TroubleLines;
  act: TurnHost['act'];
  runTask: TurnHost['runTask'];
  /** Begins to put the caller through. */
  transfer(request: TransferPayload): void;
  readonly sendKeys?: TurnHost['sendKeys'];
  /** Questions of tasks to the caller. */
  readonly questions: CallerQuestions;
  /** Summarises a conversation by a prompt; null if that fails or takes too long. */
  summarise(prompt: string, context: llm.ChatContext): Promise<string | null>;
  /** The flow has ended, and its last words were heard. */
  onEnd(reason: string): void;
  /** LiveKit closed the session: the caller hung up, or a model failed permanently. */
  readonly onClose: () => void;
  /** The hooks, router and structured output around the replies. */
  readonly responses: Responses;
  /** The heard part of one message of the agent, and whether the caller interrupted it. */
  onSpeech(heard: string, interrupted: boolean): void;
  /** A turn failed in a way that no rule of the flow covers. */
  onError(error: unknown): void;
  /** The store no longer accepts this session. The caller was informed if possible. */
  onStoreLost(reason: string): void;
  /** The language model, the voice or the recogniser failed: the kind of error and its status. */
  onModelTrouble(reason: string, stage?: 'model' | 'tts' | 'stt'): void;
}

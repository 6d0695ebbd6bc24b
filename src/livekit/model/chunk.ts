import { type FlushSentinel, llm } from '@livekit/agents';
import type { ChunkContent, ModelCall } from '../../ports/model.ts';
import { type CallIds, newCallId } from './call-ids.ts';
import { tokensOf } from './model-name.ts';

/** A chunk of a reply that LiveKit streams. */
export type Chunk = llm.ChatChunk | string | FlushSentinel;

/** The words and calls of a chunk. */
export function readChunk(chunk: Chunk): ChunkContent {
  if (typeof chunk === 'string') return { text: chunk, calls: [] };
  if (typeof chunk === 'symbol') return { text: '', calls: [] };
  const calls = (chunk.delta?.toolCalls ?? []).map(({ callId, name, args }) => ({ callId, name, rawArguments: args }));
  const tokens = chunk.usage === undefined ? {} : { tokens: tokensOf(chunk.usage) };
  return { text: chunk.delta?.content ?? '', calls, ...tokens };
}

/** The chunk with each of its calls under an id of the conversation's own. */
export function adoptCalls(chunk: llm.ChatChunk, ids: CallIds): llm.ChatChunk {
  const { delta } = chunk;
  if (delta?.toolCalls === undefined || delta.toolCalls.length === 0) return chunk;
  return { ...chunk, delta: { ...delta, toolCalls: delta.toolCalls.map((call) => ids.adopt(call)) } };
}

/** The chunk with other words, and these calls before its own; none where nothing of it is left. */
export function writeChunk(
  text: string,
  calls: readonly Omit<ModelCall, 'callId'>[],
  given: Chunk | null,
): readonly Chunk[] {
  const chunk = typeof given === 'object' && given !== null ? given : undefined;
  const toolCalls = [...calls.map(callOf), ...(chunk?.delta?.toolCalls ?? [])];
  const tellsMore = chunk?.usage !== undefined || chunk?.delta?.extra !== undefined;
  if (text === '' && toolCalls.length === 0 && !tellsMore) return [];
  const delta: llm.ChoiceDelta = { role: 'assistant', ...chunk?.delta, content: text };
  return [{ id: '', ...chunk, delta: toolCalls.length === 0 ? delta : { ...delta, toolCalls } }];
}

/** A call that a model wrote out in its words as LiveKit has calls of a model, under an id of its own. */
export function callOf({ name, rawArguments }: Omit<ModelCall, 'callId'>): llm.FunctionCall {
  return llm.FunctionCall.create({ callId: newCallId(), name, args: rawArguments });
}

import { type FlushSentinel, llm } from '@livekit/agents';
import type { ChunkContent, ModelCall } from '../../model/ports/model.ts';
import { type CallIds, newCallId } from './call-ids.ts';
import { tokensOf } from './model-name.ts';

/** A chunk of a reply that LiveKit streams. */
export type Chunk = llm.ChatChunk | string | FlushSentinel;

/** Returns the words and calls of a chunk. */
export function readChunk(chunk: Chunk): ChunkContent {
  if (typeof chunk === 'string') return { text: chunk, calls: [] };
  if (typeof chunk === 'symbol') return { text: '', calls: [] };
  const calls = (chunk.delta?.toolCalls ?? []).map(({ callId, name, args }) => ({ callId, name, rawArguments: args }));
  const tokens = chunk.usage === undefined ? {} : { tokens: tokensOf(chunk.usage) };
  return { text: chunk.delta?.content ?? '', calls, ...tokens };
}

/** Gives each call of a chunk an id of the conversation. */
export function adoptCalls(chunk: llm.ChatChunk, ids: CallIds): llm.ChatChunk {
  const { delta } = chunk;
  if (delta?.toolCalls === undefined || delta.toolCalls.length === 0) return chunk;
  return { ...chunk, delta: { ...delta, toolCalls: delta.toolCalls.map((call) => ids.adopt(call)) } };
}

/** Replaces the words of a chunk and inserts calls before its own. Returns none if nothing is left. */
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

/** Converts a call that a model wrote as text to LiveKit's form, with a new id. */
export function callOf({ name, rawArguments }: Omit<ModelCall, 'callId'>): llm.FunctionCall {
  return llm.FunctionCall.create({ callId: newCallId(), name, args: rawArguments });
}

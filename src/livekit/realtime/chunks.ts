import { type llm, stream, type TimedString } from '@livekit/agents';
import type { AudioFrame } from '@livekit/rtc-node';
import type { ChunkContent, ModelCall } from '../../model/ports/model.ts';
import { callOf } from '../model/chunk.ts';

/** A part of a realtime model's generation, in order of arrival. */
export type RealtimeChunk =
  | { readonly type: 'message'; readonly message: llm.MessageGeneration }
  | { readonly type: 'text'; readonly text: TextPiece }
  | { readonly type: 'audio'; readonly frame: AudioFrame }
  | { readonly type: 'call'; readonly call: llm.FunctionCall };

/** Text of a model, with its time if the model reports it. */
export type TextPiece = string | TimedString;

/** Merges the streams of one generation, so that none blocks another. */
export async function* chunksOf(generation: llm.GenerationCreatedEvent): AsyncGenerator<RealtimeChunk> {
  const merged = stream.createStreamChannel<RealtimeChunk>();
  const give = (chunk: RealtimeChunk): void => void merged.write(chunk).catch(() => undefined);
  const readMessages = async (): Promise<void> => {
    for await (const message of generation.messageStream) {
      give({ type: 'message', message });
      const readText = async (): Promise<void> => {
        for await (const text of message.textStream) give({ type: 'text', text });
      };
      const readAudio = async (): Promise<void> => {
        for await (const frame of message.audioStream) give({ type: 'audio', frame });
      };
      await Promise.all([readText(), readAudio()]);
    }
  };
  const readCalls = async (): Promise<void> => {
    for await (const call of generation.functionStream) give({ type: 'call', call });
  };
  void Promise.all([readMessages(), readCalls()]).then(
    () => merged.close(),
    (error: unknown) => merged.abort(error instanceof Error ? error : new Error('The generation broke off.')),
  );
  yield* merged.stream();
}

/** Returns the content of a chunk for the engine. */
export function readRealtimeChunk(chunk: RealtimeChunk): ChunkContent {
  if (chunk.type === 'text') return { text: textOf(chunk.text), calls: [] };
  if (chunk.type !== 'call') return { text: '', calls: [], isSound: true };
  const { callId, name, args } = chunk.call;
  return { text: '', calls: [{ callId, name, rawArguments: args }] };
}

/** Creates chunks from words and from calls that were written among them. */
export function writeRealtimeChunk(
  text: string,
  calls: readonly Omit<ModelCall, 'callId'>[],
): readonly RealtimeChunk[] {
  return [
    ...(text === '' ? [] : [{ type: 'text', text } as const]),
    ...calls.map((call) => ({ type: 'call', call: callOf(call) }) as const),
  ];
}

/** Returns the words of a piece of text. */
export function textOf(piece: TextPiece): string {
  return typeof piece === 'string' ? piece : piece.text;
}

import { type llm, stream, type TimedString } from '@livekit/agents';
import type { AudioFrame } from '@livekit/rtc-node';
import type { ChunkContent, ModelCall } from '../../ports/model.ts';
import { callOf } from '../model/chunk.ts';

/** A part of a realtime model's generation, in the order of arrival. */
export type RealtimeChunk =
  | { readonly type: 'message'; readonly message: llm.MessageGeneration }
  | { readonly type: 'text'; readonly text: TextPiece }
  | { readonly type: 'audio'; readonly frame: AudioFrame }
  | { readonly type: 'call'; readonly call: llm.FunctionCall };

/** Text as a model streams it, with its time where it tells one. */
export type TextPiece = string | TimedString;

/** The streams of one generation as one, so that none of them is waited for while another goes on. */
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

/** The content of a chunk that the engine reads. */
export function readRealtimeChunk(chunk: RealtimeChunk): ChunkContent {
  if (chunk.type === 'text') return { text: textOf(chunk.text), calls: [] };
  if (chunk.type !== 'call') return { text: '', calls: [], isSound: true };
  const { callId, name, args } = chunk.call;
  return { text: '', calls: [{ callId, name, rawArguments: args }] };
}

/** A piece of text with other words, and calls that were written in it. */
export function writeRealtimeChunk(
  text: string,
  calls: readonly Omit<ModelCall, 'callId'>[],
): readonly RealtimeChunk[] {
  return [
    ...(text === '' ? [] : [{ type: 'text', text } as const]),
    ...calls.map((call) => ({ type: 'call', call: callOf(call) }) as const),
  ];
}

/** The words of a piece of text. */
export function textOf(piece: TextPiece): string {
  return typeof piece === 'string' ? piece : piece.text;
}

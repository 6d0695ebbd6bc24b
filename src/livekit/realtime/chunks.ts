import { type llm, stream, type TimedString } from '@livekit/agents';
import type { AudioFrame } from '@livekit/rtc-node';
import type { ChunkContent } from '../../ports/model.ts';
import type { OutputReading } from '../../turn/reply/structured-output.ts';
import type { ReadPiece, WrittenCallReader } from '../../turn/reply/written-call-reader.ts';
import { callOf } from '../model/written-calls.ts';

/** What a realtime model's generation consists of, in the order in which it arrives. */
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

/** What of a structured answer is said while it comes in; its sound and its calls go through as they are. */
export async function* structuredChunksOf(
  chunks: AsyncIterable<RealtimeChunk>,
  reading: OutputReading,
): AsyncGenerator<RealtimeChunk> {
  let hasCalls = false;
  for await (const chunk of chunks) {
    hasCalls ||= chunk.type === 'call';
    if (chunk.type !== 'text') yield chunk;
    else {
      const text = reading.push(textOf(chunk.text));
      if (text !== '') yield { type: 'text', text };
    }
  }
  reading.end(hasCalls);
}

/** A generation with the calls made that its words hold; its sound goes through as it is. */
export async function* writtenCallsMade(
  chunks: AsyncIterable<RealtimeChunk>,
  reader: WrittenCallReader,
): AsyncGenerator<RealtimeChunk> {
  const piecesOf = ({ text, calls }: ReadPiece): readonly RealtimeChunk[] => [
    ...(text === '' ? [] : [{ type: 'text', text } as const]),
    ...calls.map((call) => ({ type: 'call', call: callOf(call) }) as const),
  ];
  for await (const chunk of chunks)
    if (chunk.type === 'text') yield* piecesOf(reader.push(textOf(chunk.text)));
    else yield chunk;
  yield* piecesOf(reader.end());
}

/** Whether a chunk is part of what is heard, with words or without. */
export function isSpeech({ type }: RealtimeChunk): boolean {
  return type !== 'call';
}

/** What of a chunk the engine reads. */
export function readRealtimeChunk(chunk: RealtimeChunk): ChunkContent {
  if (chunk.type === 'text') return { text: textOf(chunk.text), calls: [] };
  if (chunk.type !== 'call') return { text: '', calls: [], isSound: true };
  const { callId, name, args } = chunk.call;
  return { text: '', calls: [{ callId, name, rawArguments: args }] };
}

/** The words of a piece of text. */
export function textOf(piece: TextPiece): string {
  return typeof piece === 'string' ? piece : piece.text;
}

import { llm, stream } from '@livekit/agents';
import type { AudioFrame } from '@livekit/rtc-node';
import { TransformStream } from 'node:stream/web';
import type { View } from '../../kernel/state/view.ts';
import type { ModelName, SpeakingModel } from '../../model/ports/model.ts';
import type { Cancellable } from '../../model/ports/cancellable.ts';
import type { Engine } from '../../engine/engine.ts';
import type { Performer } from '../../engine/performer.ts';
import type { Spoken } from '../../engine/reply/reply.ts';
import type { ModelAnswer, ModelAnswers } from './answer.ts';
import {
  chunksOf,
  type RealtimeChunk,
  readRealtimeChunk,
  type TextPiece,
  textOf,
  writeRealtimeChunk,
} from './chunks.ts';
import type { RealtimeProvider } from './provider.ts';
import type { Voicing } from '../speech/playback.ts';
import type { Utterance } from '../speech/speech-log.ts';

export interface RealtimeSpeakingOptions {
  readonly engine: Engine;
  readonly performer: Performer;
  readonly answers: ModelAnswers;
  readonly provider: () => RealtimeProvider | null;
  /** Resolves when the turn that a reply answers has been taken. */
  turnTaken(): Promise<unknown>;
  /** For the generation that begins: returns a function that checks for newer words than it answers. */
  overtaking(): () => boolean;
  isCommitted(): Promise<boolean>;
  /** Whether the agent is still attached to its session. */
  isAttached(): boolean;
  /** Returns the model's name and provider. */
  name(): ModelName;
  /** Returns the names of the functions offered to the model. */
  offered(): readonly string[];
  /** Whether there is audio output that only the model itself can produce. */
  speaksForItself(): boolean;
  /** Returns the line that replaces all others when the conversation is over. */
  lastLine(): string | null;
  onError(error: unknown): void;
}

/** The speech of a flow as generations of a realtime model, one at a time. */
export interface RealtimeSpeaking {
  /** Gives out what the flow has to say: each line, and each message of the model, as a separate message. */
  speak(cancelled: AbortSignal, begin: () => Utterance, voice: () => Voicing): llm.GenerationCreatedEvent;
}

type Messages = stream.StreamChannel<llm.MessageGeneration>;

export function createRealtimeSpeaking(options: RealtimeSpeakingOptions): RealtimeSpeaking {
  const { engine, performer, answers, provider } = options;
  /** Messages of the model that were not given out yet. */
  const withheld = new Set<string>();

  async function* ask(view: View, { signal }: Cancellable, wanted: ModelAnswer | null): AsyncGenerator<RealtimeChunk> {
    const behind = provider();
    if (behind === null || signal.aborted) return;
    const answer = await answers.take(wanted, view.visit);
    const { breaks } = behind;
    let begun: string | null = null;
    // An abandoned generation would continue behind the gate and block the next one.
    const giveUp = (): void => {
      if (answers.waiting === null) void behind.inner.interrupt().catch(() => undefined);
      if (begun !== null) behind.forget([begun]);
    };
    signal.addEventListener('abort', giveUp, { once: true });
    try {
      const chunks = chunksOf(answer ?? (await behind.generate(signal)));
      for await (const chunk of chunks) {
        if (chunk.type === 'message') withheld.add((begun = chunk.message.messageId));
        if (signal.aborted) return giveUp();
        yield chunk;
      }
      await behind.assertWhole(breaks);
    } finally {
      signal.removeEventListener('abort', giveUp);
    }
  }

  /** Returns the model for one turn, which it may have answered already. */
  const modelIn = (wanted: ModelAnswer | null): SpeakingModel<View, RealtimeChunk> => ({
    ask: (view, cancellable) => ask(view, cancellable, wanted),
    offered: () => (options.speaksForItself() ? null : options.offered()),
    name: () => options.name(),
    read: readRealtimeChunk,
    write: writeRealtimeChunk,
    endsWithCalls: true,
  });

  /** Forgets the messages that a hook suppressed, because they were never said. */
  const forgetWithheld = (): void => {
    const behind = provider();
    if (withheld.size === 0 || behind === null) return;
    behind.forget(withheld);
    withheld.clear();
    // The next generation retries.
    void behind.sync().catch(() => undefined);
  };

  /** Asks the model to say the exact words, if there is audio but no separate voice. */
  const sayThroughModel = async (
    text: string,
    signal: AbortSignal,
    messages: Messages,
    heed: Heed | null,
  ): Promise<void> => {
    const behind = provider();
    if (behind === null) return;
    await answers.drop();
    behind.inner.updateOptions({ toolChoice: 'none' });
    const generation = await behind.generate(signal, `Say exactly the following and nothing else: ${text}`);
    behind.inner.updateOptions({ toolChoice: 'auto' });
    for await (const message of generation.messageStream)
      await messages.write(heed === null ? message : heeded(message, heed));
  };

  const sayLine = async (
    text: string,
    signal: AbortSignal,
    messages: Messages,
    heed: Heed | null = null,
  ): Promise<void> => {
    if (options.speaksForItself()) return await sayThroughModel(text, signal, messages, heed);
    const message = openMessage(llm.ChatMessage.create({ role: 'assistant', content: '' }).id, ['text']);
    await messages.write(message.generation);
    // Word by word, so that the heard part of a line ends where it was cut.
    for (const word of text.match(/\S+\s*/g) ?? []) message.text(word);
    message.end();
  };

  const perform = async (
    cancelled: AbortSignal,
    begin: () => Utterance,
    voice: () => Voicing,
    messages: Messages,
    calls: stream.StreamChannel<llm.FunctionCall>,
  ): Promise<void> => {
    const isOvertaken = options.overtaking();
    await options.turnTaken();
    const last = options.lastLine();
    if (cancelled.aborted) return;
    if (last !== null) return await sayLine(last, cancelled, messages);
    // LiveKit also requests answers to overtaken words; the newer words are answered next.
    if (isOvertaken()) return;
    const answer = answers.waiting;
    const isWanted = (): boolean => !cancelled.aborted && options.isAttached();
    let open: OpenMessage | null = null;
    let utterance: Utterance | null = null;
    let voicing: Voicing | null = null;
    const close = (): void => {
      open?.end();
      voicing?.end();
      open = voicing = null;
    };
    const give = async (spoken: Spoken<RealtimeChunk>): Promise<boolean> => {
      if (!(await options.isCommitted()) || !isWanted()) return false;
      if (spoken.type === 'line') {
        close();
        forgetWithheld();
        const line = begin();
        line.add(spoken.key, spoken.text, spoken.isAside);
        await sayLine(spoken.text, cancelled, messages, { utterance: line, voicing: voice });
        return true;
      }
      const { chunk } = spoken;
      if (chunk.type === 'message') {
        close();
        withheld.delete(chunk.message.messageId);
        utterance = begin();
        voicing = voice();
        open = openMessage(chunk.message.messageId, chunk.message.modalities);
        await messages.write(open.generation);
      } else if (chunk.type === 'text') {
        utterance?.add(spoken.key, textOf(chunk.text));
        voicing?.text(textOf(chunk.text));
        open?.text(chunk.text);
      } else if (chunk.type === 'audio') {
        voicing?.frame(chunk.frame);
        open?.audio(chunk.frame);
      } else await calls.write(chunk.call);
      return true;
    };
    try {
      await performer.perform({ model: modelIn(answer), isWanted, isOvertaken }, give);
    } finally {
      close();
      forgetWithheld();
      // The turn was answered without the model's own answer.
      if (answer !== null && answers.waiting === answer) void answers.drop();
      // Shows the model a silently entered node before the caller speaks.
      const { completion } = engine;
      const tellNode = (): void =>
        void provider()
          ?.sync()
          .catch(() => undefined); // The next generation retries.
      if (completion !== null && !completion.isSettled) void completion.settled.then(tellNode);
    }
  };

  return {
    speak(cancelled, begin, voice) {
      const messages = stream.createStreamChannel<llm.MessageGeneration>();
      const calls = stream.createStreamChannel<llm.FunctionCall>();
      void perform(cancelled, begin, voice, messages, calls)
        .catch((error: unknown) => options.onError(error))
        .finally(() => {
          void messages.close().catch(() => undefined);
          void calls.close().catch(() => undefined);
        });
      return { messageStream: messages.stream(), functionStream: calls.stream(), userInitiated: true };
    },
  };
}

/** Records a line that the model says. */
interface Heed {
  readonly utterance: Utterance;
  readonly voicing: () => Voicing;
}

/** Records the words and sound of a model's message as LiveKit reads them. */
function heeded(message: llm.MessageGeneration, { utterance, voicing }: Heed): llm.MessageGeneration {
  const segment = voicing();
  const noteText = new TransformStream<TextPiece, TextPiece>({
    transform(piece, controller) {
      utterance.say(textOf(piece));
      segment.text(textOf(piece));
      controller.enqueue(piece);
    },
  });
  const noteSound = new TransformStream<AudioFrame, AudioFrame>({
    transform(frame, controller) {
      segment.frame(frame);
      controller.enqueue(frame);
    },
    flush: () => segment.end(),
  });
  return {
    ...message,
    textStream: message.textStream.pipeThrough(noteText),
    audioStream: message.audioStream.pipeThrough(noteSound),
  };
}

interface OpenMessage {
  readonly generation: llm.MessageGeneration;
  text(text: TextPiece): void;
  audio(frame: AudioFrame): void;
  end(): void;
}

function openMessage(
  messageId: string,
  modalities: llm.MessageGeneration['modalities'] | ('text' | 'audio')[],
): OpenMessage {
  const text = stream.createStreamChannel<TextPiece>();
  const audio = stream.createStreamChannel<AudioFrame>();
  const quietly = (promise: Promise<void>): void => void promise.catch(() => undefined);
  return {
    generation: {
      messageId,
      textStream: text.stream(),
      audioStream: audio.stream(),
      modalities: Promise.resolve(modalities ?? ['audio', 'text']),
    },
    text: (piece) => quietly(text.write(piece)),
    audio: (frame) => quietly(audio.write(frame)),
    end() {
      quietly(text.close());
      quietly(audio.close());
    },
  };
}

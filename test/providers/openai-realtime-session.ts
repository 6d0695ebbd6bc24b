import { createRealtimeConversation, type RealtimeItem, type Refusal } from './openai-realtime-conversation.ts';
import { createRealtimeResponses } from './openai-realtime-response.ts';
import type { ClientMessage, RealtimeAnswer, RealtimeAsk } from './openai-realtime-server.ts';

export interface RealtimeSessionOptions {
  readonly model: string;
  readonly transcripts: 'told' | 'late' | 'failed' | 'never';
  send(event: object): void;
  answer(ask: Omit<RealtimeAsk, 'session'>): RealtimeAnswer;
  hears(): string;
  onError(code: string, message: string): void;
  /** Breaks the connection. */
  cut(): void;
}

/** One session of the protocol, driven by its client's messages. */
export interface RealtimeTalk {
  begin(): void;
  receive(message: ClientMessage): void;
  /** Refuses the session, such as for its age or a missing account. */
  refuse(code: string, message: string): void;
  /** Breaks the connection. */
  cut(): void;
  close(): void;
  /** `role:text`, `call:name` and `out:output` of its conversation. */
  readonly items: readonly string[];
  readonly instructions: string;
  readonly tools: readonly string[];
}

interface SessionSettings {
  instructions?: string;
  tools?: readonly { readonly name: string }[];
  tool_choice?: string;
  output_modalities?: readonly ('audio' | 'text')[];
  audio?: { input?: { turn_detection?: TurnDetection | null; transcription?: object | null } };
}

interface TurnDetection {
  readonly type: string;
  readonly create_response?: boolean;
  readonly interrupt_response?: boolean;
}

const sampleRate = 24_000;

let made = 0;
const newId = (kind: string): string => `${kind}_${String((made += 1)).padStart(8, '0')}`;

export function openRealtimeSession(options: RealtimeSessionOptions): RealtimeTalk {
  const { send } = options;
  const conversation = createRealtimeConversation();
  const settings: SessionSettings = {};
  let isOpen = true;
  let bufferedMs = 0;
  let speaking: { readonly id: string; quietMs: number } | null = null;
  let elapsedMs = 0;

  const tell = (type: string, fields: object = {}): void => {
    if (isOpen) send({ type, event_id: newId('event'), ...fields });
  };
  const fail = ([code, message, param]: Refusal, eventId?: unknown): void => {
    options.onError(code, message);
    const error = { type: 'invalid_request_error', code, message, param: param ?? null, event_id: eventId ?? null };
    tell('error', { error });
  };
  const session = (): object => ({
    ...settings,
    id: 'sess_1',
    object: 'realtime.session',
    type: 'realtime',
    model: options.model,
  });
  const added = (item: RealtimeItem, previous: string | null): void =>
    tell('conversation.item.added', { previous_item_id: previous, item });

  const responses = createRealtimeResponses({
    conversation,
    settings: () => ({
      instructions: settings.instructions ?? '',
      tools: (settings.tools ?? []).map(({ name }) => name).toSorted(),
      toolChoice: settings.tool_choice ?? 'auto',
      isAudio: (settings.output_modalities ?? ['audio']).includes('audio'),
    }),
    tell,
    answer: (ask) => options.answer(ask),
    newId,
    cut: () => options.cut(),
  });

  /** Turns the audio buffer into a message of the caller. */
  const commit = (id: string): void => {
    bufferedMs = 0;
    const { turn_detection: detection, transcription } = settings.audio?.input ?? {};
    const words = options.hears();
    const item: RealtimeItem = {
      id,
      object: 'realtime.item',
      type: 'message',
      status: 'completed',
      role: 'user',
      content: [{ type: 'input_audio', transcript: null }],
    };
    const previous = conversation.insert(item);
    conversation.sounds(id, words, 0);
    tell('input_audio_buffer.committed', { previous_item_id: previous, item_id: id });
    added(item, previous);
    tell('conversation.item.done', { previous_item_id: previous, item });
    if (detection != null && detection.create_response !== false) void responses.respond(null);
    const how = transcription == null ? 'never' : options.transcripts;
    const where = { item_id: id, content_index: 0 };
    if (how === 'failed')
      tell('conversation.item.input_audio_transcription.failed', {
        ...where,
        error: { type: 'transcription_error', message: 'Not understood.' },
      });
    if (how === 'told' || how === 'late')
      setTimeout(
        () => {
          for (const delta of words.match(/\S+\s*/g) ?? [])
            tell('conversation.item.input_audio_transcription.delta', { ...where, delta });
          tell('conversation.item.input_audio_transcription.completed', {
            ...where,
            transcript: words,
            usage: { type: 'duration', seconds: 1 },
          });
        },
        how === 'late' ? 150 : 5,
      );
  };

  const hear = (pcm: Buffer): void => {
    const ms = pcm.length / 2 / (sampleRate / 1_000);
    bufferedMs += ms;
    elapsedMs += ms;
    const detection = settings.audio?.input?.turn_detection ?? null;
    if (detection === null) return;
    if (isLoud(pcm)) {
      if (speaking === null) {
        speaking = { id: newId('item'), quietMs: 0 };
        tell('input_audio_buffer.speech_started', { audio_start_ms: elapsedMs, item_id: speaking.id });
        if (detection.interrupt_response !== false) responses.cancel('turn_detected');
      }
      speaking.quietMs = 0;
    } else if (speaking !== null && (speaking.quietMs += ms) >= 200) {
      const { id } = speaking;
      speaking = null;
      tell('input_audio_buffer.speech_stopped', { audio_end_ms: elapsedMs, item_id: id });
      commit(id);
    }
  };

  const receive = (message: ClientMessage): void => {
    const eventId = message['event_id'];
    switch (message.type) {
      case 'session.update': {
        const { audio, ...rest } = message['session'] as SessionSettings & { type?: string };
        if (rest.type !== 'realtime')
          return fail(['missing_required_parameter', "Missing required parameter: 'session.type'."], eventId);
        Object.assign(settings, rest);
        if (audio !== undefined) settings.audio = { ...settings.audio, ...audio };
        return tell('session.updated', { session: session() });
      }
      case 'input_audio_buffer.append':
        return hear(Buffer.from(String(message['audio']), 'base64'));
      case 'input_audio_buffer.commit':
        if (bufferedMs < 100)
          return fail(
            ['input_audio_buffer_commit_empty', 'Error committing input audio buffer: the buffer is too small.'],
            eventId,
          );
        return commit(newId('item'));
      case 'input_audio_buffer.clear':
        bufferedMs = 0;
        speaking = null;
        return tell('input_audio_buffer.cleared');
      case 'conversation.item.create': {
        const item = { status: 'completed', object: 'realtime.item', ...(message['item'] as object) } as RealtimeItem; // Defined by the protocol.
        const created = conversation.create(item, message['previous_item_id'] as string | undefined);
        if (!('after' in created)) return fail(created, eventId);
        added(item, created.after);
        return tell('conversation.item.done', { previous_item_id: created.after, item });
      }
      case 'conversation.item.delete': {
        const item_id = String(message['item_id']);
        const refusal = conversation.delete(item_id);
        return refusal === null ? tell('conversation.item.deleted', { item_id }) : fail(refusal, eventId);
      }
      case 'conversation.item.truncate': {
        const item_id = String(message['item_id']);
        const refusal = conversation.truncate(item_id, Number(message['audio_end_ms']));
        const { content_index, audio_end_ms } = message;
        return refusal === null
          ? tell('conversation.item.truncated', { item_id, content_index, audio_end_ms })
          : fail(refusal, eventId);
      }
      case 'response.create':
        if (responses.active !== null)
          return fail(
            [
              'conversation_already_has_active_response',
              `Conversation already has an active response in progress: ${responses.active}.`,
            ],
            eventId,
          );
        return void responses.respond((message['response'] as object | undefined) ?? {});
      case 'response.cancel':
        return responses.active === null
          ? fail(['response_cancel_not_active', 'Cancellation failed: no active response found'], eventId)
          : responses.cancel('client_cancelled');
      default:
        return fail(['invalid_value', `Invalid value: '${message.type}'.`], eventId);
    }
  };

  return {
    begin: () => tell('session.created', { session: session() }),
    receive,
    refuse: (code, message) => fail([code, message]),
    cut: () => options.cut(),
    close() {
      isOpen = false;
      responses.close();
    },
    get items() {
      return conversation.written();
    },
    get instructions() {
      return settings.instructions ?? '';
    },
    get tools() {
      return (settings.tools ?? []).map(({ name }) => name).toSorted();
    },
  };
}

function isLoud(pcm: Buffer): boolean {
  let sum = 0;
  for (let at = 0; at + 1 < pcm.length; at += 2) sum += Math.abs(pcm.readInt16LE(at));
  return sum / (pcm.length / 2) > 200;
}

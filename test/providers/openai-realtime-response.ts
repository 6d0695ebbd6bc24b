import { tone } from './local-server.ts';
import type { RealtimeConversation, RealtimeItem } from './openai-realtime-conversation.ts';
import type { RealtimeAnswer, RealtimeAsk } from './openai-realtime-server.ts';

export interface RealtimeResponsesOptions {
  readonly conversation: RealtimeConversation;
  /** Returns the settings of the session when a response begins. */
  settings(): {
    readonly instructions: string;
    readonly tools: readonly string[];
    readonly toolChoice: string;
    readonly isAudio: boolean;
  };
  tell(type: string, fields?: object): void;
  answer(ask: Omit<RealtimeAsk, 'session'>): RealtimeAnswer;
  newId(kind: string): string;
  /** Breaks the connection. */
  cut(): void;
}

/** The responses of a session, one at a time, as a model streams them. */
export interface RealtimeResponses {
  /** The id of the response under way. */
  readonly active: string | null;
  /** Begins a response: requested by the client, or null if the model answers the caller by itself. */
  respond(given: { instructions?: string; tool_choice?: string; metadata?: object } | null): Promise<void>;
  cancel(reason: 'client_cancelled' | 'turn_detected'): void;
  close(): void;
}

interface ActiveResponse {
  readonly id: string;
  readonly metadata: object | null;
  readonly output: RealtimeItem[];
  status: 'in_progress' | 'cancelled';
}

const sampleRate = 24_000;

export function createRealtimeResponses(options: RealtimeResponsesOptions): RealtimeResponses {
  const { conversation, tell, newId } = options;
  let active: ActiveResponse | null = null;
  let isClosed = false;

  const cancel = (reason: 'client_cancelled' | 'turn_detected'): void => {
    const response = active;
    if (response === null) return;
    active = null;
    response.status = 'cancelled';
    for (const [index, item] of response.output.entries())
      if (item.status === 'in_progress') {
        item.status = 'incomplete';
        tell('response.output_item.done', { response_id: response.id, output_index: index, item });
      }
    done(response, 'cancelled', { type: 'cancelled', reason });
  };
  const done = (response: ActiveResponse, status: string, details: object | null): void => {
    const usage = {
      total_tokens: 20,
      input_tokens: 12,
      output_tokens: 8,
      input_token_details: {},
      output_token_details: {},
    };
    const { id, output, metadata } = response;
    tell('response.done', {
      response: { id, object: 'realtime.response', status, status_details: details, output, metadata, usage },
    });
  };

  const respond = async (
    given: { instructions?: string; tool_choice?: string; metadata?: object } | null,
  ): Promise<void> => {
    const response: ActiveResponse = {
      id: newId('resp'),
      metadata: given?.metadata ?? null,
      output: [],
      status: 'in_progress',
    };
    active = response;
    const { instructions, tools, toolChoice } = options.settings();
    const isCurrent = (): boolean => active === response && !isClosed;
    const { id } = response;
    tell('response.created', {
      response: { id, object: 'realtime.response', status: 'in_progress', output: [], metadata: response.metadata },
    });
    // A client may cancel the answer before its first word.
    await pause();
    if (!isCurrent()) return;
    const {
      text,
      seconds,
      calls = [],
      fault,
    } = options.answer({
      instructions: given?.instructions ?? instructions,
      tools,
      toolChoice: given?.tool_choice ?? toolChoice,
      items: conversation.written(),
      isAskedFor: given !== null,
    });
    if (fault === 'stall') return;
    if (fault === 'failed') {
      active = null;
      done(response, 'failed', {
        type: 'failed',
        error: { type: 'server_error', code: 'server_error', message: 'It broke.' },
      });
      return;
    }
    if (text !== undefined)
      await say(response, isCurrent, text, seconds ?? text.split(' ').length / 10, fault === 'cut');
    for (const call of calls)
      if (isCurrent()) await makeCall(response, isCurrent, call.name, call.args ?? '{}', fault === 'cut');
    if (!isCurrent()) return;
    active = null;
    done(response, 'completed', null);
    tell('rate_limits.updated', { rate_limits: [] });
  };

  const begin = (response: ActiveResponse, item: RealtimeItem): object => {
    response.output.push(item);
    const output_index = response.output.length - 1;
    tell('response.output_item.added', { response_id: response.id, output_index, item: { ...item } });
    tell('conversation.item.added', { previous_item_id: conversation.insert(item), item: { ...item } });
    return { response_id: response.id, item_id: item.id, output_index };
  };
  const complete = (item: RealtimeItem, where: object): void => {
    item.status = 'completed';
    tell('conversation.item.done', { item });
    tell('response.output_item.done', { ...where, item });
  };

  const say = async (
    response: ActiveResponse,
    isCurrent: () => boolean,
    text: string,
    seconds: number,
    isCut: boolean,
  ): Promise<void> => {
    const isAudio = options.settings().isAudio;
    const item: RealtimeItem = {
      id: newId('item'),
      object: 'realtime.item',
      type: 'message',
      status: 'in_progress',
      role: 'assistant',
      content: [],
    };
    const where = { ...begin(response, item), content_index: 0 };
    tell('response.content_part.added', {
      ...where,
      part: isAudio ? { type: 'audio', transcript: '' } : { type: 'text', text: '' },
    });
    const pieces = text.match(/[\s\S]{1,7}/g) ?? [];
    let said = '';
    for (const [index, delta] of pieces.entries()) {
      await pause();
      if (!isCurrent()) return;
      if (isCut && index >= pieces.length / 2) return options.cut();
      said += delta;
      if (!isAudio) {
        tell('response.output_text.delta', { ...where, delta });
        item.content?.splice(0, 1, { type: 'output_text', text: said });
        continue;
      }
      tell('response.output_audio_transcript.delta', { ...where, delta });
      tell('response.output_audio.delta', {
        ...where,
        delta: tone(seconds / pieces.length, sampleRate).toString('base64'),
      });
      item.content?.splice(0, 1, { type: 'output_audio', transcript: said });
      conversation.sounds(item.id, said, Math.round((1_000 * seconds * (index + 1)) / pieces.length));
    }
    if (isAudio) {
      tell('response.output_audio.done', where);
      tell('response.output_audio_transcript.done', { ...where, transcript: text });
    } else tell('response.output_text.done', { ...where, text });
    tell('response.content_part.done', {
      ...where,
      part: isAudio ? { type: 'audio', transcript: text } : { type: 'text', text },
    });
    complete(item, where);
  };

  const makeCall = async (
    response: ActiveResponse,
    isCurrent: () => boolean,
    name: string,
    args: string,
    isCut: boolean,
  ): Promise<void> => {
    const call_id = newId('call');
    const item: RealtimeItem = {
      id: newId('item'),
      object: 'realtime.item',
      type: 'function_call',
      status: 'in_progress',
      call_id,
      name,
      arguments: '',
    };
    const where = { ...begin(response, item), call_id };
    for (const delta of args.match(/[\s\S]{1,5}/g) ?? []) {
      await pause();
      if (!isCurrent()) return;
      if (isCut) return options.cut();
      tell('response.function_call_arguments.delta', { ...where, delta });
    }
    item.arguments = args;
    tell('response.function_call_arguments.done', { ...where, name, arguments: args });
    complete(item, where);
  };

  return {
    get active() {
      return active?.id ?? null;
    },
    respond,
    cancel,
    close() {
      isClosed = true;
      active = null;
    },
  };
}

/** Waits for the length of one piece of an answer. */
function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 1));
}

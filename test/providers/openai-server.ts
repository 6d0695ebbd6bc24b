import type { ServerResponse } from 'node:http';
import { answerFault, type Fault, localServer, type LocalServer, type Recorded, tone } from './local-server.ts';

/** The body of a request to `/chat/completions`, as far as tests read it. */
export interface ChatRequest {
  readonly model: string;
  readonly stream: boolean;
  readonly stream_options?: { readonly include_usage?: boolean };
  readonly messages: readonly {
    readonly role: string;
    readonly content?: string | null;
    readonly tool_calls?: readonly { readonly id: string; readonly function: { readonly name: string } }[];
    readonly tool_call_id?: string;
  }[];
  readonly tools?: readonly {
    readonly type: string;
    readonly function: { readonly name: string; readonly description?: string; readonly parameters: object };
  }[];
}

export interface ChatAnswer {
  readonly text?: string;
  readonly calls?: readonly { readonly name: string; readonly arguments?: string }[];
  /** Break the connection in the middle of the last part of the answer. */
  readonly cut?: boolean;
  /** Raw data of an event, sent instead of the answer. */
  readonly raw?: string;
  /** The finish reason of the answer; the usual reason by default. */
  readonly finish?: 'length' | 'content_filter';
}

export interface OpenaiScript {
  readonly chat?: (request: ChatRequest, count: number) => ChatAnswer | Fault;
  /** The seconds of audio for a text, or a fault. */
  readonly speech?: (text: string, count: number) => number | Fault;
  readonly transcription?: (count: number) => string | Fault;
}

export interface OpenaiServer extends LocalServer {
  /** The address of the API for `OPENAI_BASE_URL`. */
  readonly url: string;
  readonly chats: readonly ChatRequest[];
  /** The texts of speech requests. */
  readonly spoken: readonly string[];
}

const sampleRate = 24_000;

/** A scripted server of OpenAI's `/models`, `/chat/completions`, `/audio/speech` and `/audio/transcriptions`. */
export async function openaiServer(script: OpenaiScript = {}): Promise<OpenaiServer> {
  const chats: ChatRequest[] = [];
  const spoken: string[] = [];
  let transcriptions = 0;
  const routes: Record<string, (request: Recorded, response: ServerResponse) => void> = {
    '/v1/models': (_request, response) => sendJson(response, { object: 'list', data: [] }),
    '/v1/chat/completions'({ body }, response) {
      const asked = JSON.parse(body.toString()) as ChatRequest;
      chats.push(asked);
      const answer = script.chat?.(asked, chats.length) ?? { text: 'Yes.' };
      if ('fault' in answer) {
        if (!answerFault(answer, response)) streamChat(response, asked.model, { text: 'Let me see', cut: true });
      } else streamChat(response, asked.model, answer);
    },
    '/v1/audio/speech'({ body }, response) {
      const { input } = JSON.parse(body.toString()) as { input: string };
      spoken.push(input);
      const answer = script.speech?.(input, spoken.length) ?? 0.2;
      if (typeof answer === 'object' && answerFault(answer, response)) return;
      const audio = tone(typeof answer === 'number' ? answer : 0.2, sampleRate);
      response.writeHead(200, { 'content-type': 'audio/pcm', 'content-length': audio.length });
      if (typeof answer === 'number') response.end(audio);
      else response.write(audio.subarray(0, audio.length / 2), () => response.destroy());
    },
    '/v1/audio/transcriptions'(_request, response) {
      const answer = script.transcription?.((transcriptions += 1)) ?? 'yes';
      if (typeof answer === 'string') sendJson(response, { text: answer });
      else if (!answerFault(answer, response)) {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': 100 });
        response.write('{"text":"he', () => response.destroy());
      }
    },
  };
  const server = await localServer((request, response) => {
    const route = routes[request.path];
    if (route === undefined) response.writeHead(404).end('{}');
    else route(request, response);
  });
  return { ...server, url: `${server.origin}/v1`, chats, spoken };
}

function sendJson(response: ServerResponse, value: object): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

let made = 0;

function streamChat(
  response: ServerResponse,
  model: string,
  { text = '', calls = [], cut = false, raw, finish }: ChatAnswer,
): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  if (raw !== undefined) {
    response.end(`data: ${raw}\n\n`);
    return;
  }
  const id = `chatcmpl-${(made += 1)}`;
  const send = (rest: object, written?: () => void): void =>
    void response.write(
      `data: ${JSON.stringify({ id, object: 'chat.completion.chunk', created: 1, model, ...rest })}\n\n`,
      written,
    );
  const delta = (content: object, reason: string | null = null, written?: () => void): void =>
    send({ choices: [{ index: 0, delta: content, finish_reason: reason }] }, written);
  delta({ role: 'assistant', content: '' });
  // Pieces that are not words, like tokens.
  for (const piece of text.match(/[\s\S]{1,5}/g) ?? []) delta({ content: piece });
  for (const [index, { name, arguments: args = '{}' }] of calls.entries()) {
    const call = { index, id: `call_${made}_${index}`, type: 'function' };
    delta({ tool_calls: [{ ...call, function: { name, arguments: '' } }] });
    const isLast = index === calls.length - 1;
    const given = cut && isLast ? args.slice(0, args.length / 2) : args;
    for (const piece of given.match(/[\s\S]{1,4}/g) ?? [])
      delta({ tool_calls: [{ index, function: { arguments: piece } }] });
  }
  if (cut) {
    // The data has arrived before the connection breaks.
    delta({}, null, () => setTimeout(() => response.destroy(), 20));
    return;
  }
  delta({}, finish ?? (calls.length > 0 ? 'tool_calls' : 'stop'));
  send({ choices: [], usage: { prompt_tokens: 12, completion_tokens: 5, total_tokens: 17 } });
  response.end('data: [DONE]\n\n');
}

import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { type Fault, localServer, type LocalServer } from './local-server.ts';
import { openRealtimeSession, type RealtimeTalk } from './openai-realtime-session.ts';

/** What one response is made from. */
export interface RealtimeAsk {
  /** Which session, in the order in which they were opened. */
  readonly session: number;
  /** The session's instructions, or those of this response alone. */
  readonly instructions: string;
  readonly tools: readonly string[];
  readonly toolChoice: string;
  /** `role:text`, `call:name` and `out:output` of what the session has of the conversation. */
  readonly items: readonly string[];
  /** Whether a client has asked for it; otherwise it answers the caller by itself. */
  readonly isAskedFor: boolean;
}

export interface RealtimeAnswer {
  readonly text?: string;
  /** How long the text sounds; a tenth of a second a word where absent. */
  readonly seconds?: number;
  readonly calls?: readonly { readonly name: string; readonly args?: string }[];
  /** What goes wrong, after what the answer holds was begun. */
  readonly fault?: 'cut' | 'failed' | 'stall';
}

export interface RealtimeScript {
  readonly answer?: (ask: RealtimeAsk, count: number) => RealtimeAnswer;
  /** What is understood of the n-th utterance; null where its transcription fails. */
  readonly hears?: (utterance: number) => string;
  /** How the words of the caller are told: after the answer has begun, never, or as a failure. */
  readonly transcripts?: 'told' | 'late' | 'failed' | 'never';
  /** What goes wrong as the n-th socket is opened. */
  readonly openFault?: (socket: number) => Fault | undefined;
}

/** A message as it came: its type, and all that it holds. */
export interface ClientMessage {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** One socket: how it was opened, and every message that came; of audio only how much. */
export interface RealtimeSocket {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly messages: readonly ClientMessage[];
  readonly audioBytes: number;
  readonly talk: RealtimeTalk;
}

export interface OpenaiRealtimeServer extends LocalServer {
  /** Where the API is: what `OPENAI_BASE_URL` names. */
  readonly url: string;
  readonly sockets: readonly RealtimeSocket[];
  readonly asks: readonly RealtimeAsk[];
  /** `code: message` of every error that the server told, but for cancellations that came too late. */
  readonly errors: readonly string[];
  /** The socket that was opened last. */
  readonly last: RealtimeSocket;
}

/** OpenAI's `/v1/realtime` socket as it is generally available, by script. */
export async function openaiRealtimeServer(script: RealtimeScript = {}): Promise<OpenaiRealtimeServer> {
  const sockets: RealtimeSocket[] = [];
  const asks: RealtimeAsk[] = [];
  const errors: string[] = [];
  const websockets = new WebSocketServer({ noServer: true });
  const stalled: Duplex[] = [];
  let opened = 0;
  let utterances = 0;

  const upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://local');
    const { headers } = request;
    opened += 1;
    const fault = script.openFault?.(opened);
    if (fault?.fault === 'status') {
      socket.end(`HTTP/1.1 ${fault.status} Refused\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`);
      return;
    }
    if (fault?.fault === 'cut') return void socket.destroy();
    if (fault?.fault === 'stall') return void stalled.push(socket);
    websockets.handleUpgrade(request, socket, head, (ws) => {
      const messages: ClientMessage[] = [];
      const session = sockets.length;
      const talk = openRealtimeSession({
        model: searchParams.get('model') ?? '',
        transcripts: script.transcripts ?? 'told',
        send: (event) => {
          if (ws.readyState === ws.OPEN) ws.send(JSON.stringify(event));
        },
        answer: (ask) => {
          asks.push({ ...ask, session });
          return script.answer?.({ ...ask, session }, asks.length) ?? { text: 'Yes.' };
        },
        hears: () => script.hears?.((utterances += 1)) ?? 'yes',
        // A cancellation may cross the end of its response on the way; the plug-in passes over that.
        onError: (code, message) => void (code === 'response_cancel_not_active' || errors.push(`${code}: ${message}`)),
        cut: () => ws.terminate(),
      });
      const open = { path: pathname, query: searchParams, headers, messages, audioBytes: 0, talk };
      sockets.push(open);
      ws.on('error', () => undefined);
      ws.on('close', () => talk.close());
      ws.on('message', (data: Buffer) => {
        const message = JSON.parse(data.toString()) as ClientMessage;
        if (message.type === 'input_audio_buffer.append')
          open.audioBytes += Buffer.from(String(message['audio']), 'base64').length;
        else messages.push(message);
        talk.receive(message);
      });
      if (fault?.fault === 'garbage') ws.once('message', () => ws.send('no JSON at all'));
      talk.begin();
    });
  };

  const server = await localServer((_request, response) => void response.writeHead(404).end('{}'), upgrade);
  return {
    ...server,
    url: `${server.origin}/v1`,
    sockets,
    asks,
    errors,
    get last() {
      const socket = sockets.at(-1);
      if (socket === undefined) throw new Error('No socket was opened.');
      return socket;
    },
    async close() {
      for (const ws of websockets.clients) ws.terminate();
      for (const socket of stalled) socket.destroy();
      await server.close();
    },
  };
}

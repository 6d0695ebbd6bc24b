import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { type Fault, localServer, type LocalServer } from './local-server.ts';
import { openRealtimeSession, type RealtimeTalk } from './openai-realtime-session.ts';

/** The input of one response. */
export interface RealtimeAsk {
  /** The number of the session, in opening order. */
  readonly session: number;
  /** The session's instructions, or those of this response alone. */
  readonly instructions: string;
  readonly tools: readonly string[];
  readonly toolChoice: string;
  /** `role:text`, `call:name` and `out:output` of the session's conversation. */
  readonly items: readonly string[];
  /** Whether a client requested it; otherwise the model answers the caller by itself. */
  readonly isAskedFor: boolean;
}

export interface RealtimeAnswer {
  readonly text?: string;
  /** Length of the text in seconds; by default a tenth of a second per word. */
  readonly seconds?: number;
  readonly calls?: readonly { readonly name: string; readonly args?: string }[];
  /** A fault after the content of the answer has begun. */
  readonly fault?: 'cut' | 'failed' | 'stall';
}

export interface RealtimeScript {
  readonly answer?: (ask: RealtimeAsk, count: number) => RealtimeAnswer;
  /** The transcript of the n-th utterance; null if its transcription fails. */
  readonly hears?: (utterance: number) => string;
  /** When the caller's transcript arrives: after the answer has begun, never, or as a failure. */
  readonly transcripts?: 'told' | 'late' | 'failed' | 'never';
  /** The fault of the n-th socket as it is opened. */
  readonly openFault?: (socket: number) => Fault | undefined;
}

/** A received message: its type and all its members. */
export interface ClientMessage {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** One socket: its request and all its messages, with only the amount of audio. */
export interface RealtimeSocket {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly messages: readonly ClientMessage[];
  readonly audioBytes: number;
  readonly talk: RealtimeTalk;
}

export interface OpenaiRealtimeServer extends LocalServer {
  /** The address of the API for `OPENAI_BASE_URL`. */
  readonly url: string;
  readonly sockets: readonly RealtimeSocket[];
  readonly asks: readonly RealtimeAsk[];
  /** `code: message` of every error of the server, except for late cancellations. */
  readonly errors: readonly string[];
  /** The socket that was opened last. */
  readonly last: RealtimeSocket;
}

/** A scripted server of OpenAI's generally available `/v1/realtime` socket. */
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
        // A cancellation may cross the end of its response; the plug-in ignores that.
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

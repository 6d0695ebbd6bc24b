import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { type Fault, localServer, type LocalServer, tone } from './local-server.ts';

/** One socket: its request and all its messages, with audio counted in bytes. */
export interface RecordedSocket {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly authorization: string | undefined;
  readonly messages: readonly { readonly type: string; readonly text?: string }[];
  readonly audioBytes: number;
}

export interface DeepgramScript {
  /** The transcript of the n-th utterance, or the fault of the n-th listening socket. */
  readonly listen?: (utterance: number) => string;
  readonly listenFault?: (socket: number) => Fault | undefined;
  /** The seconds of audio for a text, and the fault of the n-th speaking socket. */
  readonly speak?: (text: string) => number;
  readonly speakFault?: (socket: number) => Fault | undefined;
}

export interface DeepgramServer extends LocalServer {
  readonly listening: readonly RecordedSocket[];
  readonly speaking: readonly RecordedSocket[];
}

type Open = { -readonly [Key in keyof RecordedSocket]: RecordedSocket[Key] } & {
  messages: { type: string; text?: string }[];
};

/** A scripted server of Deepgram's `/v1/listen` and `/v1/speak` sockets. */
export async function deepgramServer(script: DeepgramScript = {}): Promise<DeepgramServer> {
  const listening: Open[] = [];
  const speaking: Open[] = [];
  const sockets = new WebSocketServer({ noServer: true });
  let utterances = 0;

  const upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://local');
    const { authorization } = request.headers;
    const open: Open = { path: pathname, query: searchParams, authorization, messages: [], audioBytes: 0 };
    const isListening = pathname === '/v1/listen';
    (isListening ? listening : speaking).push(open);
    const fault = isListening ? script.listenFault?.(listening.length) : script.speakFault?.(speaking.length);
    if (fault?.fault === 'status') {
      const retry = fault.retryAfter === undefined ? '' : `Retry-After: ${fault.retryAfter}\r\n`;
      socket.end(`HTTP/1.1 ${fault.status} Refused\r\n${retry}Content-Length: 0\r\nConnection: close\r\n\r\n`);
      return;
    }
    sockets.handleUpgrade(request, socket, head, (ws) => {
      ws.on('error', () => undefined);
      if (isListening) listen(ws, open, fault);
      else speak(ws, open, fault);
    });
  };

  const listen = (ws: WebSocket, open: Open, fault: Fault | undefined): void => {
    let loud = 0;
    let quiet = 0;
    ws.on('message', (data: Buffer, isBinary) => {
      if (!isBinary) {
        const message = JSON.parse(data.toString()) as { type: string };
        open.messages.push(message);
        if (message.type === 'CloseStream') {
          ws.send(JSON.stringify({ type: 'Metadata', request_id: 'r1', duration: 1, channels: 1 }));
          ws.close();
        }
        return;
      }
      open.audioBytes += data.length;
      if (fault?.fault === 'stall') return;
      if (isLoud(data)) {
        if (loud === 0) ws.send('{"type":"SpeechStarted","channel":[0,1],"timestamp":0}');
        loud += 1;
        quiet = 0;
        if (fault?.fault === 'cut') ws.terminate();
        else if (fault?.fault === 'garbage') ws.send('no JSON at all');
      } else if (loud > 0 && (quiet += 1) === 2) {
        const text = script.listen?.((utterances += 1)) ?? 'yes';
        ws.send(results(text.split(' ').slice(0, 1).join(' '), false));
        ws.send(results(text, true));
        loud = 0;
      }
    });
  };

  const speak = (ws: WebSocket, open: Open, fault: Fault | undefined): void => {
    let text = '';
    ws.on('message', (data: Buffer) => {
      const message = JSON.parse(data.toString()) as { type: string; text?: string };
      open.messages.push(message);
      if (message.type === 'Speak') text += message.text ?? '';
      else if (message.type === 'Close') ws.close();
      else if (message.type === 'Flush' && text !== '') {
        const seconds = script.speak?.(text.trim()) ?? 0.2;
        text = '';
        // Without a guard this ends the process in 1.9.0: the plug-in parses it in a socket listener.
        if (fault?.fault === 'garbage') ws.send('no JSON at all');
        else if (fault?.fault === 'cut') ws.send(tone(0.1, 24_000), () => ws.terminate());
        else if (fault === undefined) {
          ws.send(tone(seconds, 24_000));
          ws.send('{"type":"Flushed","sequence_id":0}');
        }
      } else if (message.type === 'Flush') ws.send('{"type":"Flushed","sequence_id":0}');
    });
  };

  const server = await localServer((_request, response) => void response.writeHead(404).end('{}'), upgrade);
  return {
    ...server,
    listening,
    speaking,
    async close() {
      for (const ws of sockets.clients) ws.terminate();
      await server.close();
    },
  };
}

function isLoud(pcm: Buffer): boolean {
  let sum = 0;
  for (let at = 0; at + 1 < pcm.length; at += 2) sum += Math.abs(pcm.readInt16LE(at));
  return sum / (pcm.length / 2) > 200;
}

function results(transcript: string, isFinal: boolean): string {
  const words = transcript.split(' ').map((word, index) => ({
    word,
    punctuated_word: word,
    start: index * 0.3,
    end: index * 0.3 + 0.25,
    confidence: 0.99,
  }));
  return JSON.stringify({
    type: 'Results',
    channel_index: [0, 1],
    duration: 1,
    start: 0,
    is_final: isFinal,
    speech_final: isFinal,
    metadata: { request_id: 'r1' },
    channel: { alternatives: [{ transcript, confidence: 0.99, words }] },
  });
}

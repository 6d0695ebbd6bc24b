// `@livekit/agents-plugin-deepgram` 1.9.0: a server message that is not JSON is parsed in a socket listener, where the exception
// cannot be caught and ends the process. Upstream: not reported. Reproduced in test/livekit/guards/deepgram-tts.test.ts.
import { APIConnectionError, type APIConnectOptions, APIStatusError, AudioByteStream, tts } from '@livekit/agents';
import { WebSocket } from 'ws';

/** The plug-in's options that a socket needs. */
interface Options {
  readonly apiKey: string;
  readonly baseUrl: string;
  readonly model: string;
  readonly encoding: string;
  readonly sampleRate: number;
  readonly mipOptOut: boolean;
  readonly bitRate?: number | null;
  readonly speed?: number;
  readonly sentenceTokenizer: { stream(): SentenceStream };
}

/** How long the server may take to answer, in milliseconds. */
const openWithinMs = 10_000;

type SentenceStream = AsyncIterable<{ readonly token: string }> & {
  pushText(text: string): void;
  flush(): void;
  endInput(): void;
  close(): void;
};

/**
 * Makes Deepgram's voice emit an error event if the server sends an invalid message.
 * The socket is ours; sentences, addresses and the audio format are the plug-in's.
 */
export function guardDeepgramVoice(voice: tts.TTS): void {
  // The options are private in their type only, and may change between two lines.
  const optionsOf = (): Options => (voice as unknown as { opts: Options }).opts;
  voice.stream = (given) => new GuardedStream(voice, optionsOf(), given?.connOptions);
}

class GuardedStream extends tts.SynthesizeStream {
  override label = 'deepgram.SynthesizeStream';
  readonly #options: Options;

  constructor(voice: tts.TTS, options: Options, connOptions?: APIConnectOptions) {
    super(voice, connOptions);
    this.#options = options;
  }

  protected override async run(): Promise<void> {
    const socket = await open(this.#options);
    const { signal } = this.abortController;
    const stop = (): void => socket.terminate();
    signal.addEventListener('abort', stop);
    try {
      await Promise.all([this.#send(socket), this.#receive(socket)]);
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      signal.removeEventListener('abort', stop);
      if (socket.readyState === WebSocket.OPEN) socket.send('{"type":"Close"}');
      socket.close();
    }
  }

  /** Sends each complete sentence, and the end. */
  async #send(socket: WebSocket): Promise<void> {
    const sentences = this.#options.sentenceTokenizer.stream();
    const read = async (): Promise<void> => {
      for await (const text of this.input)
        if (typeof text === 'string') sentences.pushText(text);
        else sentences.flush();
      sentences.endInput();
      sentences.close();
    };
    const reading = read();
    for await (const { token } of sentences) {
      this.markStarted();
      if (socket.readyState === WebSocket.OPEN)
        socket.send(JSON.stringify({ type: 'Speak', text: `${token.trimEnd()} ` }));
    }
    await reading;
    if (socket.readyState === WebSocket.OPEN) socket.send('{"type":"Flush"}');
  }

  async #receive(socket: WebSocket): Promise<void> {
    const audio = new AudioByteStream(this.#options.sampleRate, 1);
    const id = `deepgram-${performance.now()}`;
    const give = (frames: ReturnType<AudioByteStream['write']>, final: boolean): void => {
      if (this.queue.closed) return;
      for (const [index, frame] of frames.entries())
        this.queue.put({ requestId: id, segmentId: id, frame, final: final && index === frames.length - 1 });
    };
    await new Promise<void>((resolve, reject) => {
      socket.on('message', (data: Buffer, isBinary) => {
        if (isBinary) return give(audio.write(new Uint8Array(data).buffer), false);
        const type = typeOf(data.toString());
        if (type === 'Flushed') {
          give(audio.flush(), true);
          resolve();
        } else if (type === null || type === 'error' || type === 'Error')
          reject(broken('The server sent an error or an invalid message.'));
      });
      socket.once('close', () => reject(broken('The connection broke.')));
    });
    if (!this.queue.closed) this.queue.put(tts.SynthesizeStream.END_OF_STREAM);
  }
}

async function open(options: Options): Promise<WebSocket> {
  const { apiKey, baseUrl, model, encoding, sampleRate, mipOptOut, bitRate, speed } = options;
  const url = new URL(`${baseUrl.replace(/^http/, 'ws')}/v1/speak`);
  const query = { sample_rate: sampleRate, model, encoding, mip_opt_out: mipOptOut, bit_rate: bitRate, speed };
  for (const [name, value] of Object.entries(query)) if (value != null) url.searchParams.append(name, String(value));
  const socket = new WebSocket(url, { headers: { Authorization: `Token ${apiKey}` }, handshakeTimeout: openWithinMs });
  await new Promise<void>((resolve, reject) => {
    socket.once('open', () => resolve());
    // Also later, when the socket's `close` reports the break.
    socket.on('error', () => reject(broken('The server cannot be reached.')));
    socket.once('unexpected-response', (request, { statusCode }) => {
      request.destroy();
      reject(
        new APIStatusError({ message: 'It was refused.', options: { statusCode: statusCode ?? -1, retryable: false } }),
      );
    });
  });
  return socket;
}

/** Not retryable: LiveKit would retry without the text, which it has already consumed. `spokenAudio` retries with the text. */
function broken(message: string): APIConnectionError {
  return new APIConnectionError({ message, options: { retryable: false } });
}

function typeOf(message: string): unknown {
  try {
    const value: unknown = JSON.parse(message);
    return typeof value === 'object' && value !== null && 'type' in value ? value.type : null;
  } catch {
    return null;
  }
}

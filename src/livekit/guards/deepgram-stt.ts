// `@livekit/agents-plugin-deepgram` 1.9.0: a stream does not notice that its socket closes during a call. It
// opens no new one and reports no error, so that nothing the caller says is recognised afterwards. Upstream:
// https://github.com/livekit/agents-js/issues/2469. Reproduced in test/livekit/guards/deepgram-stt.test.ts.
import { APIConnectionError, type APIConnectOptions, stt } from '@livekit/agents';
import type { AudioFrame } from '@livekit/rtc-node';
import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { emitError, sttError } from './emit-error.ts';

/** Maximum consecutive breaks of a stream without a recognised word. */
const maxBreaks = 4;
const renewAfterMs = 200;

/** How much recent audio is sent again to a new stream, in seconds. */
const rememberedSeconds = 15;

/** Makes Deepgram's streams open a new socket after a break, and resend the most recent audio. */
export function guardDeepgramEars(ears: stt.STT): void {
  watchSockets();
  const open = ears.stream.bind(ears);
  ears.stream = (options) => new RenewedStream(ears, () => open(options), options?.connOptions);
}

/** Called when a socket that was opened in its scope closes. */
const opener = new AsyncLocalStorage<() => void>();
let isWatching = false;

function watchSockets(): void {
  if (isWatching) return;
  isWatching = true;
  // The plug-in keeps its socket private; Node's diagnostics channel is the only public place to see it.
  subscribe('http.client.request.start', (message) => {
    const onClosed = opener.getStore();
    const { request } = message as { request: ClientRequest }; // By Node's documentation of the channel.
    if (onClosed !== undefined) request.once('upgrade', (_response, socket) => socket.once('close', onClosed));
  });
}

class RenewedStream extends stt.SpeechStream {
  override label = 'roomflow.RenewedStream';
  readonly #ears: stt.STT;
  readonly #open: () => stt.SpeechStream;
  #recent: AudioFrame[] = [];
  #inner: stt.SpeechStream | null = null;
  #isCut = false;
  #breaks = 0;

  constructor(ears: stt.STT, open: () => stt.SpeechStream, connOptions?: APIConnectOptions) {
    super(ears, undefined, connOptions);
    this.#ears = ears;
    this.#open = open;
  }

  override close(): void {
    super.close();
    this.#inner?.close();
    this.#inner = null;
  }

  protected override async run(): Promise<void> {
    let inner = this.#renew();
    void this.#listen();
    for (;;) {
      for await (const event of inner) {
        if (event.type === stt.SpeechEventType.RECOGNITION_USAGE) continue; // The inner stream has emitted it.
        if (event.type === stt.SpeechEventType.FINAL_TRANSCRIPT) {
          this.#recent = [];
          this.#breaks = 0;
        }
        if (!this.queue.closed) this.queue.put(event);
      }
      if (!this.#isCut || this.closed) return void (this.#inner = null);
      this.#breaks += 1;
      const error = new APIConnectionError({ message: 'The connection broke.', options: { retryable: false } });
      if (this.#breaks > maxBreaks) throw error;
      emitError(this.#ears, sttError(this.#ears, error));
      await pause(renewAfterMs * (this.#breaks - 1), undefined, { ref: false });
      if (this.closed) return;
      inner = this.#renew();
    }
  }

  async #listen(): Promise<void> {
    for await (const frame of this.input) {
      if (typeof frame === 'symbol') {
        if (!this.#isCut) this.#inner?.flush();
        continue;
      }
      this.#recent.push(frame);
      const remembered = (rememberedSeconds * frame.sampleRate) / frame.samplesPerChannel;
      if (this.#recent.length > remembered * 2) this.#recent = this.#recent.slice(-remembered);
      if (!this.#isCut) this.#inner?.pushFrame(frame);
    }
    if (!this.#isCut) this.#inner?.endInput();
  }

  #renew(): stt.SpeechStream {
    this.#isCut = false;
    let inner: stt.SpeechStream | null = null;
    const onClosed = (): void => {
      if (inner === null || this.#inner !== inner || this.input.closed || this.closed) return;
      this.#isCut = true;
      inner.close();
    };
    inner = opener.run(onClosed, this.#open);
    inner.startTimeOffset = this.startTimeOffset;
    this.#inner = inner;
    for (const frame of this.#recent) inner.pushFrame(frame);
    return inner;
  }
}

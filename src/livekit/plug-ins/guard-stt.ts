import { APIConnectionError, type APIConnectOptions, stt } from '@livekit/agents';
import type { AudioFrame } from '@livekit/rtc-node';
import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

/** How long one utterance may take to be recognised over a network, in milliseconds. */
export const recogniseWithinMs = 4_000;

/** How often in a row a stream may break without a word between. */
const maxBreaks = 4;
const renewAfterMs = 200;

/** How much of what was said last is said again to a new stream, in seconds. */
const rememberedSeconds = 15;

const lostUtterances = new WeakSet<object>();

/** Whether an error that an STT told is of an utterance that nobody has understood. */
export function isUtteranceLost(error: object): boolean {
  return lostUtterances.has(error);
}

/**
 * Lets a recogniser that takes an utterance a request tell what it could not do; LiveKit's adapter logs it, and no more.
 * One that has a limit of its own is waited for, with `withinMs` null.
 */
export function guardRecognition(ears: stt.STT, withinMs: number | null): void {
  const recognise = ears.recognize.bind(ears);
  const within = async (audio: Parameters<stt.STT['recognize']>[0], signal?: AbortSignal): Promise<stt.SpeechEvent> => {
    if (withinMs === null) return await recognise(audio, signal);
    const limit = new AbortController();
    const late = pause(withinMs, undefined, { signal: limit.signal, ref: false }).then(() => {
      throw new APIConnectionError({ message: 'The recogniser took too long.', options: { retryable: false } });
    });
    late.catch(() => undefined);
    try {
      return await Promise.race([recognise(audio, signal), late]);
    } finally {
      limit.abort();
    }
  };
  ears.recognize = async (audio, signal) => {
    try {
      return await within(audio, signal).catch((error: unknown) => {
        if (signal?.aborted === true || !isWorthAnother(error)) throw error;
        return within(audio, signal);
      });
    } catch (error) {
      if (signal?.aborted !== true) tell(ears, error, true);
      throw error;
    }
  };
}

/** Lets a recogniser whose streams end in silence when their connection breaks go on on a new one. */
export function guardStreams(ears: stt.STT): void {
  watchSockets();
  const open = ears.stream.bind(ears);
  ears.stream = (options) => new RenewedStream(ears, () => open(options), options?.connOptions);
}

/** Told when the connection of what was opened under it has closed. */
const opener = new AsyncLocalStorage<() => void>();
let isWatching = false;

function watchSockets(): void {
  if (isWatching) return;
  isWatching = true;
  // Node tells of each request that it sends: the one public place where a plug-in's socket is seen.
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
        if (event.type === stt.SpeechEventType.RECOGNITION_USAGE) continue; // The inner stream has told it.
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
      tell(this.#ears, error, false);
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

function tell(ears: stt.STT, cause: unknown, isLost: boolean): void {
  const error = cause instanceof Error ? cause : new Error('It failed.');
  const event = { type: 'stt_error' as const, timestamp: Date.now(), label: ears.label, error, recoverable: true };
  if (isLost) lostUtterances.add(event);
  try {
    ears.emit('error', event);
  } catch {
    // The session has heard of it by now; LiveKit's adapter passes it on to nobody, which throws.
  }
}

function isWorthAnother(error: unknown): boolean {
  if (error instanceof APIConnectionError) return error.retryable;
  const status = error instanceof Error && 'status' in error ? error.status : undefined;
  return typeof status !== 'number' || status === 429 || status >= 500;
}

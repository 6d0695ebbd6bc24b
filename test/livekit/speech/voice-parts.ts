import { asLanguageCode, stt, tts, VAD, type VADEvent, VADEventType, VADStream, voice } from '@livekit/agents';
import { AudioFrame } from '@livekit/rtc-node';

const sampleRate = 16_000;

/** How long a loudspeaker takes to report its position after an interruption, in milliseconds. */
const reportMs = 40;

/** The length of a word in seconds. It is only the content of the frames; playing takes no such time here. */
const wordSeconds = 0.4;

/** A recogniser that understands whatever the test says. */
export class ScriptedStt extends stt.STT {
  override label = 'scripted.STT';
  #stream: ScriptedSttStream | null = null;

  constructor() {
    super({ streaming: true, interimResults: true });
  }

  override stream(): stt.SpeechStream {
    return (this.#stream = new ScriptedSttStream(this));
  }

  understand(text: string, isFinal: boolean, language = 'en'): void {
    const type = isFinal ? stt.SpeechEventType.FINAL_TRANSCRIPT : stt.SpeechEventType.INTERIM_TRANSCRIPT;
    const alternatives: stt.SpeechEvent['alternatives'] = [
      { text, language: asLanguageCode(language), startTime: 0, endTime: 0, confidence: 1 },
    ];
    this.#stream?.give({ type, alternatives });
  }

  protected override _recognize(): Promise<stt.SpeechEvent> {
    return Promise.reject(new Error('Only streams are recognised here.'));
  }
}

class ScriptedSttStream extends stt.SpeechStream {
  override label = 'scripted.SpeechStream';

  give(event: stt.SpeechEvent): void {
    if (!this.queue.closed) this.queue.put(event);
  }

  protected override run(): Promise<void> {
    return new Promise((resolve) => this.abortSignal.addEventListener('abort', () => resolve(), { once: true }));
  }
}

/** Detects a voice when the test says so, without any audio. */
export class ScriptedVad extends VAD {
  override label = 'scripted.VAD';
  #stream: ScriptedVadStream | null = null;

  constructor() {
    super({ updateInterval: 32 });
  }

  override stream(): VADStream {
    return (this.#stream = new ScriptedVadStream(this));
  }

  /** A voice that is long enough not to be noise. */
  hearVoice(): void {
    this.#stream?.give({ type: VADEventType.START_OF_SPEECH, speaking: true });
    this.#stream?.give({
      type: VADEventType.INFERENCE_DONE,
      speaking: true,
      speechDuration: 1_000,
      rawAccumulatedSpeech: 1_000,
    });
  }

  /** A voice that is too short to interrupt. */
  hearMurmur(): void {
    this.#stream?.give({ type: VADEventType.START_OF_SPEECH, speaking: true });
  }

  hearSilence(): void {
    this.#stream?.give({ type: VADEventType.END_OF_SPEECH, speaking: false });
  }
}

/** Emits the given events. */
export class ScriptedVadStream extends VADStream {
  give(event: Partial<VADEvent> & Pick<VADEvent, 'type'>): void {
    this.sendVADEvent({
      samplesIndex: 0,
      timestamp: Date.now(),
      speechDuration: 0,
      silenceDuration: 0,
      frames: [],
      probability: 1,
      inferenceDuration: 0,
      speaking: false,
      rawAccumulatedSilence: 0,
      rawAccumulatedSpeech: 0,
      ...event,
    });
  }
}

/** A voice of silent frames, one per word. Each frame carries its word. */
export class WordTts extends tts.TTS {
  override label = 'words.TTS';

  constructor() {
    super(sampleRate, 1, { streaming: true });
  }

  override stream(): tts.SynthesizeStream {
    return new WordStream(this);
  }

  override synthesize(): tts.ChunkedStream {
    throw new Error('Only streams are synthesised here.');
  }
}

class WordStream extends tts.SynthesizeStream {
  override label = 'words.SynthesizeStream';

  protected override async run(): Promise<void> {
    let text = '';
    for await (const chunk of this.input) {
      if (typeof chunk !== 'string') continue;
      text += chunk;
      // The last word may be incomplete.
      const words = text.match(/\S+\s+/g) ?? [];
      text = text.trimStart().slice(words.join('').length);
      for (const word of words) this.#speak(word);
    }
    if (text.trim() !== '') this.#speak(text.trim());
    if (!this.queue.closed) this.queue.put(tts.SynthesizeStream.END_OF_STREAM);
  }

  #speak(word: string): void {
    if (this.queue.closed) return;
    this.queue.put({ requestId: 'words', segmentId: 'words', frame: frameOf(word), final: false });
  }
}

/** Returns the frame of a word, which carries the word. */
export function frameOf(word: string): AudioFrame {
  return AudioFrame.create(sampleRate, 1, sampleRate * wordSeconds, { word });
}

interface Segment {
  readonly words: string[];
  heard: number;
  isWhole: boolean;
}

/**
 * A loudspeaker that plays words when the test allows it, or all at once, and reports the played part like LiveKit's
 * transcript synchroniser.
 */
export class Loudspeaker extends voice.AudioOutput {
  /** Every word that was played. */
  readonly words: string[] = [];
  /** Called for each frame as it arrives, before it is played. */
  onFrame: (word: string) => void = () => undefined;
  #segments: Segment[] = [];
  #allowed = Infinity;
  #isPaused = false;

  constructor(canPause: boolean) {
    super(sampleRate, undefined, { pause: canPause });
  }

  /** From now on plays only words that `hear` allows. */
  hold(): void {
    this.#allowed = 0;
  }

  /** Plays this many further words. */
  hear(count: number): void {
    this.#allowed += count;
    this.#play();
  }

  /** Plays everything from now on. */
  run(): void {
    this.#allowed = Infinity;
    this.#play();
  }

  /** Whether there is anything to play. */
  get isLoaded(): boolean {
    return this.#segments.length > 0;
  }

  get isPaused(): boolean {
    return this.#isPaused;
  }

  override async captureFrame(frame: AudioFrame): Promise<void> {
    await super.captureFrame(frame);
    const word = String(frame.userdata['word']);
    this.onFrame(word);
    let segment = this.#segments.at(-1);
    if (segment === undefined || segment.isWhole)
      this.#segments.push((segment = { words: [], heard: 0, isWhole: false }));
    segment.words.push(word);
    this.#play();
  }

  override flush(): void {
    super.flush();
    const segment = this.#segments.at(-1);
    if (segment !== undefined) segment.isWhole = true;
    this.#play();
  }

  override clearBuffer(): void {
    const segments = this.#segments;
    this.#segments = [];
    for (const segment of segments) setTimeout(() => this.#finish(segment, true), reportMs);
  }

  override pause(): void {
    this.#isPaused = true;
  }

  override resume(): void {
    this.#isPaused = false;
    this.#play();
  }

  #play(): void {
    for (;;) {
      const segment = this.#segments[0];
      if (segment === undefined) return;
      const word = segment.words[segment.heard];
      if (word === undefined) {
        if (!segment.isWhole) return;
        this.#segments.shift();
        this.#finish(segment, false);
        continue;
      }
      if (this.#isPaused || this.#allowed <= 0) return;
      this.#allowed -= 1;
      segment.heard += 1;
      this.words.push(word.trim());
      if (segment.heard === 1) this.onPlaybackStarted(Date.now());
      const duration = wordSeconds * 1_000;
      this.onPlaybackProgressed({ startedAt: Date.now(), offset: (segment.heard - 1) * duration, duration });
    }
  }

  #finish({ words, heard }: Segment, interrupted: boolean): void {
    const synchronizedTranscript = words.slice(0, heard).join('').trimEnd();
    this.onPlaybackFinished({ playbackPosition: heard * wordSeconds, interrupted, synchronizedTranscript });
  }
}

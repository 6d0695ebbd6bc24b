import { effect, signal } from '@preact/signals';
import { openedSession } from '../model/session.ts';
import { isEcho } from './echo.ts';
import { type Ears, insecure, type Voice, VoiceFault, type VoiceOptions, whyNoMicrophone } from './voice.ts';

/** The speech recognition of the browser. Some browsers prefix its name, and some send the audio to their vendor. */
interface Recogniser {
  continuous: boolean;
  interimResults: boolean;
  start(): void;
  abort(): void;
  addEventListener(type: 'result', listener: (event: RecognisedEvent) => void): void;
  addEventListener(type: 'audiostart' | 'end', listener: () => void): void;
  addEventListener(type: 'error', listener: (event: { readonly error: string }) => void): void;
}

interface RecognisedEvent {
  readonly resultIndex: number;
  readonly results: ArrayLike<ArrayLike<{ readonly transcript: string }> & { readonly isFinal: boolean }>;
}

/** Milliseconds that the recognition may take to start; in some browsers it never does. */
const hearsWithinMs = 5_000;

/** Starts the speech recognition of the browser. Throws a `VoiceFault` if there is none that works. */
export async function openBrowserEars(say: (text: string) => void): Promise<Ears> {
  const Recogniser = recogniserOf();
  if (Recogniser === undefined) throw new VoiceFault('This browser has no speech recognition.');
  // Asks for the microphone first: its errors are clearer, and the wait for the user's answer has no time limit.
  await askForMicrophone();
  const recogniser = new Recogniser();
  recogniser.continuous = true;
  recogniser.interimResults = true;
  let end: (why: string) => void = () => undefined;
  await new Promise<void>((resolve, reject) => {
    const fail = (why: string): void => {
      recogniser.abort();
      reject(new VoiceFault(why));
    };
    const timer = setTimeout(() => fail('This browser’s own speech recognition does not answer.'), hearsWithinMs);
    recogniser.addEventListener('audiostart', () => {
      clearTimeout(timer);
      resolve();
    });
    recogniser.addEventListener('error', ({ error }) => {
      if (error === 'no-speech' || error === 'aborted') return;
      clearTimeout(timer);
      fail(whyDeaf(error));
      end(whyDeaf(error));
    });
    recogniser.start();
  });
  return {
    enter(_door, options) {
      const voice = hear(recogniser, say, options);
      end = (why) => {
        void voice.leave();
        options.onLost(why);
      };
      return Promise.resolve(voice);
    },
    close: () => recogniser.abort(),
  };
}

function hear(recogniser: Recogniser, say: (text: string) => void, options: VoiceOptions): Voice {
  const isMuted = signal(false);
  let isOver = false;
  recogniser.addEventListener('result', ({ results, resultIndex }) => {
    if (isOver || isMuted.value) return;
    let interim = '';
    for (const result of Array.from(results).slice(resultIndex)) {
      const text = result[0]?.transcript.trim() ?? '';
      // The microphone also picks up the agent's speech.
      if (text === '' || isEcho(text, speaking)) continue;
      if (result.isFinal) say(text);
      else interim += `${text} `;
    }
    // The caller may interrupt the agent.
    if (interim !== '') speechSynthesis.cancel();
    options.onHearing(interim.trim());
  });
  recogniser.addEventListener('end', () => {
    if (!isOver && !isMuted.value) recogniser.start();
  });
  /** The agent's current speech. */
  let speaking = '';
  const spoken = new Set((openedSession.peek()?.lines ?? []).map(({ id }) => id));
  const stopSpeaking = effect(() => {
    for (const { id, who, text, state } of openedSession.value?.lines ?? []) {
      if (who !== 'agent' || state === 'open' || text === '' || spoken.has(id)) continue;
      spoken.add(id);
      const words = new SpeechSynthesisUtterance(text);
      words.addEventListener('start', () => (speaking = text));
      for (const over of ['end', 'error'] as const) words.addEventListener(over, () => (speaking = ''));
      speechSynthesis.speak(words);
    }
  });
  const leave = (): Promise<void> => {
    isOver = true;
    stopSpeaking();
    speechSynthesis.cancel();
    recogniser.abort();
    return Promise.resolve();
  };
  return {
    ...{ by: 'browser', isMuted, level: signal(0), agentState: signal(''), leave },
    mute(muted) {
      isMuted.value = muted;
      if (muted) recogniser.abort();
      else recogniser.start();
      return Promise.resolve();
    },
    hearOut() {
      isOver = true;
      stopSpeaking();
      recogniser.abort();
      return Promise.resolve();
    },
  };
}

async function askForMicrophone(): Promise<void> {
  if (!isSecureContext) throw new VoiceFault(insecure);
  try {
    const stream = await navigator.mediaDevices.getUserMedia({ audio: true });
    for (const track of stream.getTracks()) track.stop();
  } catch (error) {
    throw new VoiceFault(whyNoMicrophone(error instanceof Error ? error.name : ''), { cause: error });
  }
}

/** Describes an error of the recognition by its name. */
function whyDeaf(name: string): string {
  if (name === 'not-allowed') return whyNoMicrophone('NotAllowedError');
  if (name === 'audio-capture') return whyNoMicrophone('NotFoundError');
  return `This browser’s own speech recognition does not work here (${name}).`;
}

function recogniserOf(): (new () => Recogniser) | undefined {
  const known = globalThis as {
    SpeechRecognition?: new () => Recogniser;
    webkitSpeechRecognition?: new () => Recogniser;
  };
  return known.SpeechRecognition ?? known.webkitSpeechRecognition;
}

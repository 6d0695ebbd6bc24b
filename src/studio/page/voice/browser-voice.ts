import { effect, signal } from '@preact/signals';
import { openedSession } from '../model/session.ts';
import type { Voice, VoiceOptions } from './voice.ts';

/** The browser's own recogniser: some browsers have it under a name of their own, and some send the sound to their maker. */
interface Recogniser {
  continuous: boolean;
  interimResults: boolean;
  start(): void;
  stop(): void;
  addEventListener(type: 'result', listener: (event: RecognisedEvent) => void): void;
  addEventListener(type: 'end', listener: () => void): void;
  addEventListener(type: 'error', listener: (event: { readonly error: string }) => void): void;
}

interface RecognisedEvent {
  readonly resultIndex: number;
  readonly results: ArrayLike<ArrayLike<{ readonly transcript: string }> & { readonly isFinal: boolean }>;
}

/** Hears by the browser's own recogniser, and speaks what the agent says by its own voice. Throws where it has none. */
export function useBrowserVoice(options: VoiceOptions, say: (text: string) => void): Voice {
  const Recogniser = recogniserOf();
  if (Recogniser === undefined)
    throw new Error('This browser has no speech of its own: type, or see the note on how to get voice.');
  const recogniser = new Recogniser();
  recogniser.continuous = true;
  recogniser.interimResults = true;
  const isMuted = signal(false);
  let isOver = false;
  recogniser.addEventListener('result', ({ results, resultIndex }) => {
    let interim = '';
    for (const result of Array.from(results).slice(resultIndex)) {
      const text = result[0]?.transcript ?? '';
      if (result.isFinal) say(text.trim());
      else interim += text;
    }
    // Whoever speaks over the agent is listened to.
    if (interim !== '') speechSynthesis.cancel();
    options.onHearing(interim);
  });
  recogniser.addEventListener('error', ({ error }) => {
    if (error === 'no-speech' || error === 'aborted') return;
    options.onFault(
      error === 'not-allowed'
        ? 'The browser does not let this page use the microphone.'
        : `The browser’s own speech recognition does not work here (${error}).`,
    );
    end();
  });
  recogniser.addEventListener('end', () => {
    if (!isOver && !isMuted.value) recogniser.start();
  });
  const spoken = new Set((openedSession.peek()?.lines ?? []).map(({ id }) => id));
  const stopSpeaking = effect(() => {
    for (const { id, who, text, state } of openedSession.value?.lines ?? []) {
      if (who !== 'agent' || state === 'open' || text === '' || spoken.has(id)) continue;
      spoken.add(id);
      speechSynthesis.speak(new SpeechSynthesisUtterance(text));
    }
  });
  const end = (): void => {
    if (isOver) return;
    isOver = true;
    stopSpeaking();
    speechSynthesis.cancel();
    recogniser.stop();
    options.onEnd();
  };
  recogniser.start();
  return {
    ...{ by: 'browser', isMuted, level: signal(0), agentState: signal('') },
    mute(muted) {
      isMuted.value = muted;
      if (muted) recogniser.stop();
      else recogniser.start();
      return Promise.resolve();
    },
    leave() {
      end();
      return Promise.resolve();
    },
  };
}

function recogniserOf(): (new () => Recogniser) | undefined {
  const known = globalThis as {
    SpeechRecognition?: new () => Recogniser;
    webkitSpeechRecognition?: new () => Recogniser;
  };
  return known.SpeechRecognition ?? known.webkitSpeechRecognition;
}

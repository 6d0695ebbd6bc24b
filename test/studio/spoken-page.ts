import type { BrowserContextOptions } from 'playwright-core';
import { fliteSampleRate, speakSentence } from '../../src/offline/voice/flite.ts';
import { toSpeakable } from '../../src/offline/voice/speakable.ts';
import { toWav } from '../demo/wav.ts';
import type { Talker } from '../rooms/intake.ts';
import type { OpenBrowser } from './open-browser.ts';
import { openStudioPage, type StudioPage } from './studio-page.ts';

/** The studio in a page, used by voice. */
export interface SpokenPage extends StudioPage, Talker {
  /** Speaks into the microphone of the page. Resolves with the last sample. */
  speak(words: string): Promise<void>;
  /** Prepares words. The returned function speaks them at once. */
  getReady(words: string): Promise<() => Promise<void>>;
}

/** A caller's view of a page. */
interface Seen {
  readonly lines: readonly { readonly isOpen: boolean; readonly text: string }[];
  readonly button: string;
  readonly isInRoom: boolean;
}

/** The polling interval for the page, in milliseconds. */
const lookEveryMs = 120;

/** Opens the studio in a page whose microphone plays `speak`. The page requests and releases it like any other. */
export async function openSpokenPage(
  browser: OpenBrowser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<SpokenPage> {
  const studio = await openStudioPage(browser, url, { permissions: ['microphone'], ...options }, microphone);
  const { page } = studio;
  let seen: Seen = { lines: [], button: '', isInRoom: false };
  let lastLoudAt = performance.now();
  const watchers = new Set<() => void>();
  let isOver = false;
  const look = async (): Promise<void> => {
    while (!isOver) {
      seen = ((await page.evaluate(whatIsSeen).catch(() => seen)) as Seen | undefined) ?? seen;
      if (!isSilent(seen)) lastLoudAt = performance.now();
      for (const watcher of [...watchers]) watcher();
      await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
    }
  };
  page.once('close', () => (isOver = true));
  void look();
  const getReady = async (words: string): Promise<() => Promise<void>> => {
    const samples = await speakSentence(toSpeakable(words), 'rms');
    const wav = toWav({ sampleRate: fliteSampleRate, left: samples, right: samples }).toString('base64');
    return async () => await page.evaluate(`speakIntoMicrophone(${JSON.stringify(wav)})`);
  };
  const heard = (): string => seen.lines.flatMap(({ isOpen, text }) => (isOpen ? [] : [text])).join(' ');
  return {
    ...studio,
    heard,
    isAgentThere: () => seen.isInRoom,
    agentAttributes: () => ({ 'lk.agent.state': isSilent(seen) ? 'listening' : 'speaking' }),
    sound: () => ({ lastLoudAt }),
    until: (holds, what, limitMs = 60_000) =>
      new Promise((resolve, reject) => {
        const watch = (): void => {
          if (!holds()) return;
          finish();
          resolve();
        };
        const finish = (): void => {
          clearTimeout(timer);
          watchers.delete(watch);
        };
        const timer = setTimeout(() => {
          finish();
          reject(new Error(`The caller waited ${limitMs / 1000} s in vain for ${what}. Seen: ${JSON.stringify(seen)}`));
        }, limitMs);
        watchers.add(watch);
        watch();
      }),
    getReady,
    speak: async (words) => await (await getReady(words))(),
  };
}

function isSilent({ lines, button }: Seen): boolean {
  return button.startsWith('listening') && lines.every(({ isOpen }) => !isOpen);
}

/** Runs in the page as text, without access to this file. */
const whatIsSeen = `({
  lines: [...document.querySelectorAll('.talk-log .line.agent')].map((line) => ({
    isOpen: line.classList.contains('open'),
    // Without what was cut off, and what only a screen reader says.
    text: [...(line.querySelector('.said')?.childNodes ?? [])].map((part) => (part.nodeType === 3 ? part.data : '')).join(''),
  })),
  button: document.querySelector('.microphone')?.textContent ?? '',
  // The line of the connection says something else while the page has lost the studio for a moment.
  isInRoom: document.querySelector('.microphone.on') !== null,
})`;

/** A microphone for machines without one. Each user gets a separate track, as with a real one. */
const microphone = `{
  const wires = new Set();
  const context = new Promise((resolve) => { globalThis.openSound = () => resolve(new AudioContext()); });
  const media = navigator.mediaDevices;
  if (media !== undefined) media.getUserMedia = async () => {
    globalThis.openSound();
    const sound = await context;
    await sound.resume();
    const sink = sound.createMediaStreamDestination();
    wires.add(sink);
    globalThis.openMicrophones = () =>
      [...wires].filter(({ stream }) => stream.getAudioTracks().some(({ readyState }) => readyState === 'live')).length;
    return sink.stream;
  };
  globalThis.speakIntoMicrophone = async (base64) => {
    const sound = await context;
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    const source = sound.createBufferSource();
    source.buffer = await sound.decodeAudioData(bytes.buffer);
    for (const wire of wires) source.connect(wire);
    const over = new Promise((resolve) => source.addEventListener('ended', resolve));
    source.start();
    await over;
  };
}`;

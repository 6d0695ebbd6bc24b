import { Helper, type Workplace, type WorkplaceEvents } from '../helper/helper.ts';
import { openProcess } from '../helper/helper-process.ts';
import { resolvePackage } from '../helper/optional-package.ts';
import { piecesOf } from './pieces.ts';
import { requireWeights } from './weights.ts';

/** Samples a second that Moonshine hears. */
export const moonshineSampleRate = 16_000;

/** Below this, the loudest tenth of a second is no voice. */
const quietest = 0.004;

/** Shorter than any word, in seconds. */
const shortest = 0.15;

/** Clear speech is understood at .67 and more on average; noise is taken for words at .2 to .5. */
const leastCertainty = 0.55;

/** One model for this process, in a process of its own: onnxruntime ended in the middle of its work takes all along. */
export const moonshineHelper = new Helper(openMoonshine);

/** Starts the process. Throws where its package or its weights are missing. */
export function openMoonshine(events: WorkplaceEvents): Workplace {
  const args = [resolvePackage('onnxruntime-node'), requireWeights()];
  return openProcess(new URL('moonshine-process.mjs', import.meta.url), args, events);
}

/** The words of some audio, and how sure they are, from 0 to 1. Sound whose words are too unsure has none, and is above 0. */
export interface Understood {
  readonly text: string;
  readonly certainty: number;
}

/** What was said in mono audio of `moonshineSampleRate`, samples from -1 to 1; nothing where there was no speech. */
export async function understand(samples: Float32Array, signal?: AbortSignal): Promise<Understood> {
  if (samples.length < shortest * moonshineSampleRate || loudness(samples) < quietest)
    return { text: '', certainty: 0 };
  let mostUnsure = 0;
  const texts: string[] = [];
  for (const piece of piecesOf(samples, moonshineSampleRate)) {
    // The script answers with what its script makes of the audio.
    const { text, certainty } = (await moonshineHelper.ask({ samples: piece }, signal)) as Understood;
    if (!/[\p{Letter}\p{Number}]/u.test(text)) continue;
    if (certainty >= leastCertainty) texts.push(text);
    else mostUnsure = Math.max(mostUnsure, certainty);
  }
  return texts.length === 0 ? { text: '', certainty: mostUnsure } : { text: texts.join(' '), certainty: 1 };
}

/** Root mean square of the loudest tenth of a second. */
function loudness(samples: Float32Array): number {
  const window = moonshineSampleRate / 10;
  let loudest = 0;
  for (let from = 0; from < samples.length; from += window) {
    const part = samples.subarray(from, from + window);
    loudest = Math.max(loudest, part.reduce((sum, sample) => sum + sample * sample, 0) / part.length);
  }
  return Math.sqrt(loudest);
}

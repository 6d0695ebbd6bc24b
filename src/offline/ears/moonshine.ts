import { Helper, type Workplace, type WorkplaceEvents } from '../helper/helper.ts';
import { openProcess } from '../helper/helper-process.ts';
import { resolvePackage } from '../helper/optional-package.ts';
import { piecesOf } from './pieces.ts';
import { requireWeights } from './weights.ts';

/** The sample rate of Moonshine in Hz. */
export const moonshineSampleRate = 16_000;

/** If the loudest tenth of a second is below this, there is no voice. */
const quietest = 0.004;

/** Seconds; shorter than any word. */
const shortest = 0.15;

/** Clear speech has an average certainty of at least .67; noise that is taken for words has .2 to .5. */
const leastCertainty = 0.55;

/** One model in a separate process, because ending onnxruntime during its work ends its process. */
export const moonshineHelper = new Helper(openMoonshine);

/** Starts the process. Throws if its package or weights are missing. */
export function openMoonshine(events: WorkplaceEvents): Workplace {
  const args = [resolvePackage('onnxruntime-node'), requireWeights()];
  return openProcess(new URL('moonshine-process.mjs', import.meta.url), args, events);
}

/**
 * The words of an audio with their certainty from 0 to 1. Uncertain words are dropped: the text is empty and the
 * certainty above 0.
 */
export interface Understood {
  readonly text: string;
  readonly certainty: number;
}

/** Transcribes mono audio at `moonshineSampleRate` with samples from -1 to 1; empty without speech. */
export async function understand(samples: Float32Array, signal?: AbortSignal): Promise<Understood> {
  if (samples.length < shortest * moonshineSampleRate || loudness(samples) < quietest)
    return { text: '', certainty: 0 };
  let mostUnsure = 0;
  const texts: string[] = [];
  for (const piece of piecesOf(samples, moonshineSampleRate)) {
    // The script answers with this type.
    const { text, certainty } = (await moonshineHelper.ask({ samples: piece }, signal)) as Understood;
    if (!/[\p{Letter}\p{Number}]/u.test(text)) continue;
    if (certainty >= leastCertainty) texts.push(text);
    else mostUnsure = Math.max(mostUnsure, certainty);
  }
  return texts.length === 0 ? { text: '', certainty: mostUnsure } : { text: texts.join(' '), certainty: 1 };
}

/** Returns the root mean square of the loudest tenth of a second. */
function loudness(samples: Float32Array): number {
  const window = moonshineSampleRate / 10;
  let loudest = 0;
  for (let from = 0; from < samples.length; from += window) {
    const part = samples.subarray(from, from + window);
    loudest = Math.max(loudest, part.reduce((sum, sample) => sum + sample * sample, 0) / part.length);
  }
  return Math.sqrt(loudest);
}

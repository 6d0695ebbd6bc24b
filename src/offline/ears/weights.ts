import { statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { env } from 'node:process';
import { FlowError } from '../../model/errors.ts';

/** A required file with its size and checksum. */
export interface Weight {
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** The files of Moonshine's wheel that are used. MIT. */
export const weights: readonly Weight[] = [
  {
    name: 'encoder_model.ort',
    bytes: 13_281_600,
    sha256: '94e90a4654fc45cdfedb77c4c08e1739f48862998e58fada384b25118134f221',
  },
  {
    name: 'decoder_model_merged.ort',
    bytes: 30_412_256,
    sha256: 'cf524c4862d36e9e5ab032eddc73637efd822d70e868ac575cf1a46e1e4708a0',
  },
  {
    name: 'tokenizer.bin',
    bytes: 249_974,
    sha256: '6884b35fd6377d4c4d32336a0bc152f36b64d1e45b6503683cdc238250a8472d',
  },
];

/** The size of the weights, for messages. */
export const weightsSize = `${Math.round(weights.reduce((sum, { bytes }) => sum + bytes, 0) / 1e6)} MB`;

/** Returns the folder of the weights in a cache. Default: ROOMFLOW_CACHE, else the cache of the user. */
export function weightsFolder(cache = userCache()): string {
  return join(cache, 'speech', 'moonshine-tiny-en-0.0.73');
}

function userCache(): string {
  return given('ROOMFLOW_CACHE') ?? join(given('XDG_CACHE_HOME') ?? join(homedir(), '.cache'), 'roomflow');
}

/** Checks whether every file has its full size. The contents were verified when they were written. */
export function hasWeights(folder = weightsFolder(), wanted = weights): boolean {
  return wanted.every(({ name, bytes }) => sizeOf(join(folder, name)) === bytes);
}

/** Returns the folder of the weights, or throws an error with the command that downloads them. */
export function requireWeights(folder = weightsFolder()): string {
  if (hasWeights(folder)) return folder;
  throw new FlowError(
    'speech-weights-missing',
    `Offline speech recognition needs its weights: run \`npx roomflow setup-speech\` (${weightsSize}, once).`,
  );
}

function given(name: string): string | undefined {
  const value = env[name];
  return value === undefined || value === '' ? undefined : value;
}

/** Returns the size of a file in bytes; null if it does not exist. */
function sizeOf(file: string): number | null {
  try {
    return statSync(file).size;
  } catch {
    return null;
  }
}

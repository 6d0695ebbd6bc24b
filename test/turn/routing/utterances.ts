import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Route } from '../../../src/engine/policy/router.ts';

export interface Utterance {
  readonly flow: string;
  readonly text: string;
}

/** Returns one half of the labelled utterances. */
export function utterancesOf(half: 'shown' | 'held-out'): readonly Utterance[] {
  const lines = readFileSync(join(import.meta.dirname, `${half}.tsv`), 'utf8')
    .split('\n')
    .filter(Boolean);
  return lines.map((line) => {
    const [flow = '', text = ''] = line.split('\t');
    return { flow, text };
  });
}

export interface Score {
  /** The share of right answers among those that the router was sure of. */
  readonly precision: number;
  /** The share that the router was not sure of. */
  readonly fallback: number;
  /** The share of all that was routed correctly; the fallback is the classic path. */
  readonly accuracy: number;
}

/** Routes each utterance and compares the result with its label. */
export async function scoreOf(
  utterances: readonly Utterance[],
  route: (text: string) => Promise<Route | null>,
): Promise<Score> {
  let sure = 0;
  let sureAndRight = 0;
  let right = 0;
  for (const { flow, text } of utterances) {
    const found = await route(text);
    const isRight = found?.to === flow;
    if (isRight) right += 1;
    if (found === null || found.fallback !== undefined) continue;
    sure += 1;
    if (isRight) sureAndRight += 1;
  }
  const { length } = utterances;
  return { precision: sureAndRight / sure, fallback: (length - sure) / length, accuracy: right / length };
}

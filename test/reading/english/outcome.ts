import { read, type ReadOptions, type ValueKind } from '../../../src/language/english/reading.ts';
import { NOW } from './unseen-sentences.ts';

/** One line of a table: a sentence, and the value read from it or the problem with it ("incomplete year"). */
export type Row = [text: string, expected: string | number | boolean];

/** Returns the value, or the problem and the missing part. */
export function outcome(kind: ValueKind, text: string, options: Partial<ReadOptions> = {}): string | number | boolean {
  const reading = read(kind, text, { now: NOW, ...options });
  if (reading.ok) return reading.value;
  return reading.missing === undefined ? reading.problem : `${reading.problem} ${reading.missing}`;
}

import { expect } from 'vitest';
import type { Reading, ValueKind } from '../../src/model/ports/reader.ts';

/** Checks a reading of a kind against its text and the form of its kind. `values` are those of an enum. */
export function expectReported(kind: ValueKind, said: string, reading: Reading, values: readonly string[]): void {
  if (!reading.ok) return;
  expect(said.slice(reading.start, reading.end)).toBe(reading.said);
  if (kind === 'date') expect(reading.value).toMatch(/^\d{4}-\d\d-\d\d$/);
  if (kind === 'time') expect(reading.value).toMatch(/^(?:[01]\d|2[0-3]):[0-5]\d$/);
  if (kind === 'phone') expect(reading.value).toMatch(/^\+\d{7,15}$/);
  if (kind === 'integer') expect(reading.value).toSatisfy(Number.isSafeInteger);
  if (kind === 'enum') expect(values).toContain(reading.value);
}

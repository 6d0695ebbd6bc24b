import type { DocumentPath } from '../../flow/document/problems/diagnostic.ts';
import { readFileSync, writeFileSync } from 'node:fs';
import { type NewText, replaceTexts } from '../../flow/load/yaml/replace-texts.ts';
import type { FileResult } from '../run-tests.ts';

/** A text of a test that was updated, or could not be updated. */
export interface Refreshed {
  readonly file: string;
  readonly line: number | null;
  /** The name of its scenario. */
  readonly scenario: string;
  /** The old text, or null if there was none. */
  readonly before: string | null;
  readonly after: string;
  /** Why it was not changed, or null if it was. */
  readonly leftFor: string | null;
}

/**
 * Writes the current versions of the texts with `exactly` into the files of tests, and nothing else. A scenario with
 * any other failure is not changed: texts from a wrong path should not be kept.
 */
export function refreshTests(results: readonly FileResult[]): readonly Refreshed[] {
  return results.flatMap(({ test: { file, document }, scenarios }): readonly Refreshed[] => {
    const found = scenarios.flatMap((scenario) =>
      scenario.failures.flatMap((failure) => (failure.fresh === null ? [] : [{ failure, scenario }])),
    );
    const byPlace = new Map<string, typeof found>();
    for (const one of found) {
      const key = JSON.stringify(one.failure.path);
      byPlace.set(key, [...(byPlace.get(key) ?? []), one]);
    }
    const all = [...byPlace.values()].flatMap((same): readonly (Refreshed & { readonly wanted: NewText })[] => {
      const [first] = same;
      if (first === undefined || first.failure.fresh === null) return [];
      const { failure, scenario } = first;
      const after = first.failure.fresh;
      const isMixed = same.some(({ failure: other }) => other.fresh !== after);
      const isBroken = same.some(({ scenario: { failures } }) => failures.some((one) => one.fresh === null));
      const isCode = !/\.(?:ya?ml|json)$/.test(file);
      const leftFor = isBroken
        ? 'something else does not hold in this scenario'
        : isMixed
          ? 'the rows of each say different things'
          : isCode
            ? 'it stands in code'
            : null;
      const { path, place } = failure;
      const told = { file, line: place?.line ?? null, scenario: scenario.name, before: textAt(document, path), after };
      return [{ ...told, leftFor, wanted: { path, text: after } }];
    });
    const toWrite = all.filter(({ leftFor }) => leftFor === null).map(({ wanted }) => wanted);
    if (toWrite.length === 0) return all;
    const { source, missed } = replaceTexts(readFileSync(file, 'utf8'), toWrite);
    if (missed.length < toWrite.length) writeFileSync(file, source);
    return all.map((one) =>
      missed.includes(one.wanted) ? { ...one, leftFor: 'it does not stand by itself in this file' } : one,
    );
  });
}

/** The text at a path of a document, or null. */
function textAt(document: unknown, path: DocumentPath): string | null {
  let value = document;
  for (const segment of path)
    value = typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[segment] : null;
  return typeof value === 'string' ? value : null;
}

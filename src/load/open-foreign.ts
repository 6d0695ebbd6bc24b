import { basename } from 'node:path';
import type { Diagnostic } from '../flow/diagnostic.ts';
import type { ForeignFile } from '../importers/source.ts';
import { isError, type Locate, withoutPlace } from './diagnose.ts';
import { openPlain, type PlainFlow } from './open-plain.ts';

/** The files of a foreign document, read as YAML or JSON. */
export interface ForeignFiles {
  /** None where nothing can be read. */
  readonly files: readonly ForeignFile[];
  readonly diagnostics: readonly Diagnostic[];
  /** Gives a problem in a file its place there. */
  readonly locate: (file: string) => Locate;
}

/** Opens a file, a folder or a zip archive of another product. Never throws. */
export function openForeign(path: string): ForeignFiles {
  const plain = openPlain(path, {});
  return gathered([[basename(path), plain]]);
}

function gathered(opened: readonly (readonly [name: string, plain: PlainFlow])[]): ForeignFiles {
  const locates = new Map(opened.map(([name, { locate }]) => [name, locate]));
  const diagnostics = opened.flatMap(([, { found }]) => found);
  const files = diagnostics.some(isError)
    ? []
    : opened.flatMap(([name, { value }]) => (value === undefined ? [] : [{ name, value }]));
  return { files, diagnostics, locate: (file) => locates.get(file) ?? withoutPlace(file) };
}

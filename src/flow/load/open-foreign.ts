import { strFromU8, unzipSync } from 'fflate';
import { closeSync, fstatSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { basename, join, relative, sep } from 'node:path';
import type { Diagnostic, Problem } from '../document/problems/diagnostic.ts';
import type { ForeignFile } from '../../importers/source.ts';
import { findConfined, readConfined } from './files/confined-file.ts';
import { isError, type Locate, withoutPlace } from './problems/diagnose.ts';
import { limits } from './limits.ts';
import { openPlain, type PlainFlow } from './open-plain.ts';

/** The files of a foreign document, parsed as YAML or JSON. */
export interface ForeignFiles {
  /** Empty if nothing can be read. */
  readonly files: readonly ForeignFile[];
  readonly diagnostics: readonly Diagnostic[];
  /** Gives a problem in a file its place there. */
  readonly locate: (file: string) => Locate;
}

/** The limits for a project of another product. */
const most = Object.freeze({ files: 5_000, bytes: 50_000_000, depth: 12 });

/**
 * Opens a file, a folder or a zip archive of another product. In a folder or archive, the YAML and JSON files inside it
 * are read, up to 5,000 files and 50 MB together. Never throws.
 */
export function openForeign(path: string): ForeignFiles {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats?.isDirectory() === true) return openAll(path, folderTexts(path));
    if (stats?.isFile() === true && isZip(path)) return openAll(path, zipTexts(path, stats.size));
  } catch (error) {
    if (error instanceof TooMuch) return refused(path, error.message);
    // A path that cannot be read is reported when it is read.
  }
  return gathered([[basename(path), openPlain(path, {})]]);
}

class TooMuch extends Error {}

/** A text with its path inside the folder or archive. */
type NamedText = readonly [name: string, text: string];

function openAll(path: string, texts: readonly NamedText[]): ForeignFiles {
  const opened = texts.flatMap(([name, text]): readonly (readonly [string, PlainFlow])[] => {
    // A text differs from a path by its line break.
    return hasContent(text) ? [[name, openPlain(`${text}\n`, { file: name })]] : [];
  });
  // A file may also contain only null.
  const filled = opened.filter(
    ([, { value, found }]) => value !== undefined || found.some(({ code }) => code !== 'empty-file'),
  );
  return filled.length === 0 ? refused(path, 'there is no YAML or JSON file in it.') : gathered(filled);
}

/** Checks whether a file has more than comments and the lines between documents, as an unused configuration does. */
function hasContent(text: string): boolean {
  return /^(?!\uFEFF?(?:---|\.\.\.)?[ \t\r]*(?:#.*)?$)/m.test(text);
}

function refused(path: string, message: string): ForeignFiles {
  const problem: Problem = {
    code: 'unsupported-format',
    severity: 'error',
    message,
    hint: 'Give the export of one project.',
    path: [],
  };
  return { files: [], diagnostics: [withoutPlace(path)(problem)], locate: withoutPlace };
}

function gathered(opened: readonly (readonly [name: string, plain: PlainFlow])[]): ForeignFiles {
  const locates = new Map(opened.map(([name, { locate }]) => [name, locate]));
  const sound = opened.filter(([, { found }]) => !found.some(isError));
  return {
    files: sound.flatMap(([name, { value }]) => (value === undefined ? [] : [{ name, value }])),
    diagnostics: opened.flatMap(([, { found }]) => found),
    locate: (file) => locates.get(file) ?? withoutPlace(file),
  };
}

const readable = /\.(?:json|ya?ml)$/i;
const passedOver = /^(?:\.|node_modules$|__pycache__$|models$|tests?$|testCases$|results$)/;

/** The texts of a folder. Links that lead outside are skipped. */
function folderTexts(folder: string): readonly NamedText[] {
  const texts: NamedText[] = [];
  let bytes = 0;
  const walk = (inside: string, depth: number): void => {
    if (depth > most.depth) return;
    for (const entry of readdirSync(join(folder, inside), { withFileTypes: true }).toSorted((one, other) =>
      one.name < other.name ? -1 : 1,
    )) {
      if (passedOver.test(entry.name)) continue;
      const name = inside === '' ? entry.name : join(inside, entry.name);
      if (entry.isDirectory()) walk(name, depth + 1);
      else if (readable.test(entry.name)) {
        if (!findConfined(folder, name.split(sep).join('/')).ok) continue;
        const read = readConfined({ path: folder }, name.split(sep).join('/'), limits.fileBytes);
        if (!read.ok) continue;
        bytes += read.bytes;
        texts.push([relative('', name).split(sep).join('/'), read.text]);
        if (texts.length > most.files || bytes > most.bytes)
          throw new TooMuch(`it has more than ${most.files} files, or ${most.bytes} bytes.`);
      }
    }
  };
  walk('', 0);
  return texts;
}

function isZip(path: string): boolean {
  const file = openSync(path, 'r');
  try {
    const start = Buffer.alloc(4);
    return fstatSync(file).isFile() && readSync(file, start, 0, 4, 0) === 4 && start.readUInt32BE(0) === 0x50_4b_03_04;
  } finally {
    closeSync(file);
  }
}

/** The texts of an archive. The sizes in the archive are checked before anything is unpacked. */
function zipTexts(path: string, size: number): readonly NamedText[] {
  if (size > most.bytes) throw new TooMuch(`it has more than ${most.bytes} bytes.`);
  const file = openSync(path, 'r');
  const bytes = Buffer.alloc(size);
  try {
    for (let length = 0, read = -1; read !== 0 && length < size; length += read)
      read = readSync(file, bytes, length, size - length, null);
  } finally {
    closeSync(file);
  }
  let count = 0;
  let unpacked = 0;
  const texts: NamedText[] = [];
  try {
    const found = unzipSync(bytes, {
      filter({ name, originalSize }) {
        if (!isInside(name) || !readable.test(name) || name.split('/').some((part) => passedOver.test(part)))
          return false;
        count += 1;
        unpacked += originalSize;
        if (count > most.files || unpacked > most.bytes || originalSize > limits.fileBytes)
          throw new TooMuch(`it unpacks to more than ${most.files} files, or ${most.bytes} bytes.`);
        return true;
      },
    });
    for (const [name, content] of Object.entries(found)) texts.push([name, strFromU8(content)]);
  } catch (error) {
    if (error instanceof TooMuch) throw error;
    throw new TooMuch('it is not a zip archive, or it cannot be unpacked.');
  }
  return texts;
}

/** Checks whether a name in an archive stays inside it. */
function isInside(name: string): boolean {
  return !name.startsWith('/') && !name.includes('\\') && !/^[a-z]:/i.test(name) && !name.split('/').includes('..');
}

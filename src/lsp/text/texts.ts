import { readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Range } from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { limits } from '../../flow/load/limits.ts';
import type { Stretch } from '../../flow/load/yaml/syntax-tree.ts';

/** The texts of files, from the editor or from disk. */
export interface Texts {
  /** The unsaved texts of the editor, by path. */
  unsaved(): ReadonlyMap<string, string>;
  /** The document at a path, or undefined if it is not open and cannot be read. */
  at(path: string): TextDocument | undefined;
  /** The editor's address of a file. */
  uriOf(path: string): string;
  pathOf(uri: string): string;
  /** The version of an open document, or null for a file that is not open. */
  openVersion(path: string): number | null;
}

/** The texts of the documents that an editor has opened. Documents without a file are in `root`. */
export function createTexts(open: () => readonly TextDocument[], root: string): Texts {
  const pathOf = (uri: string): string => {
    try {
      if (uri.startsWith('file:')) return resolve(fileURLToPath(uri));
    } catch {
      // An address from another system is not a path here.
    }
    return join(root, basename(decodeURIComponent(uri.replace(/^[a-z]+:/i, ''))));
  };
  const openAt = (path: string): TextDocument | undefined => open().find(({ uri }) => pathOf(uri) === path);
  return {
    unsaved: () => new Map(open().map((document) => [pathOf(document.uri), document.getText()])),
    at: (path) => openAt(path) ?? documentOnDisk(path),
    uriOf: (path) => openAt(path)?.uri ?? pathToFileURL(path).href,
    pathOf,
    openVersion: (path) => openAt(path)?.version ?? null,
  };
}

function documentOnDisk(path: string): TextDocument | undefined {
  try {
    const text = readFileSync(path, 'utf8');
    return text.length > limits.fileBytes ? undefined : TextDocument.create(pathToFileURL(path).href, '', 0, text);
  } catch {
    return undefined;
  }
}

/** A range of a document in the form that editors use. */
export function rangeIn(document: TextDocument, { start, end }: Stretch): Range {
  return { start: document.positionAt(start), end: document.positionAt(end) };
}

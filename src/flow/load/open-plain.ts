import type { Diagnostic, DocumentPath, Problem } from '../document/problems/diagnostic.ts';
import { diagnose, type Locate, withoutPlace } from './problems/diagnose.ts';
import type { Fault } from './problems/fault.ts';
import { openSource, type OpenOptions } from './open-source.ts';
import { copyPlain } from './yaml/plain-object.ts';
import { isQuotedInTree, locateInTree, spellLike } from './yaml/positions.ts';
import { type Folder, readTree } from './yaml/read-tree.ts';

/** The content of a source, for any kind of flow, and its place. */
export interface PlainFlow {
  /** `undefined` if there is nothing to read. Inside it, `undefined` means a part that was already reported. */
  readonly value: unknown;
  /** The file name in reported problems. */
  readonly file: string;
  readonly folder: Folder | undefined;
  /** The spelling of a key if its neighbours do not show it. */
  readonly style: 'snake' | 'camel';
  /** The problems found so far. */
  readonly found: readonly Diagnostic[];
  /** Locates a problem at a path of `value`. */
  readonly locate: Locate;
  /** Checks whether the text at a path is certainly text: it is in quotes, or in an object. */
  readonly isQuoted: (path: DocumentPath) => boolean;
}

/**
 * Opens a path or file URL, a YAML or JSON text, or an object. A string with a line break, or that begins with `{`, is
 * text. Never throws.
 */
export function openPlain(source: string | URL | object, options: OpenOptions): PlainFlow {
  const opened = openSource(source, options);
  switch (opened.kind) {
    case 'fault': {
      const { name } = opened.source;
      const found = [diagnose(opened.fault, [], { ...opened.fault, source: opened.source })];
      const locate = withoutPlace(name);
      return { value: undefined, file: name, folder: undefined, style: 'snake', found, locate, isQuoted: () => true };
    }
    case 'text': {
      const { tree, links, value, faults } = readTree(opened.source, opened.folder);
      const located = faults.map((fault) => diagnose(fault, fault.path, fault));
      const locate = (problem: Problem): Diagnostic => {
        const { path, place } = locateInTree(tree, links, problem);
        return diagnose(problem, path, place);
      };
      const { name: file } = opened.source;
      const isEmpty = value === null;
      const found = isEmpty ? [...located, diagnose(EMPTY, [], { source: opened.source, start: 0, end: 1 })] : located;
      const isQuoted = (path: DocumentPath): boolean => isQuotedInTree(tree, links, path);
      return {
        value: isEmpty ? undefined : value,
        file,
        folder: opened.folder,
        style: 'snake',
        found,
        locate,
        isQuoted,
      };
    }
    case 'value': {
      const { value, problems } = copyPlain(opened.value);
      const { name: file, folder } = opened;
      const tell = withoutPlace(file);
      const locate = (problem: Problem): Diagnostic => tell({ ...problem, path: spellLike(value, problem.path) });
      return { value, file, folder, style: 'camel', found: problems.map(locate), locate, isQuoted: () => true };
    }
  }
}

/** Advice for how a flow begins. */
export const BEGIN = 'Begin with initial_node and nodes.';

const EMPTY: Omit<Fault, 'start' | 'end'> = {
  code: 'empty-file',
  message: 'there is no flow here.',
  hint: BEGIN,
};

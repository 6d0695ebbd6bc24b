import { dirname, extname, join, relative } from 'node:path';
import type { Scalar } from 'yaml';
import type { DocumentPath } from '../../document/problems/diagnostic.ts';
import {
  type BuildContext,
  buildValue,
  type Included,
  type Links,
  type PlacedFault,
  type Tree,
} from './build-value.ts';
import { type ComposedText, composeFlowText, composeText } from './composed-text.ts';
import { describeFailure, readConfined } from '../files/confined-file.ts';
import { limits } from '../limits.ts';
import { parseYaml } from './parse-yaml.ts';
import type { Unsaved } from './read-text.ts';
import { createSourceText, type SourceText } from './source-text.ts';
import { textTree, textValue } from '../files/text-file.ts';

/** The folder that has all files of a flow, and its name in messages. */
export interface Folder {
  readonly path: string;
  readonly shownAs: string;
  /** The unsaved texts of an editor. */
  readonly unsaved?: Unsaved | undefined;
}

/** A flow's text and everything that it includes, as plain data. */
export interface TreeReading {
  readonly tree: Tree;
  readonly links: Links;
  /** `undefined` if it is unknown. */
  readonly value: unknown;
  readonly faults: readonly PlacedFault[];
}

/** Reads a YAML or JSON text and the files that it includes from its folder. */
export function readTree(source: SourceText, folder: Folder | undefined): TreeReading {
  const links: Links = new Map();
  const faults: PlacedFault[] = [];
  /** The files being read, outermost first: their real paths and their folders. */
  const open: { readonly realPath: string; readonly folder: string }[] = [];
  const budget = { lexemes: limits.lexemes, values: limits.values };
  let bytes = 0;

  const parse = (text: SourceText, path: DocumentPath, composed: ComposedText): Tree | undefined => {
    const { root, broken, faults: found } = parseYaml(text, composed);
    for (const fault of found) faults.push({ ...fault, source: text, path });
    return broken ? undefined : { source: text, root };
  };

  const include = (node: Scalar, from: SourceText, path: DocumentPath, depth: number): Included | undefined => {
    const name = String(node.value);
    const refuse = (code: string, message: string, hint?: string): undefined => {
      const [start, end] = node.range ?? [0, 0];
      faults.push({
        code,
        message,
        ...(hint === undefined ? {} : { hint }),
        start,
        end,
        source: from,
        path: [...path],
      });
    };
    if (folder === undefined)
      return refuse(
        'include-no-folder',
        'a text without a folder cannot include files.',
        'Give the option baseFolder.',
      );
    // The exceeded limit has already been reported once.
    if (budget.values < 0 || budget.lexemes < 0) return undefined;
    if (open.length >= limits.includeDepth)
      return refuse(
        'include-too-deep',
        `includes go deeper than ${limits.includeDepth} files.`,
        'Include fewer levels.',
      );
    const file = readConfined(folder, name, limits.fileBytes - bytes, open.at(-1)?.folder);
    if (!file.ok) {
      const { code, message, hint } = describeFailure('include', name, file, limits.fileBytes, folder);
      return refuse(code, message, hint);
    }
    if (open.some(({ realPath }) => realPath === file.realPath))
      return refuse('include-cycle', `"${name}" includes itself.`, 'Remove one of the includes.');
    bytes += file.bytes;
    const shown = join(folder.shownAs, relative(folder.path, file.path));
    switch (extname(name).toLowerCase()) {
      case '.md':
      case '.txt':
        return { tree: textTree(shown, file.text), value: textValue(file.text), size: 1, height: 0 };
      case '.yaml':
      case '.yml':
      case '.json': {
        const tree = parse(createSourceText(shown, file.text), [...path], composeText(file.text, budget));
        if (tree === undefined) return undefined;
        open.push({ realPath: file.realPath, folder: dirname(file.path) });
        const built = buildValue(tree, context, [...path], depth);
        open.pop();
        return { tree, ...built };
      }
      default:
        return refuse(
          'include-invalid',
          `"${name}" is of an unknown kind.`,
          'Include .yaml, .yml, .json, .md or .txt.',
        );
    }
  };

  const context: BuildContext = { links, faults, include };
  const tree = parse(source, [], composeFlowText(source.text, budget));
  if (tree === undefined) return { tree: { source, root: null }, links, value: undefined, faults };
  return { tree, links, value: buildValue(tree, context).value, faults };
}

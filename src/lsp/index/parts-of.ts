import { dirname } from 'node:path';
import { readConfined } from '../../flow/load/files/confined-file.ts';
import { limits } from '../../flow/load/limits.ts';
import type { Unsaved } from '../../flow/load/yaml/read-text.ts';
import { readSyntax, readTextSyntax, type SyntaxNode } from '../../flow/load/yaml/syntax-tree.ts';
import { isTextFile } from './index-flow.ts';

/** A file that belongs to a flow. */
interface Part {
  readonly path: string;
  readonly root: SyntaxNode | null;
}

/**
 * Creates a function that reads the files that a flow names, if they are in its folder. It calls `onBroken` for each
 * file that cannot be read to its end.
 */
export function partsOf(
  flow: string,
  unsaved: Unsaved,
  onBroken: () => void = () => undefined,
): (name: string, from: string) => Part | undefined {
  const folder = { path: dirname(flow), unsaved };
  return (name, from) => {
    const file = readConfined(folder, name, limits.promptBytes, from);
    if (!file.ok) return undefined;
    if (isTextFile(file.path)) return { path: file.path, root: readTextSyntax(file.text) };
    const { root, isSound } = readSyntax(file.text);
    if (!isSound) onBroken();
    return { path: file.path, root };
  };
}

import { join, relative } from 'node:path';
import type { DocumentPath, Problem } from '../../document/problems/diagnostic.ts';
import type { ConversationDocument } from '../../document/document.ts';
import type { Message } from '../../document/message.ts';
import type { NodeDocument } from '../../document/node.ts';
import type { Tree } from '../yaml/build-value.ts';
import { type ConfinedFile, describeFailure, readConfined } from './confined-file.ts';
import { limits } from '../limits.ts';
import type { Folder } from '../yaml/read-tree.ts';
import { createTaskPrompts } from './task-prompts.ts';
import { textTree, textValue } from './text-file.ts';

export interface Prompted {
  /** The document with the texts of its prompt files instead of their names, so that its hash covers the texts. */
  readonly document: ConversationDocument;
  readonly problems: readonly Problem[];
  /** The path of a part of `document` in the original document, and its prompt file, if any. */
  readonly origin: (path: DocumentPath) => { readonly path: DocumentPath; readonly file?: Tree };
}

/** Reads the prompt files that the parts of a flow name, within limits for all of them. */
export interface PromptReader {
  /**
   * Returns the text of a file that the part at `path` names. If it is not available, returns undefined and adds a
   * problem.
   */
  read(name: string, path: DocumentPath): string | undefined;
  readonly problems: readonly Problem[];
  /** The prompt file of the part at `path`, if it has one. */
  treeAt(path: DocumentPath): Tree | undefined;
}

export function createPromptReader(folder: Folder | undefined): PromptReader {
  const problems: Problem[] = [];
  const trees = new Map<string, Tree>();
  const files = new Map<string, ConfinedFile>();
  let bytes = 0;

  const read = (name: string, path: DocumentPath): string | undefined => {
    const refuse = (code: string, message: string, hint?: string): undefined => {
      const at = [...path, 'promptFile'];
      problems.push({ code, severity: 'error', path: at, message, ...(hint === undefined ? {} : { hint }) });
    };
    if (folder === undefined)
      return refuse(
        'prompt-file-no-folder',
        'a flow without a folder has no prompt files.',
        'Give the option baseFolder.',
      );
    let file = files.get(name);
    if (file === undefined) files.set(name, (file = readConfined(folder, name, limits.promptBytes)));
    if (!file.ok) {
      const { code, message, hint } = describeFailure('prompt-file', name, file, limits.promptBytes, folder);
      return refuse(code, message, hint);
    }
    bytes += file.bytes;
    if (bytes > limits.allPromptBytes)
      return refuse(
        'prompt-file-too-large',
        `the prompt files have more than ${limits.allPromptBytes} bytes together.`,
      );
    trees.set(keyOf(path), textTree(join(folder.shownAs, relative(folder.path, file.path)), file.text));
    return textValue(file.text);
  };
  return { read, problems, treeAt: (path) => trees.get(keyOf(path)) };
}

/**
 * Reads the prompt files of a conversation: each becomes the first system message of its node or of the flow. In a
 * catalog node it becomes the prompt.
 */
export function readPromptFiles(document: ConversationDocument, folder: Folder | undefined): Prompted {
  const reader = createPromptReader(folder);
  const read = (name: string, path: DocumentPath): readonly Message[] => {
    const content = reader.read(name, path);
    return content === undefined ? [] : [{ role: 'system', content }];
  };
  const tasks = createTaskPrompts(reader);
  const withPrompt = (node: NodeDocument, path: DocumentPath): NodeDocument => {
    if (node.type !== undefined) return tasks.node(node, path);
    if (node.promptFile === undefined) return node;
    const { promptFile, ...rest } = node;
    return { ...rest, taskMessages: [...read(promptFile, path), ...(node.taskMessages ?? [])] };
  };

  const nodes = Array.isArray(document.nodes)
    ? document.nodes.map((node, index) => withPrompt(node, ['nodes', index]))
    : mapValues(document.nodes, (node, id) => withPrompt(node, ['nodes', id]));
  const { promptFile, ...rest } = document;
  const roleMessages =
    promptFile === undefined ? undefined : [...read(promptFile, []), ...(document.roleMessages ?? [])];
  return {
    document: { ...rest, nodes, ...(roleMessages === undefined ? {} : { roleMessages }) },
    problems: [...reader.problems, ...tasks.problems],
    origin(path) {
      const prompt = path.at(-1) === 'prompt' ? reader.treeAt(path.slice(0, -1)) : undefined;
      if (prompt !== undefined) return { path: [...path.slice(0, -1), 'promptFile'], file: prompt };
      const length = path[0] === 'nodes' ? 2 : 0;
      const tree = reader.treeAt(path.slice(0, length));
      const [list, index] = path.slice(length);
      if (tree === undefined || list !== (length === 0 ? 'roleMessages' : 'taskMessages')) return { path };
      if (index === 0) return { path: [...path.slice(0, length), 'promptFile'], file: tree };
      if (typeof index !== 'number') return { path };
      return { path: [...path.slice(0, length + 1), index - 1, ...path.slice(length + 2)] };
    },
  };
}

function keyOf(path: DocumentPath): string {
  return JSON.stringify(path);
}

function mapValues<Value>(
  map: Readonly<Record<string, Value>>,
  change: (value: Value, key: string) => Value,
): Record<string, Value> {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, change(value, key)]));
}

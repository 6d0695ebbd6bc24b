import { basename } from 'node:path';

/** The kind of a file for the editor's server: a flow, conversation tests, or a possible part of a flow. */
export type FileKind = 'flow' | 'test' | 'part';

/** Determines the kind of a file by its name and its content. */
export function fileKind(path: string, text: string): FileKind {
  const name = basename(path).toLowerCase();
  if (/\.flowtest\.(?:ya?ml|json)$/.test(name)) return 'test';
  if (!/\.(?:ya?ml|json)$/.test(name) && name.includes('.')) return 'part';
  if (/(?:^|\.)flow\.(?:ya?ml|json)$/.test(name)) return 'flow';
  return isFlow(text) ? 'flow' : 'part';
}

/** Checks whether a text says that it is a flow: by its first keys, or by a comment that names their schema. */
function isFlow(text: string): boolean {
  const hasKey = (key: string): boolean => new RegExp(`^[{ \\t]{0,4}["']?${key}["']?[ \\t]*:`, 'm').test(text);
  if (hasKey('initial_node') || hasKey('initialNode')) return true;
  if (/^#.*\$schema=\S*flow\.schema\.json/m.test(text)) return true;
  return hasKey('flow') && hasKey('nodes');
}

import { Scalar } from 'yaml';
import type { Tree } from '../yaml/build-value.ts';
import { createSourceText } from '../yaml/source-text.ts';

/**
 * The text of a prompt file as a value: line ends are \n, and white space at the end of the file is not part of the
 * text.
 */
export function textValue(text: string): string {
  return text.replaceAll('\r\n', '\n').trimEnd();
}

/** A text file as a tree of one scalar, so that places inside its text are found as in any other file. */
export function textTree(name: string, text: string): Tree {
  const root = new Scalar(textValue(text));
  root.type = Scalar.PLAIN;
  root.range = [0, text.length, text.length];
  return { source: createSourceText(name, text), root };
}

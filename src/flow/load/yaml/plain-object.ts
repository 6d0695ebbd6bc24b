import type { PathSegment, Problem } from '../../document/problems/diagnostic.ts';
import { limits, smaller } from '../limits.ts';

/**
 * Makes a plain copy of a value made in code, and reports everything in it that is not data. Accessors are never
 * called, the value is never changed, and later changes to it do not affect the copy. A property that is `undefined`
 * counts as absent. In the copy, `undefined` means a part that was reported.
 */
export function copyPlain(given: unknown): { value: unknown; problems: readonly Problem[] } {
  const problems: Problem[] = [];
  const path: PathSegment[] = [];
  const open = new Set<object>();
  let values = 0;
  let text = 0;
  let isFull = false;

  const refuse = (message: string, hint: string, code = 'not-json'): undefined => {
    problems.push({ code, severity: 'error', path: [...path], message, hint });
  };

  const copy = (value: unknown): unknown => {
    switch (typeof value) {
      case 'string':
        return copyText(value);
      case 'boolean':
        return value;
      case 'number':
        return Number.isFinite(value) ? value : refuse(`${value} is not a JSON number.`, PLAIN_DATA);
      case 'function':
        return refuse('a function cannot be part of a flow.', 'Register it, and name it here.');
      case 'undefined':
        return refuse('a value is undefined.', 'Leave it out, or give it a value.');
      case 'object':
        return value === null ? null : copyInside(value);
      case 'bigint':
        return refuse('a BigInt cannot be part of a flow.', PLAIN_DATA);
      case 'symbol':
      default:
        return refuse('a symbol cannot be part of a flow.', PLAIN_DATA);
    }
  };

  const copyText = (value: string): string | undefined => {
    text += value.length;
    if (text <= limits.repeatedText) return value;
    if (!isFull)
      refuse(`the texts of the flow have more than ${limits.repeatedText} characters.`, smaller, 'too-many-keys');
    isFull = true;
    return undefined;
  };

  const copyInside = (value: object): unknown => {
    if (open.has(value)) return refuse('a value contains itself.', 'Refer to it by name instead.');
    if (path.length >= limits.depth)
      return refuse(`the flow nests deeper than ${limits.depth} levels.`, smaller, 'too-deep');
    open.add(value);
    const copied = Array.isArray(value) ? copyList(value) : copyMap(value);
    open.delete(value);
    return copied;
  };

  const copyList = (value: readonly unknown[]): unknown => {
    if (isTooMuch(value.length)) return undefined;
    return Array.from({ length: value.length }, (_, index) => {
      path.push(index);
      const copied = copyHeld(Object.getOwnPropertyDescriptor(value, index));
      path.pop();
      return copied;
    });
  };

  const copyMap = (value: object): unknown => {
    const prototype: unknown = Object.getPrototypeOf(value);
    // The prototype of plain objects has no prototype itself. Every realm has its own one.
    if (prototype !== null && Object.getPrototypeOf(prototype) !== null)
      return refuse('an instance of a class cannot be part of a flow.', PLAIN_DATA);
    if (Object.getOwnPropertySymbols(value).length > 0) refuse('a symbol cannot be a key.', 'Use text as key.');
    const keys = Object.keys(value);
    if (keys.length > limits.keysPerMap) {
      if (path.length === 1 && path[0] === 'nodes')
        return refuse(`the flow has more than ${limits.nodes} nodes.`, smaller, 'too-many-nodes');
      return refuse(`a map has more than ${limits.keysPerMap} keys.`, smaller, 'too-many-keys');
    }
    if (isTooMuch(keys.length)) return undefined;
    const copied: Record<string, unknown> = {};
    for (const key of keys) {
      const held = Object.getOwnPropertyDescriptor(value, key);
      if (held !== undefined && 'value' in held && held.value === undefined) continue;
      path.push(key);
      if (key === '__proto__') refuse('"__proto__" cannot be a key.', 'Choose another name.', 'unsafe-key');
      else copied[key] = copyHeld(held);
      path.pop();
    }
    return copied;
  };

  const copyHeld = (held: PropertyDescriptor | undefined): unknown => {
    if (held?.get !== undefined || held?.set !== undefined)
      return refuse('a getter cannot be part of a flow.', PLAIN_DATA);
    return copy(held?.value);
  };

  const isTooMuch = (more: number): boolean => {
    values += more;
    if (values <= limits.values) return false;
    if (!isFull) refuse(`the flow has more than ${limits.values} values.`, smaller, 'too-many-keys');
    isFull = true;
    return true;
  };

  try {
    return { value: copy(given), problems };
  } catch {
    // Only a proxy throws here.
    refuse('a value cannot be read.', PLAIN_DATA);
    return { value: undefined, problems };
  }
}

const PLAIN_DATA = 'A flow is plain data: text, numbers, true and false, null, lists and objects.';

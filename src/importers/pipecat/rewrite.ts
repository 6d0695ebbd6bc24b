import type { DocumentPath, Problem } from '../../flow/document/problems/diagnostic.ts';
import type { Origins } from '../origins.ts';

/** The findings of a conversion. Problems are at places of the input. */
export interface Findings {
  readonly problems: Problem[];
  readonly origins: Origins;
  /** Forms that only one of Pipecat's formats has. */
  readonly formats: Set<'pipecat-static' | 'pipecat-config'>;
  isVoiceField(key: string): boolean;
  /** Functions are code unless they are marked as transitions only. */
  readonly isFlowConfig: boolean;
}

/**
 * The change of one member: `undefined` keeps it and `drop` removes it. Any other change replaces its value, and its
 * key if `key` is set.
 */
export type Change =
  | undefined
  | 'drop'
  | { readonly key?: never; readonly value: unknown }
  | {
      readonly key: string;
      readonly valueAt: (path: DocumentPath) => unknown;
      /** Whether this member wins if both keys are given. */
      readonly wins?: boolean;
    };

/** An object; only its own members are read. */
export type Members = Readonly<Record<string, unknown>>;

/**
 * Changes members of the object at `path` of the result. An object without changes is returned itself. Members with
 * special names stay members.
 */
export function rewriteMembers(
  members: Members,
  path: DocumentPath,
  findings: Findings,
  change: (key: string, value: unknown) => Change,
): Members {
  let changed: Map<string, unknown> | undefined;
  const keys = Object.keys(members);
  const won = new Set<string>();
  for (const key of keys) {
    if (won.has(key)) continue;
    const result = change(key, members[key]);
    if (result === undefined) {
      changed?.set(key, members[key]);
      continue;
    }
    changed ??= new Map(keys.slice(0, keys.indexOf(key)).map((earlier) => [earlier, members[earlier]]));
    if (result === 'drop') continue;
    if (result.key === undefined) changed.set(key, result.value);
    else {
      const isTwice = Object.hasOwn(members, result.key) || changed.has(result.key);
      if (isTwice) findings.problems.push(conflict(key, result, findings.origins.of([...path, key])));
      if (isTwice && result.wins !== true) continue;
      won.add(result.key);
      const target = [...path, result.key];
      findings.origins.moved(target, findings.origins.of([...path, key]));
      changed.set(result.key, result.valueAt(target));
    }
  }
  return changed === undefined ? members : Object.fromEntries(changed);
}

/** Changes items of a list. A list without changes is returned itself. */
export function rewriteItems(
  list: readonly unknown[],
  change: (item: unknown, index: number) => unknown,
): readonly unknown[] {
  let changed: unknown[] | undefined;
  for (const [index, item] of list.entries()) {
    const result = change(item, index);
    if (result === item) changed?.push(item);
    else (changed ??= list.slice(0, index)).push(result);
  }
  return changed ?? list;
}

/** Checks whether a value is an object with members, and not a list. */
export function isRecord(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function conflict(key: string, target: { readonly key: string; readonly wins?: boolean }, path: DocumentPath): Problem {
  const both = `"${key}" and "${target.key}" mean the same, and both are given`;
  return {
    code: 'conflicting-keys',
    ...(target.wins === true
      ? { severity: 'warning', message: `${both}: "${key}" counts.`, hint: `Remove "${target.key}".` }
      : { severity: 'error', message: `${both}.`, hint: `Keep "${target.key}".` }),
    path,
    atKey: true,
  };
}

import type { $ZodIssue } from 'zod/v4/core';
import type { DocumentPath } from '../../flow/document/problems/diagnostic.ts';
import { valueAt } from '../../flow/load/yaml/part-at.ts';
import { type FlowTestDocument, flowTestSchema } from '../document/document.ts';

type Keys = Record<PropertyKey, unknown>;

/**
 * Returns a file of tests without the parts with a wrong form, with every place unchanged, so that the names in the
 * rest can be checked. Returns null if nothing is left.
 */
export function soundPart(value: object, issues: readonly $ZodIssue[]): FlowTestDocument | null {
  const rest = structuredClone(value) as Keys;
  for (const issue of issues)
    if (issue.code === 'unrecognized_keys') forgetKeys(valueAt(rest, issue.path as DocumentPath), issue.keys);
    else leaveOut(rest, issue.path);
  return flowTestSchema.safeParse(rest).data ?? null;
}

function forgetKeys(owner: unknown, keys: readonly string[]): void {
  if (typeof owner === 'object' && owner !== null) for (const key of keys) delete (owner as Keys)[key];
}

/** Removes the key of a turn, of a scenario or of the file that contains a path. */
function leaveOut(file: Keys, [first, index, key, turn, keyOfTurn]: readonly PropertyKey[]): void {
  const { scenarios } = file;
  if (first !== 'scenarios' || !Array.isArray(scenarios) || typeof index !== 'number') {
    if (first !== undefined) delete file[first];
    return;
  }
  const scenario = scenarios[index] as Keys | null;
  if (key === undefined || typeof scenario !== 'object' || scenario === null) {
    scenarios[index] = { name: `scenario ${index + 1}`, turns: [{}] };
    return;
  }
  const { turns } = scenario;
  if (key === 'name') scenario['name'] = `scenario ${index + 1}`;
  else if (key !== 'turns') delete scenario[key];
  else if (!Array.isArray(turns) || typeof turn !== 'number') scenario['turns'] = [{}];
  else if (keyOfTurn === undefined || typeof turns[turn] !== 'object' || turns[turn] === null) turns[turn] = {};
  else delete (turns[turn] as Keys)[keyOfTurn];
}

import type { JsonObject } from '../../../model/json.ts';
import { type Binding, bindingReferences, resolveBinding } from '../../expression/binding.ts';
import { type Lookup, resolvePath } from '../../expression/path.ts';
import { unwrittenMessage } from '../../expression/template.ts';
import { issuesText } from '../describe-issue.ts';
import type { GraphTask } from '../graph.ts';
import { parseSafely } from '../parse-safely.ts';
import type { Evaluation } from '../nodes/node-type.ts';

/** The input of a catalog node, bound and parsed. */
export interface BoundInput {
  readonly ok: true;
  readonly bound: JsonObject;
  readonly value: unknown;
}

/** Binds the input of a catalog node. Fails with `text-too-long` or `input-invalid` if its type does not accept it. */
export function boundInput(task: GraphTask, lookup: Lookup): BoundInput | Extract<Evaluation, { ok: false }> {
  const unwritten: string[] = [];
  const resolved = resolveBinding(task.input, lookup, (path) => unwritten.push(path)) as JsonObject; // The input is a map.
  if (unwritten.length > 0) return { ok: false, code: 'text-too-long', message: unwrittenMessage(unwritten) };
  // Documents and bindings contain JSON.
  const bound = { ...resolved, ...task.literal } as JsonObject;
  const { data, error } = parseSafely(task.type.input, bound);
  if (error === undefined) return { ok: true, bound, value: data };
  const fact = issuesText('input', task.type.input, error, bound);
  return { ok: false, code: 'input-invalid', message: `${fact}${missingText(task.input, lookup)}` };
}

/** Lists the names in a binding without a value. */
function missingText(binding: Binding, lookup: Lookup): string {
  const missing = bindingReferences(binding).filter(({ path }) => resolvePath(path, lookup) === undefined);
  const names = new Set(missing.map(({ path }) => path.join('.')));
  return names.size === 0 ? '' : ` Without a value: ${[...names].slice(0, 3).join(', ')}.`;
}

import type { Json, JsonObject } from '../../model/json.ts';
import type { Graph, GraphFunction } from '../../flow/graph/graph.ts';
import type { ToolStandIn } from '../document/document.ts';

/** A possible result of a tool, and the transition that it leads to, or null if it does not lead to a specific one. */
export interface Outcome {
  readonly standIn: ToolStandIn;
  readonly to: string | null;
}

/**
 * The possible results of a function in a flow: a result for each of its cases, a result that matches no case, a failure and
 * no answer. Results have a text for each name that the flow reads from them.
 */
export function outcomesOf(graph: Graph, one: GraphFunction): readonly Outcome[] {
  const read = one.saveAs === null ? {} : readOf(graph, one.saveAs);
  const { target } = one;
  const failures: readonly Outcome[] = [
    { standIn: { throws: 'It does not work.' }, to: null },
    { standIn: { hangs: true }, to: null },
  ];
  if (target?.kind !== 'branch')
    return [{ standIn: { returns: { ...read, ok: true } }, to: target?.to ?? null }, ...failures];
  const { field } = target;
  const cases = [...target.cases].map(([value, to]): Outcome => ({ standIn: { returns: at(field, value, read) }, to }));
  const other: readonly Outcome[] =
    target.otherwise === null
      ? []
      : [{ standIn: { returns: at(field, 'something else', read) }, to: target.otherwise }];
  return [...cases, ...other, ...failures];
}

function at([first = '', ...rest]: readonly string[], value: string, among: JsonObject): JsonObject {
  return { ...among, [first]: rest.length === 0 ? value : at(rest, value, {}) };
}

/** The members of a result that the document reads, each with a value of a suitable type. */
function readOf({ document }: Graph, name: string): JsonObject {
  const text = JSON.stringify(document);
  const found: Record<string, Json> = {};
  for (const [, member = ''] of text.matchAll(new RegExp(`\\b${name}\\.(\\w+)`, 'g')))
    found[member] = /times|days|list|options/.test(member) ? ['15:00', '18:00'] : 'soon';
  return found;
}

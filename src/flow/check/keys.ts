import { collectedNames } from '../document/node.ts';
import type { Graph, GraphFunction, GraphNode } from '../graph/graph.ts';
import type { NodeSources } from '../graph/nodes/node-source.ts';
import { type Report, addProblem } from '../graph/report.ts';
import { nearNames } from './near-names.ts';

/** Reports menus whose keys lead nowhere or are part of an entry, and texts that would speak a sealed slot. */
export function checkKeys(report: Report, graph: Graph, sources: NodeSources): void {
  for (const { id, source, path } of sources.values()) {
    const node = graph.nodes.get(id);
    if (node === undefined) continue;
    for (const [key, target] of Object.entries(source.keys ?? {}))
      reportTarget(report, graph, node, key, target, [...path, 'keys', key]);
    const collected = collectedNames(source.collect).find((name) => graph.slots.get(name)?.dtmf != null);
    if (collected !== undefined && node.keys.size > 0)
      addProblem(
        report,
        'error',
        'keys-collide',
        [...path, 'keys'],
        `node "${id}" has a menu and collects "${collected}" by keys, so a key means two things.`,
        { hint: 'Move the menu to a node before or after this one.', atKey: true },
      );
  }
  reportSpoken(report, graph);
}

function reportTarget(
  report: Report,
  graph: Graph,
  node: GraphNode,
  key: string,
  target: string,
  path: readonly (string | number)[],
): void {
  const offered = [...node.functions, ...graph.functions].find(({ name }) => name === target);
  if (offered === undefined && !graph.nodes.has(target))
    addProblem(report, 'error', 'unknown-key-target', path, `key ${key} leads to "${target}", which does not exist.`, {
      hint:
        nearNames([...node.functions.map(({ name }) => name), ...graph.nodes.keys()])(target) ??
        'Name a function that the node offers, or a node.',
    });
  else if (offered !== undefined && !isFollowedByKey(offered))
    addProblem(report, 'error', 'key-target-unfit', path, `key ${key} calls "${target}", which does more than move.`, {
      hint: 'Name a node that calls the function: a node has "call" for that.',
    });
}

/** Checks whether a function only leads to a node, so that a key says all of it. */
function isFollowedByKey({ body, callback, confirm, target, parameters }: GraphFunction): boolean {
  const required = parameters['required'];
  const asksForNothing = !Array.isArray(required) || required.length === 0;
  return body === 'edge' && callback === null && confirm === null && target?.kind === 'node' && asksForNothing;
}

/** Reports texts and prompts with a slot whose digits only functions receive. */
function reportSpoken(report: Report, { slots }: Graph): void {
  for (const { reference, path, within, local, isDenied } of report.names) {
    const [name = ''] = reference;
    const slot = slots.get(name);
    if (slot === undefined || slot.dtmf === null || !slot.pii || local.includes(name)) continue;
    // Bindings pass the value to a function, and a condition may check that it is known.
    if (isDenied !== undefined || path.includes('input')) continue;
    addProblem(
      report,
      'error',
      'sealed-slot-spoken',
      path,
      `"${name}" is personal and takes keys, so no text has it.`,
      {
        hint: 'Pass it to a function: only functions receive the digits.',
        ...(within === undefined ? {} : { within }),
      },
    );
  }
}

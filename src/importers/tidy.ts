import type { DraftEdge, DraftFunction, DraftNode } from './draft-node.ts';

/** The nodes, edges and functions of a document, while it is made. */
export interface Parts {
  readonly initial: string | undefined;
  readonly nodes: ReadonlyMap<string, DraftNode>;
  readonly edges: readonly DraftEdge[];
  readonly functions: readonly DraftFunction[];
}

/**
 * Finds nodes that only lead to another node, so that everything that leads to them can lead there directly. With
 * `derived`, a node that was made of a page takes the name of the page if that page only leads to it.
 */
export function shortcuts(
  { nodes, edges }: Parts,
  isDerived: (id: string, of: string) => boolean,
): ReadonlyMap<string, string> {
  const decides = new Set(edges.map(({ from }) => from));
  const direct = new Map<string, string>();
  for (const [id, { type, default_transition: to, description: _about, ...rest }] of nodes)
    if (type === 'control.noop' && to !== undefined && Object.keys(rest).length === 0 && !decides.has(id))
      direct.set(id, to);
  const found = new Map<string, string>();
  for (const id of direct.keys()) {
    const seen = new Set([id]);
    let to = id;
    for (let next = direct.get(to); next !== undefined && !seen.has(next); next = direct.get(to)) seen.add((to = next));
    // Nodes that lead in a circle stay as they are. A check reports them.
    if (to !== id && !direct.has(to)) found.set(id, to);
  }
  const renamed = new Map<string, string>();
  for (const [id, to] of found) if (isDerived(to, id) && !renamed.has(to)) renamed.set(to, id);
  const final = new Map([...found].map(([id, to]) => [id, renamed.get(to) ?? to]));
  for (const [to, id] of renamed) final.set(to, id);
  return final;
}

/** Returns the nodes that can be reached from the initial node, from the functions of the flow, or from `kept`. */
export function reachable({ initial, nodes, edges, functions }: Parts, kept: Iterable<string>): ReadonlySet<string> {
  const leads = new Map<string, string[]>();
  for (const { from, to } of edges) leads.set(from, [...(leads.get(from) ?? []), to]);
  const found = new Set<string>();
  const open = [...(initial === undefined ? [] : [initial]), ...functions.flatMap(targetsOf), ...kept];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    const node = nodes.get(id);
    if (node === undefined || found.has(id)) continue;
    found.add(id);
    const { default_transition: next, on_error: failed, ladder, functions: own = [] } = node;
    open.push(...[next, failed, ladder?.on_no_input, ladder?.on_no_match].flatMap((to) => to ?? []));
    open.push(...own.flatMap(targetsOf), ...(leads.get(id) ?? []));
  }
  return found;
}

function targetsOf({ transition_to: to }: DraftFunction): readonly string[] {
  if (to === undefined) return [];
  return typeof to === 'string'
    ? [to]
    : [...Object.values(to.cases), ...(to.default === undefined ? [] : [to.default])];
}

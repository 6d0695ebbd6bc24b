import type { Draft } from '../draft.ts';
import { isRecord } from '../pipecat/rewrite.ts';
import type { Exit } from '../router.ts';
import type { Source } from '../source.ts';
import { tellNowhere, type Resolve } from './edges.ts';
import { idTexts } from './nodes.ts';
import { plainText } from '../words.ts';

/** A node of Retell with its id here. */
export interface KeyedNode {
  readonly source: Source;
  readonly id: string;
}

/** Nodes that refer to each other by their ids: the nodes of the flow, or those of a component that a node runs. */
export interface Scope {
  readonly nodes: readonly KeyedNode[];
  readonly ids: ReadonlyMap<string, string>;
  /** Tools by their ids and names. */
  readonly tools: ReadonlyMap<string, Source>;
  readonly resolve: Resolve;
  /** How many components it is nested in. */
  readonly depth: number;
}

export interface Scopes {
  readonly main: Scope;
  /** The exits back from nodes that can be reached from everywhere. */
  readonly backs: { readonly id: string; readonly ways: readonly Exit[] }[];
  /** All scopes, including those that are opened during the iteration. */
  all(): Iterable<Scope>;
  /** Opens the component that a node runs. Its open ends lead to `exit`. Returns undefined if it is not in the file. */
  open(node: Source, id: string, exit: string | undefined, from: Scope): { readonly start: string } | undefined;
}

/** How deep components may be nested. */
const deepest = 6;

export function createScopes(draft: Draft, flow: Source): Scopes {
  const components = componentsOf(flow);
  const shared = toolsOf(flow);
  const scopes: Scope[] = [];
  const add = (holder: Source, prefix: string, exit: string | undefined, depth: number): Scope => {
    const nodes = holder.items('nodes').flatMap((source): readonly KeyedNode[] => {
      if (!isRecord(source.value)) {
        draft.notes.lost(source, 'a node that is not a map was left out');
        return [];
      }
      const texts = idTexts(source);
      const named = texts.find((text) => text !== undefined && text.trim() !== '');
      return [{ source, id: draft.id(prefix === '' ? named : `${prefix} ${named ?? 'node'}`) }];
    });
    const ids = new Map(nodes.map(({ source, id }) => [plainText(source.at('id').value), id]));
    const resolve: Resolve = (edge) => {
      const to = edge.text('destination_node_id');
      const id = to === undefined ? exit : ids.get(to);
      if (id === undefined) tellNowhere(draft, edge, to);
      return id;
    };
    const scope = { nodes, ids, tools: new Map([...shared, ...toolsOf(holder)]), resolve, depth };
    scopes.push(scope);
    return scope;
  };
  const main = add(flow, '', undefined, 0);
  return {
    main,
    backs: [],
    *all() {
      for (let index = 0; index < scopes.length; index += 1) {
        const scope = scopes[index];
        if (scope !== undefined) yield scope;
      }
    },
    open(node, id, exit, from) {
      const key = ['component_id', 'conversation_flow_component_id', 'component_name']
        .map((name) => node.text(name))
        .find((name) => name !== undefined);
      const component = components.get(key ?? '') ?? components.get(plainText(node.at('name').value ?? ''));
      if (component === undefined) {
        draft.notes.lost(node, `the component ${JSON.stringify(key ?? '')} is not in the file: export it as well`);
        return undefined;
      }
      if (from.depth >= deepest) {
        draft.notes.lost(node, 'components that run each other without end were cut off');
        return undefined;
      }
      for (const name of [
        'name',
        'conversation_flow_component_id',
        'component_id',
        'id',
        'start_node_id',
        'begin_tag_display_position',
        'description',
      ])
        component.at(name).take();
      const scope = add(component, id, exit, from.depth + 1);
      const begins = scope.ids.get(plainText(component.at('start_node_id').value)) ?? scope.nodes[0]?.id;
      return begins === undefined ? undefined : { start: begins };
    },
  };
}

/** Components by every name that a node may use for them. */
function componentsOf(flow: Source): ReadonlyMap<string, Source> {
  const found = new Map<string, Source>();
  for (const component of flow.items('components'))
    for (const key of ['component_id', 'conversation_flow_component_id', 'id', 'name']) {
      const value = component.at(key).value;
      if (typeof value === 'string' && !found.has(value)) found.set(value, component);
    }
  return found;
}

function toolsOf(holder: Source): ReadonlyMap<string, Source> {
  const found = new Map<string, Source>();
  for (const tool of holder.items('tools'))
    for (const key of ['tool_id', 'name']) {
      const value = tool.at(key).value;
      if (typeof value === 'string' && !found.has(value)) found.set(value, tool);
    }
  return found;
}

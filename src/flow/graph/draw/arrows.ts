import type { Graph, GraphFunction, GraphNode, LadderRule, Target } from '../graph.ts';
import { whenText } from './when-text.ts';

/** A way from one node to another, for drawings of a flow. */
export interface Arrow {
  /** The id of a node; null if the way is open in any node. */
  readonly from: string | null;
  /** The id of a node, `$return`, or null if the author's code decides. */
  readonly to: string | null;
  /**
   * The trigger. `refused`: a no to a function's question; `expired`: a deadline of a wait, or an outcome of a
   * transfer; `trouble`: `on_trouble`, or
   * the end of a ladder.
   */
  readonly kind: 'function' | 'refused' | 'edge' | 'default' | 'expired' | 'error' | 'trouble';
  /** The function's name with its marks, or the condition; empty for an unconditional way. */
  readonly label: string;
  /** The name of the function behind it. */
  readonly function?: string;
  /** For an edge: its index in the document. */
  readonly edge?: number;
}

/** Returns all ways of a flow: first those open in any node, then node by node in file order. */
export function arrowsOf(graph: Graph): readonly Arrow[] {
  return [
    ...graph.functions.flatMap((item) => functionArrows(null, item)),
    ...errorArrow(null, graph.trouble.onError),
    ...troubleArrow(null, graph.onTrouble, 'on trouble'),
    ...ladderArrows(null, graph.trouble.ladder),
    ...[...graph.slots.values()].flatMap(({ name, ladder }) => ladderArrows(null, ladder, ` of ${name}`)),
    ...[...graph.nodes.values()].flatMap((node) => arrowsFrom(graph, node)),
  ];
}

function arrowsFrom(graph: Graph, node: GraphNode): readonly Arrow[] {
  const { id: from, functions, edges, defaultTransition, interrupt, trouble } = node;
  return [
    ...functions.flatMap((item) => functionArrows(from, item)),
    ...keyArrows(graph, node),
    ...edges.map(({ to, index }): Arrow => {
      const when = graph.document.edges?.[index]?.when;
      return { from, to, kind: 'edge', label: when === undefined ? 'always' : whenText(when), edge: index };
    }),
    ...(defaultTransition === null ? [] : [{ from, to: defaultTransition, kind: 'default' as const, label: '' }]),
    ...(interrupt?.leadsTo ?? []).map(({ to, outcome }) => ({
      ...{ from, to, kind: 'expired' as const },
      label: outcome?.replace('_', ' ') ?? 'no answer',
    })),
    ...errorArrow(from, trouble.onError),
    ...ladderArrows(from, trouble.ladder),
  ];
}

function keyArrows(graph: Graph, { id: from, keys }: GraphNode): readonly Arrow[] {
  return [...keys].flatMap(([key, to]) =>
    graph.nodes.has(to) ? [{ from, to, kind: 'function', label: `key ${key}` }] : [],
  );
}

function functionArrows(from: string | null, item: GraphFunction): readonly Arrow[] {
  const { name, callback, onRefuse, target } = item;
  const label = functionText(item);
  if (callback !== null) return [{ from, to: null, kind: 'function', label, function: name }];
  const refused: readonly Arrow[] =
    onRefuse === null ? [] : [{ from, to: onRefuse, kind: 'refused', label: `${name}: refused`, function: name }];
  if (target === null) return refused;
  const arrows = targetsOf(target).map(({ to, condition }): Arrow => {
    const text = condition === '' ? label : `${label}: ${condition}`;
    return { from, to, kind: 'function', label: text, function: name };
  });
  return [...arrows, ...refused];
}

function targetsOf(target: Target): readonly { readonly to: string; readonly condition: string }[] {
  if (target.kind === 'node') return [{ to: target.to, condition: '' }];
  const field = target.field.join('.');
  const cases = [...target.cases].map(([value, to]) => ({ to, condition: `${field} = ${value}` }));
  return target.otherwise === null ? cases : [...cases, { to: target.otherwise, condition: 'otherwise' }];
}

function errorArrow(from: string | null, to: string | null): readonly Arrow[] {
  return to === null ? [] : [{ from, to, kind: 'error', label: 'on error' }];
}

function ladderArrows(from: string | null, { onNoInput, onNoMatch }: LadderRule, of = ''): readonly Arrow[] {
  if (onNoInput === onNoMatch) return troubleArrow(from, onNoInput, `no answer${of}`);
  return [...troubleArrow(from, onNoInput, `no input${of}`), ...troubleArrow(from, onNoMatch, `no match${of}`)];
}

function troubleArrow(from: string | null, to: string | null, label: string): readonly Arrow[] {
  return to === null ? [] : [{ from, to, kind: 'trouble', label }];
}

/** Returns a function's name with its marks. */
function functionText({ name, write, confirm, digression }: GraphFunction): string {
  const marks = [
    ...(write ? ['write'] : []),
    ...(confirm === null ? [] : ['confirm']),
    ...(digression ? ['digression'] : []),
  ];
  return [name, ...marks].join(' · ');
}

/** Returns the functions without a target, which do not leave the node. */
export function stayingText(functions: readonly GraphFunction[]): string {
  const staying = functions.filter(({ target, callback }) => target === null && callback === null);
  return staying.map(functionText).join(', ');
}

/** The kind of a node for drawings, with a short description. */
export interface NodeFace {
  /** An end; a task that runs by itself; slots to ask for; a fixed line; a node left to the model. */
  readonly kind: 'end' | 'task' | 'ask' | 'say' | 'model';
  readonly detail: string;
}

/** The face of a node. */
export function faceOf(node: GraphNode): NodeFace {
  const said = node.say?.texts[0].source ?? '';
  if (node.end !== null) return { kind: 'end', detail: said === '' ? node.end : said };
  const asks = node.interrupt?.asks;
  const type = node.task?.type ?? (asks !== undefined && 'type' in asks ? asks.type : undefined);
  if (type !== undefined) return { kind: 'task', detail: type.name };
  if (node.call !== null) return { kind: 'task', detail: callText(node, node.call.function) };
  if (node.collect.length > 0) return { kind: 'ask', detail: `asks ${node.collect.join(', ')}` };
  if (node.say !== null) return { kind: 'say', detail: said };
  return { kind: 'model', detail: node.messages[0]?.content.source ?? '' };
}

/** Describes a node that makes a call: it says, asks, then calls. */
function callText({ say, collect }: GraphNode, name: string): string {
  const steps = [say?.texts[0].source ?? '', collect.length === 0 ? '' : `asks ${collect.join(', ')}`, `calls ${name}`];
  return steps.filter((step) => step !== '').join(', ');
}

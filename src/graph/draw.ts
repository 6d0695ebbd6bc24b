import { returnTarget } from '../flow/function.ts';
import { type Arrow, arrowsOf, faceOf, type NodeFace, stayingText } from './arrows.ts';
import { quoted } from './draw-label.ts';
import type { Graph, GraphNode } from './graph.ts';

/**
 * A flow as a Mermaid flowchart: nodes by kind (what is said, asked, left to the model, computed, an end), edges by what
 * takes them. The same graph gives the same text, and no name or wording in it is read as Mermaid.
 */
export function drawMermaid(graph: Graph): string {
  const nodes = [...graph.nodes.values()];
  const arrows = [{ from: BEGIN, to: graph.initial, label: '', isDotted: false }, ...arrowsOf(graph).map(drawn)];
  const ids = new Map<Place, string>(nodes.map(({ id }, index) => [id, `n${index}`]));
  const marks: [Place, id: string, shape: string][] = [
    [BEGIN, 'begin', '((" "))'],
    [ANYWHERE, 'anywhere', `((${quoted(['any node', stayingText(graph.functions)])}))`],
    [returnTarget, 'back', '(("back"))'],
    [CODE, 'code', '{"code decides"}'],
  ];
  const used = new Set(arrows.flatMap(({ from, to }) => [from, to]));
  if (graph.functions.length > 0) used.add(ANYWHERE);
  const drawnMarks = marks.filter(([place]) => used.has(place) && !ids.has(place));
  for (const [place, id] of drawnMarks) ids.set(place, id);
  const lines = [
    'flowchart TD',
    ...drawnMarks.map(([, id, shape]) => `${id}${shape}`),
    ...nodes.map((node) => `${ids.get(node.id)}${shapeOf(node)}`),
    ...arrows.map(({ from, to, label, isDotted }) => {
      return `${ids.get(from)} ${isDotted ? '-.->' : '-->'}${label === '' ? '' : `|${quoted([label])}|`} ${ids.get(to)}`;
    }),
  ];
  return `${lines.join('\n  ')}\n`;
}

/** A node by its id, or one of the marks that are drawn besides. */
type Place = string | symbol;

const BEGIN = Symbol('begin');
const ANYWHERE = Symbol('anywhere');
const CODE = Symbol('code');

function drawn({ from, to, kind, label }: Arrow): { from: Place; to: Place; label: string; isDotted: boolean } {
  return {
    from: from ?? ANYWHERE,
    to: to ?? CODE,
    label: kind === 'default' ? 'default' : label,
    isDotted: to === null || kind === 'error' || kind === 'expired',
  };
}

function shapeOf(node: GraphNode): string {
  const { kind, detail } = faceOf(node);
  const [open, close] = shapes[kind];
  return `${open}${quoted([node.id, detail, stayingText(node.functions)])}${close}`;
}

const shapes: Readonly<Record<NodeFace['kind'], readonly [open: string, close: string]>> = {
  end: ['([', '])'],
  task: ['{{', '}}'],
  ask: ['[[', ']]'],
  say: ['[/', '/]'],
  model: ['(', ')'],
};

import { returnTarget } from '../../document/function.ts';
import { type Arrow, arrowsOf, faceOf, type NodeFace, stayingText } from './arrows.ts';
import { quoted } from './label.ts';
import type { Graph, GraphNode } from '../graph.ts';

/** Draws a flow as a Mermaid flowchart: nodes by kind, edges by trigger. Deterministic; names and texts are escaped. */
export function drawMermaid(graph: Graph): string {
  const { nodes, arrows } = drawingOf(graph);
  const lines = [
    'flowchart TD',
    ...nodes.map(
      ({ id, lines: texts, open, close }) => `${id}${open}${id === 'begin' ? '" "' : quoted(texts)}${close}`,
    ),
    ...arrows.map(({ from, to, label, isDotted }) => {
      return `${from} ${isDotted ? '-.->' : '-->'}${label === '' ? '' : `|${quoted([label])}|`} ${to}`;
    }),
  ];
  return `${lines.join('\n  ')}\n`;
}

/** The content of a drawing, independent of the format. */
export interface Drawing {
  readonly nodes: readonly DrawnNode[];
  readonly arrows: readonly DrawnArrow[];
}

export interface DrawnNode {
  /** A word, unique in the drawing. */
  readonly id: string;
  /** The name of the node, then what it says or does. */
  readonly lines: readonly string[];
  /** The shape in Mermaid syntax. */
  readonly open: string;
  readonly close: string;
  readonly isMark: boolean;
}

export interface DrawnArrow {
  readonly from: string;
  readonly to: string;
  readonly label: string;
  readonly isDotted: boolean;
}

/** Returns the nodes and arrows of a drawing. Deterministic. */
export function drawingOf(graph: Graph): Drawing {
  const nodes = [...graph.nodes.values()];
  const arrows = [{ from: BEGIN, to: graph.initial, label: '', isDotted: false }, ...arrowsOf(graph).map(drawn)];
  const ids = new Map<Place, string>(nodes.map(({ id }, index) => [id, `n${index}`]));
  const marks: [Place, id: string, open: string, lines: readonly string[], close: string][] = [
    [BEGIN, 'begin', '((', [], '))'],
    [ANYWHERE, 'anywhere', '((', ['any node', stayingText(graph.functions)], '))'],
    [returnTarget, 'back', '((', ['back'], '))'],
    [CODE, 'code', '{', ['code decides'], '}'],
  ];
  const used = new Set(arrows.flatMap(({ from, to }) => [from, to]));
  if (graph.functions.length > 0) used.add(ANYWHERE);
  const drawnMarks = marks.filter(([place]) => used.has(place) && !ids.has(place));
  for (const [place, id] of drawnMarks) ids.set(place, id);
  return {
    nodes: [
      ...drawnMarks.map(([, id, open, lines, close]) => ({ id, open, lines, close, isMark: true })),
      ...nodes.map((node) => ({ id: ids.get(node.id) ?? '', ...shapeOf(node), isMark: false })),
    ],
    arrows: arrows.map(({ from, to, label, isDotted }) => ({
      from: ids.get(from) ?? '',
      to: ids.get(to) ?? '',
      label,
      isDotted,
    })),
  };
}

/** A node id, or an additional mark. */
type Place = string | symbol;

const BEGIN = Symbol('begin');
const ANYWHERE = Symbol('anywhere');
const CODE = Symbol('code');

function drawn({ from, to, kind, label }: Arrow): { from: Place; to: Place; label: string; isDotted: boolean } {
  return {
    from: from ?? ANYWHERE,
    to: to ?? CODE,
    label: kind === 'default' ? 'default' : label,
    isDotted: to === null || kind === 'error' || kind === 'expired' || kind === 'trouble',
  };
}

function shapeOf(node: GraphNode): Pick<DrawnNode, 'open' | 'close' | 'lines'> {
  const { kind, detail } = faceOf(node);
  const [open, close] = shapes[kind];
  return { open, close, lines: [node.id, detail, stayingText(node.functions)] };
}

const shapes: Readonly<Record<NodeFace['kind'], readonly [open: string, close: string]>> = {
  end: ['([', '])'],
  task: ['{{', '}}'],
  ask: ['[[', ']]'],
  say: ['[/', '/]'],
  model: ['(', ')'],
};

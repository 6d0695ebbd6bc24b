import type { Picture, PictureArrow } from './picture.ts';
import { type ArrowLabel, type Box, boxesOf, labelOf, type Measure } from './boxes.ts';

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A picture with positions, in pixels from the top left. */
export interface Layout {
  readonly width: number;
  readonly height: number;
  readonly boxes: readonly PlacedBox[];
  readonly lines: readonly PlacedArrow[];
}

export type PlacedBox = Box & Point;

export interface PlacedArrow {
  readonly arrow: PictureArrow;
  /** From the source node to the target node, with bends. */
  readonly points: readonly Point[];
  readonly label: (ArrowLabel & Point) | null;
}

/** A graph in the format of ELK. */
export interface ElkGraph {
  readonly id: string;
  readonly layoutOptions: Readonly<Record<string, string>>;
  readonly children: readonly { readonly id: string; readonly width: number; readonly height: number }[];
  readonly edges: readonly ElkEdge[];
}

interface ElkEdge {
  readonly id: string;
  readonly sources: readonly string[];
  readonly targets: readonly string[];
  readonly labels: readonly {
    readonly text: string;
    readonly width: number;
    readonly height: number;
    readonly layoutOptions: Readonly<Record<string, string>>;
  }[];
}

/** The result of ELK: the same graph with positions. */
export interface ElkPlaces {
  readonly width?: number;
  readonly height?: number;
  readonly children?: readonly (Point & { readonly id: string })[];
  readonly edges?: readonly {
    readonly sections?: readonly {
      readonly startPoint: Point;
      readonly bendPoints?: readonly Point[];
      readonly endPoint: Point;
    }[];
    readonly labels?: readonly Partial<Point>[];
  }[];
}

/** The input for ELK, and the conversion of its result. */
export interface LayoutQuestion {
  readonly graph: ElkGraph;
  readonly placed: (places: ElkPlaces) => Layout;
}

/**
 * Returns the layout question of a picture. The order of the file determines which arrows point down and which lead
 * back.
 */
export function layoutQuestion(picture: Picture, measure: Measure): LayoutQuestion {
  const boxes = boxesOf(picture, measure);
  const arrows = picture.arrows.map((arrow) => ({ arrow, label: labelOf(arrow, measure) }));
  // A node name may be any YAML key, so ELK gets numbers.
  const ids = new Map(boxes.map(({ node }, index) => [node.id, `n${index}`]));
  const graph: ElkGraph = {
    id: 'root',
    layoutOptions: optionsFor(boxes.length),
    children: boxes.map(({ width, height }, index) => ({ id: `n${index}`, width, height })),
    edges: arrows.map(({ arrow, label }, index) => ({
      id: `e${index}`,
      sources: [ids.get(arrow.from) ?? ''],
      targets: [ids.get(arrow.to) ?? ''],
      labels:
        label === null
          ? []
          : [
              {
                text: label.lines.join('\n'),
                width: label.width,
                height: label.height,
                layoutOptions: { 'elk.edgeLabels.inline': 'true' },
              },
            ],
    })),
  };
  const placed = ({ width = 0, height = 0, children = [], edges = [] }: ElkPlaces): Layout => ({
    width,
    height,
    boxes: boxes.map((box, index) => ({ ...box, x: children[index]?.x ?? 0, y: children[index]?.y ?? 0 })),
    lines: arrows.map(({ arrow, label }, index) => {
      const [section] = edges[index]?.sections ?? [];
      const place = edges[index]?.labels?.[0];
      return {
        arrow,
        points: section === undefined ? [] : [section.startPoint, ...(section.bendPoints ?? []), section.endPoint],
        label: label === null ? null : { ...label, x: place?.x ?? 0, y: place?.y ?? 0 },
      };
    }),
  });
  return { graph, placed };
}

/** From this number of nodes on, layers have a maximum width; otherwise the picture would be much wider than high. */
const manyNodes = 45;

function optionsFor(nodes: number): Readonly<Record<string, string>> {
  return {
    'elk.algorithm': 'layered',
    'elk.direction': 'DOWN',
    'elk.edgeRouting': 'ORTHOGONAL',
    'elk.layered.considerModelOrder.strategy': 'NODES_AND_EDGES',
    'elk.layered.cycleBreaking.strategy': 'MODEL_ORDER',
    'elk.layered.nodePlacement.strategy': 'NETWORK_SIMPLEX',
    'elk.spacing.nodeNode': '32',
    'elk.spacing.edgeNode': '16',
    'elk.spacing.edgeEdge': '10',
    'elk.spacing.edgeLabel': '2',
    'elk.layered.spacing.nodeNodeBetweenLayers': '34',
    'elk.layered.spacing.edgeNodeBetweenLayers': '14',
    'elk.padding': '[top=24,left=24,bottom=24,right=24]',
    ...(nodes < manyNodes
      ? {}
      : { 'elk.layered.layering.strategy': 'COFFMAN_GRAHAM', 'elk.layered.layering.coffmanGraham.layerBound': '7' }),
  };
}

/** Maximum radius of rounded corners, in pixels. */
const roundness = 8;

/** Returns the SVG path of an arrow: straight lines with rounded corners. */
export function pathOf(points: readonly Point[]): string {
  return points
    .map((point, index) => {
      const [before, after] = [points[index - 1], points[index + 1]];
      if (before === undefined) return `M${coordinates(point)}`;
      if (after === undefined) return `L${coordinates(point)}`;
      const [from, to] = [towards(point, before), towards(point, after)];
      return `L${coordinates(from)}Q${coordinates(point)} ${coordinates(to)}`;
    })
    .join('');
}

function towards(from: Point, to: Point): Point {
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  const share = length === 0 ? 0 : Math.min(roundness, length / 2) / length;
  return { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share };
}

function coordinates({ x, y }: Point): string {
  return `${Math.round(x * 10) / 10},${Math.round(y * 10) / 10}`;
}

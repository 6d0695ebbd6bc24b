import type { Measure } from './boxes.ts';
import type { Picture, PictureNode } from './picture.ts';

/** A flow at a glance: the names of the nodes, in rows by distance from the start, at the width of the window. */
export interface Overview {
  readonly height: number;
  readonly boxes: readonly OverviewBox[];
  /** Pairs of connected nodes, each once. */
  readonly lines: readonly { readonly from: OverviewBox; readonly to: OverviewBox; readonly ways: readonly string[] }[];
}

export interface OverviewBox {
  readonly node: PictureNode;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const box = { height: 24, padding: 8 } as const;
const gap = { x: 10, y: 10, margin: 16 } as const;

/** Returns the overview. Names keep their font size, so rows that are too wide are wrapped. */
export function overviewOf(picture: Picture, windowWidth: number, measure: Measure): Overview {
  const boxes: OverviewBox[] = [];
  let y: number = gap.margin;
  for (const row of rowsOf(picture)) {
    for (const line of wrapped(row, windowWidth - 2 * gap.margin, measure)) {
      const width = line.reduce((sum, one) => sum + one.width + gap.x, -gap.x);
      let x = Math.max(gap.margin, (windowWidth - width) / 2);
      for (const one of line) {
        boxes.push({ ...one, x, y, height: box.height });
        x += one.width + gap.x;
      }
      y += box.height + gap.y;
    }
  }
  return { height: y - gap.y + gap.margin, boxes, lines: linesOf(picture, boxes) };
}

type Sized = Pick<OverviewBox, 'node' | 'width'>;

function wrapped(row: readonly PictureNode[], most: number, measure: Measure): readonly (readonly Sized[])[] {
  const lines: Sized[][] = [];
  let left = 0;
  for (const node of row) {
    const width = Math.ceil(measure(node.id, 'title')) + 2 * box.padding;
    if (lines.length === 0 || left < width) {
      lines.push([]);
      left = most;
    }
    lines.at(-1)?.push({ node, width });
    left -= width + gap.x;
  }
  return lines;
}

/** Groups nodes by distance from the start; the last row has the nodes that are entered only from anywhere. */
function rowsOf(picture: Picture): readonly (readonly PictureNode[])[] {
  const rank = new Map([[picture.initial, 0]]);
  const open = [picture.initial];
  const pairs = pairsOf(picture);
  for (let id = open.shift(); id !== undefined; id = open.shift())
    for (const { from, to } of pairs) {
      if (from !== id || rank.has(to)) continue;
      rank.set(to, (rank.get(id) ?? 0) + 1);
      open.push(to);
    }
  const last = Math.max(...rank.values()) + 1;
  const rows: PictureNode[][] = Array.from({ length: last + 1 }, () => []);
  for (const node of picture.nodes) rows[rank.get(node.id) ?? last]?.push(node);
  return rows.filter((row) => row.length > 0);
}

/** Returns the arrows, and the chips that replace an arrow. */
function pairsOf({ nodes, arrows }: Picture) {
  const chips = nodes.flatMap(({ id, chips: own }) =>
    own.flatMap(({ kind, to, ways }) => (kind === 'portal' && to !== null ? [{ from: id, to, ways }] : [])),
  );
  return [...arrows, ...chips];
}

function linesOf(picture: Picture, boxes: readonly OverviewBox[]): Overview['lines'] {
  const boxOf = new Map(boxes.map((one) => [one.node.id, one]));
  const found = new Map<string, Overview['lines'][number]>();
  for (const { from: fromId, to: toId, ways } of pairsOf(picture)) {
    const [from, to] = [boxOf.get(fromId), boxOf.get(toId)];
    if (from === undefined || to === undefined || from === to) continue;
    const key = JSON.stringify([fromId, toId]);
    found.set(key, { from, to, ways: [...(found.get(key)?.ways ?? []), ...ways] });
  }
  return [...found.values()];
}

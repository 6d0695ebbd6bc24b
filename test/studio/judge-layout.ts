import type { Layout, Point } from '../../src/flow/picture/layout.ts';

/** Measures of how readable a picture is. */
export interface Judgement {
  /** Arrows that pass through a node at neither of their ends. */
  readonly through: number;
  /** Labels that another arrow crosses. */
  readonly struck: number;
  /** Labels on a node or on another label, and nodes on other nodes. */
  readonly overlaps: number;
  readonly crossings: number;
  readonly size: string;
}

interface Area extends Point {
  readonly width: number;
  readonly height: number;
}

interface Part {
  readonly line: number;
  readonly from: Point;
  readonly to: Point;
}

export function judge({ boxes, lines, width, height }: Layout): Judgement {
  const parts = lines.flatMap(({ points }, line): Part[] =>
    points.slice(1).map((to, index) => ({ line, from: points[index] ?? to, to })),
  );
  const through = parts.filter(({ line, from, to }) => {
    const arrow = lines[line]?.arrow;
    return boxes.some((box) => ![arrow?.from, arrow?.to].includes(box.node.id) && passes(box, from, to));
  });
  const labels = lines.flatMap(({ label }, line) => (label === null ? [] : [{ ...label, line }]));
  const struck = labels.filter((label) =>
    parts.some(({ line, from, to }) => line !== label.line && passes(label, from, to)),
  );
  const areas: readonly Area[] = [...labels, ...boxes];
  const overlaps = areas.flatMap((one, index) => areas.slice(index + 1).filter((other) => overlap(one, other)));
  const crossings = parts.flatMap((one, index) =>
    parts.slice(index + 1).filter((other) => one.line !== other.line && cross(one, other)),
  );
  return {
    ...{ through: through.length, struck: struck.length, overlaps: overlaps.length, crossings: crossings.length },
    size: `${Math.round(width)}×${Math.round(height)}`,
  };
}

/** Whether a straight line crosses an area by more than its rim. */
function passes({ x, y, width, height }: Area, from: Point, to: Point): boolean {
  for (let step = 1; step < 40; step += 1) {
    const at = { x: from.x + ((to.x - from.x) * step) / 40, y: from.y + ((to.y - from.y) * step) / 40 };
    if (at.x > x + 1 && at.x < x + width - 1 && at.y > y + 1 && at.y < y + height - 1) return true;
  }
  return false;
}

function overlap(one: Area, other: Area): boolean {
  const isBeside = one.x >= other.x + other.width || other.x >= one.x + one.width;
  return !isBeside && one.y < other.y + other.height && other.y < one.y + one.height;
}

function cross({ from, to }: Part, other: Part): boolean {
  const side = (a: Point, b: Point, c: Point): number => (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
  const isApart = side(from, to, other.from) * side(from, to, other.to) < -1e-6;
  return isApart && side(other.from, other.to, from) * side(other.from, other.to, to) < -1e-6;
}

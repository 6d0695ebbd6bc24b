import type { Arrow } from '../arrows.ts';

/** Where a node is drawn: the middle of its box. */
export interface Spot {
  readonly x: number;
  readonly y: number;
}

export interface Layout {
  readonly spots: ReadonlyMap<string, Spot>;
  readonly width: number;
  readonly height: number;
}

export const box = { width: 168, height: 40 } as const;
const gap = { x: 28, y: 54 } as const;
const sweeps = 6;

/**
 * Places the nodes of a flow in layers, each below what leads to it; what leads back is left out of that. Within a layer a
 * node stands near those that lead to it.
 */
export function layersOf(ids: readonly string[], initial: string, arrows: readonly Arrow[]): Layout {
  const next = new Map<string, string[]>(ids.map((id) => [id, []]));
  for (const { from, to } of arrows) if (from !== null && next.has(to)) next.get(from)?.push(to);
  const forward = withoutBackWays([initial, ...ids], next);
  const layer = layerOf(ids, forward);
  const rows: string[][] = [];
  for (const id of ids) (rows[layer.get(id) ?? 0] ??= []).push(id);
  order(rows, forward);
  const widest = Math.max(1, ...rows.map((row) => row?.length ?? 0));
  const width = widest * (box.width + gap.x) + gap.x;
  const spots = new Map<string, Spot>();
  for (const [y, row = []] of rows.entries()) {
    const left = (width - row.length * (box.width + gap.x) + gap.x) / 2;
    for (const [x, id] of row.entries())
      spots.set(id, {
        x: left + x * (box.width + gap.x) + box.width / 2,
        y: gap.y + y * (box.height + gap.y) + box.height / 2,
      });
  }
  return { spots, width, height: rows.length * (box.height + gap.y) + gap.y };
}

/** The ways of a depth-first walk that lead to nothing that is still being walked. */
function withoutBackWays(
  starts: readonly string[],
  next: ReadonlyMap<string, readonly string[]>,
): ReadonlyMap<string, readonly string[]> {
  const forward = new Map<string, string[]>();
  const state = new Map<string, 'open' | 'done'>();
  for (const start of starts) {
    const path: { readonly id: string; at: number }[] = state.has(start) ? [] : [{ id: start, at: 0 }];
    if (path.length > 0) state.set(start, 'open');
    for (let step = path.at(-1); step !== undefined; step = path.at(-1)) {
      const to = next.get(step.id)?.[step.at];
      step.at += 1;
      if (to === undefined) {
        state.set(step.id, 'done');
        path.pop();
      } else if (state.get(to) !== 'open') {
        forward.set(step.id, [...(forward.get(step.id) ?? []), to]);
        if (state.has(to)) continue;
        state.set(to, 'open');
        path.push({ id: to, at: 0 });
      }
    }
  }
  return forward;
}

/** The longest way that leads to each node. */
function layerOf(ids: readonly string[], forward: ReadonlyMap<string, readonly string[]>): ReadonlyMap<string, number> {
  const incoming = new Map<string, number>(ids.map((id) => [id, 0]));
  for (const targets of forward.values()) for (const to of targets) incoming.set(to, (incoming.get(to) ?? 0) + 1);
  const layer = new Map<string, number>();
  const ready = ids.filter((id) => incoming.get(id) === 0);
  for (const id of ready) layer.set(id, 0);
  for (let id = ready.shift(); id !== undefined; id = ready.shift())
    for (const to of forward.get(id) ?? []) {
      layer.set(to, Math.max(layer.get(to) ?? 0, (layer.get(id) ?? 0) + 1));
      const left = (incoming.get(to) ?? 1) - 1;
      incoming.set(to, left);
      if (left === 0) ready.push(to);
    }
  return layer;
}

function order(rows: string[][], forward: ReadonlyMap<string, readonly string[]>): void {
  const before = new Map<string, string[]>();
  for (const [from, targets] of forward) for (const to of targets) before.set(to, [...(before.get(to) ?? []), from]);
  for (let sweep = 0; sweep < sweeps; sweep += 1) {
    const isDown = sweep % 2 === 0;
    const place = new Map<string, number>();
    const mark = (row: readonly string[]): void =>
      row.forEach((id, at) => void place.set(id, (at + 1) / (row.length + 1)));
    for (const row of isDown ? rows : rows.toReversed()) {
      if (row === undefined) continue;
      const neighbours = isDown ? before : forward;
      const middle = (id: string, at: number): number => {
        const known = (neighbours.get(id) ?? []).flatMap((one) => place.get(one) ?? []);
        return known.length === 0
          ? (at + 1) / (row.length + 1)
          : known.reduce((sum, one) => sum + one, 0) / known.length;
      };
      const middles = new Map(row.map((id, at) => [id, middle(id, at)]));
      row.sort((one, other) => (middles.get(one) ?? 0) - (middles.get(other) ?? 0));
      mark(row);
    }
  }
}

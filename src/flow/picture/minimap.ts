import type { Layout, Point } from './layout.ts';

interface Size {
  readonly width: number;
  readonly height: number;
}

/** A small picture of all nodes, with the visible part. */
export interface Minimap extends Size {
  readonly scale: number;
  /** The visible part; null if everything is visible. */
  readonly seen: (Point & Size) | null;
}

const most: Size = { width: 150, height: 120 };

/** Returns the minimap. In `viewport` a point `p` of the layout is shown at `p * scale + (x, y)` of the window. */
export function minimapOf(layout: Layout, viewport: Point & { readonly scale: number }, window: Size): Minimap {
  const scale = Math.min(most.width / layout.width, most.height / layout.height);
  const left = Math.max(0, -viewport.x / viewport.scale);
  const top = Math.max(0, -viewport.y / viewport.scale);
  const right = Math.min(layout.width, (window.width - viewport.x) / viewport.scale);
  const bottom = Math.min(layout.height, (window.height - viewport.y) / viewport.scale);
  const isAll = left === 0 && top === 0 && right === layout.width && bottom === layout.height;
  const seen = {
    ...{ x: left * scale, y: top * scale },
    ...{ width: Math.max(0, right - left) * scale, height: Math.max(0, bottom - top) * scale },
  };
  return { scale, width: layout.width * scale, height: layout.height * scale, seen: isAll ? null : seen };
}

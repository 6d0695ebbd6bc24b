import type { Point } from '../../../picture/layout.ts';

/** Which part of a picture is seen: a point `p` of it is shown at `p * scale + (x, y)`. */
export interface Viewport extends Point {
  readonly scale: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Smaller or larger than this nothing is read or found. */
const scales = { smallest: 0.15, largest: 2 } as const;

/** Margin around what is fitted, in pixels. */
const margin = 16;

/** All of a picture in a window, never enlarged. */
export function fitted(picture: Size, window: Size): Viewport {
  const scale = bounded(
    Math.min(1, (window.width - 2 * margin) / picture.width, (window.height - 2 * margin) / picture.height),
  );
  return {
    scale,
    x: (window.width - picture.width * scale) / 2,
    y: Math.max(margin, (window.height - picture.height * scale) / 2),
  };
}

/** Zoomed by a factor, with the point of the window where it is. */
export function zoomed({ x, y, scale }: Viewport, factor: number, at: Point): Viewport {
  const next = bounded(scale * factor);
  const change = next / scale;
  return { scale: next, x: at.x - (at.x - x) * change, y: at.y - (at.y - y) * change };
}

/** With a point of the picture in the middle of the window, at least so large that its texts are read. */
export function centred(viewport: Viewport, at: Point, window: Size, readable = 0.75): Viewport {
  const scale = Math.max(viewport.scale, readable);
  return { scale, x: window.width / 2 - at.x * scale, y: window.height / 2 - at.y * scale };
}

function bounded(scale: number): number {
  return Math.min(scales.largest, Math.max(scales.smallest, scale));
}

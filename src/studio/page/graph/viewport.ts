import type { Point } from '../../../flow/picture/layout.ts';

/** The visible part of a picture: a point `p` is shown at `p * scale + (x, y)`. */
export interface Viewport extends Point {
  readonly scale: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Limits of the zoom. */
const scales = { smallest: 0.15, largest: 2 } as const;

/** Margin around a fitted picture, in pixels. */
const margin = 16;

/** Fits a whole picture into a window without enlarging it. */
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

/** Zooms by a factor around a fixed point of the window. */
export function zoomed({ x, y, scale }: Viewport, factor: number, at: Point): Viewport {
  const next = bounded(scale * factor);
  const change = next / scale;
  return { scale: next, x: at.x - (at.x - x) * change, y: at.y - (at.y - y) * change };
}

/** Centres a point of the picture at a readable scale. */
export function centred(viewport: Viewport, at: Point, window: Size, readable = 0.75): Viewport {
  const scale = Math.max(viewport.scale, readable);
  return { scale, x: window.width / 2 - at.x * scale, y: window.height / 2 - at.y * scale };
}

function bounded(scale: number): number {
  return Math.min(scales.largest, Math.max(scales.smallest, scale));
}

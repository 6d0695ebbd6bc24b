import type { JSX } from 'preact';
import type { Layout, Point } from '../../../flow/picture/layout.ts';
import { minimapOf } from '../../../flow/picture/minimap.ts';
import type { Travelled } from './travelled.ts';
import type { Size, Viewport } from './viewport.ts';

interface MinimapProps {
  readonly layout: Layout;
  readonly viewport: Viewport;
  readonly window: Size;
  readonly travelled: Travelled;
  /** Receives the point of the layout to centre on. */
  readonly onMove: (to: Point) => void;
}

/** Shows which part of the picture is visible, unless all of it is. Arrow keys reach the same nodes. */
export function MinimapView({ layout, viewport, window, travelled, onMove }: MinimapProps): JSX.Element | null {
  const { scale, width, height, seen } = minimapOf(layout, viewport, window);
  if (seen === null || window.width === 0) return null;
  const move = (event: PointerEvent & { readonly currentTarget: SVGSVGElement }): void => {
    const { left, top } = event.currentTarget.getBoundingClientRect();
    onMove({ x: (event.clientX - left) / scale, y: (event.clientY - top) / scale });
  };
  return (
    <svg
      {...{ class: 'minimap', 'aria-hidden': 'true', width, height }}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        move(event);
      }}
      onPointerMove={(event) => {
        if (event.buttons === 1) move(event);
      }}
    >
      {layout.boxes.map((box) => (
        <rect
          key={box.node.id}
          class={travelled.here === box.node.id ? 'here' : travelled.been.has(box.node.id) ? 'been' : ''}
          {...{ x: box.x * scale, y: box.y * scale, width: box.width * scale, height: box.height * scale }}
        />
      ))}
      <rect class="seen" {...seen} />
    </svg>
  );
}

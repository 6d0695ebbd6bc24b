import { useComputed, useSignal, useSignalEffect } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { shownSteps } from '../model/session.ts';
import { against } from '../model/against.ts';
import { isNarrow, isOlderThanFile, selectedNode, selectNode, shownFlow } from '../model/view.ts';
import { Drawing } from './drawing.tsx';
import { layout, layoutFault } from './laid-out.ts';
import type { PlacedBox } from '../../../flow/picture/layout.ts';
import { MinimapView } from './minimap-view.tsx';
import { NodeList } from './node-list.tsx';
import { NodeSearch } from './node-search.tsx';
import { offeredWays } from './offered.ts';
import { OverviewView } from './overview-view.tsx';
import { travelledIn } from './travelled.ts';
import { centred, fitted, type Size, type Viewport, zoomed } from './viewport.ts';

/** The flow as a picture, or as a list on a narrow screen. */
export function GraphPane(): JSX.Element {
  const flow = shownFlow.value;
  if (flow === null) return <p class="empty">There is no flow to draw yet.</p>;
  if (flow.kind === 'generator')
    return (
      <p class="empty">
        This flow is a generator in code, so it has no graph. Talk to it; the time bar shows its steps.
      </p>
    );
  return (
    <div class="graph-pane">
      {isOlderThanFile.value && (
        <p class="banner" role="status">
          This conversation runs an older version of the file.
        </p>
      )}
      {isNarrow.value ? <NodeList /> : <Picture />}
    </div>
  );
}

function Picture(): JSX.Element {
  const host = useRef<HTMLDivElement>(null);
  const size = useSignal<Size>({ width: 0, height: 0 });
  const viewport = useSignal<Viewport>({ x: 0, y: 0, scale: 1 });
  const isFollowing = useSignal(true);
  const isMoving = useSignal(false);
  const isOverview = useSignal(false);
  const focused = useSignal<string | null>(null);
  const travelled = useComputed(() => {
    const flow = shownFlow.value;
    return flow === null ? nowhere : travelledIn(flow, shownSteps.value);
  });
  const offered = useComputed(() => offeredWays(shownFlow.value, travelled.value.here));

  useEffect(() => {
    const element = host.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(() => {
      size.value = { width: element.clientWidth, height: element.clientHeight };
    });
    observer.observe(element);
    // A passive listener could not prevent the page from scrolling.
    const wheel = (event: WheelEvent): void => {
      // An overview taller than the window scrolls.
      if (isOverview.peek()) return;
      event.preventDefault();
      isFollowing.value = false;
      const { left, top } = element.getBoundingClientRect();
      const at = { x: event.clientX - left, y: event.clientY - top };
      const isZoom = event.ctrlKey || event.metaKey;
      viewport.value = isZoom
        ? zoomed(viewport.value, Math.exp(-event.deltaY / 200), at)
        : { ...viewport.value, x: viewport.value.x - event.deltaX, y: viewport.value.y - event.deltaY };
    };
    element.addEventListener('wheel', wheel, { passive: false });
    return () => {
      observer.disconnect();
      element.removeEventListener('wheel', wheel);
    };
  }, []);

  const lastShape = useRef<unknown>(null);
  useSignalEffect(() => {
    const [laid, window] = [layout.value, size.value];
    if (laid === null || window.width === 0) return;
    const here = isFollowing.value ? travelled.value.here : null;
    const box = laid.layout.boxes.find(({ node }) => node.id === here);
    if (box !== undefined) viewport.value = centred(viewport.peek(), middleOf(box), window);
    else if (lastShape.current === null) viewport.value = opening(laid.layout, window, laid.picture.initial);
    lastShape.current = laid;
  });

  const laid = layout.value;
  const { x, y, scale } = viewport.value;
  const zoom = (factor: number): void => {
    isOverview.value = false;
    isFollowing.value = false;
    viewport.value = zoomed(viewport.value, factor, { x: size.value.width / 2, y: size.value.height / 2 });
  };
  const goTo = (id: string): void => {
    const box = laid?.layout.boxes.find(({ node }) => node.id === id);
    if (box === undefined) return;
    focused.value = id;
    viewport.value = centred(viewport.value, middleOf(box), size.value, viewport.value.scale);
    requestAnimationFrame(() => {
      const element = host.current?.querySelector<SVGGElement>(`[data-node="${CSS.escape(id)}"]`);
      element?.focus({ preventScroll: true });
    });
  };
  const find = (id: string): void => {
    const box = laid?.layout.boxes.find(({ node }) => node.id === id);
    if (box === undefined) return;
    isOverview.value = false;
    isFollowing.value = false;
    focused.value = id;
    selectedNode.value = id;
    viewport.value = centred(viewport.value, middleOf(box), size.value);
  };
  const choose = (id: string): void => {
    if (isMoving.value) return;
    focused.value = id;
    selectNode(id);
  };
  return (
    <div class={`picture ${isMoving.value ? 'moving' : ''}`} ref={host} data-testid="picture">
      {layoutFault.value !== null && <p class="empty">{layoutFault.value}</p>}
      {laid !== null && isOverview.value && (
        <OverviewView
          {...{ picture: laid.picture, window: size.value, travelled: travelled.value, selected: selectedNode.value }}
          onSelect={(id) => {
            find(id);
            selectNode(id);
          }}
        />
      )}
      {laid !== null && !isOverview.value && (
        <svg
          {...{ class: 'flow', role: 'group', 'aria-label': 'Flow. Arrow keys go from node to node, Enter opens one.' }}
          onPointerDown={(event) => {
            if (event.button === 0) drag(event, viewport, isFollowing, isMoving);
          }}
          onKeyDown={(event) => {
            const from = (event.target as Element).getAttribute('data-node');
            if (from === null) return;
            if (event.key === 'Enter' || event.key === ' ') {
              event.preventDefault();
              choose(from);
            }
            const direction = directions[event.key];
            const to = direction === undefined ? null : nearest(laid.layout.boxes, from, direction);
            if (to !== null) {
              event.preventDefault();
              goTo(to);
            }
          }}
        >
          <g transform={`translate(${x},${y}) scale(${scale})`}>
            <Drawing
              {...{ layout: laid.layout, initial: laid.picture.initial, travelled: travelled.value }}
              {...{ offered: offered.value, selected: selectedNode.value, onSelect: choose }}
              parting={against.value?.parting?.otherNode ?? null}
              focused={focused.value ?? travelled.value.here ?? laid.picture.initial}
            />
          </g>
        </svg>
      )}
      <NodeSearch onFind={find} />
      {laid !== null && !isOverview.value && (
        <MinimapView
          {...{ layout: laid.layout, viewport: viewport.value, window: size.value, travelled: travelled.value }}
          onMove={(to) => {
            isFollowing.value = false;
            viewport.value = centred(viewport.value, to, size.value, viewport.value.scale);
          }}
        />
      )}
      <div class="zoom" role="group" aria-label="Picture">
        <button type="button" onClick={() => zoom(1.25)} aria-label="Zoom in" title="Zoom in">
          +
        </button>
        <button type="button" onClick={() => zoom(0.8)} aria-label="Zoom out" title="Zoom out">
          −
        </button>
        <button
          type="button"
          onClick={() => {
            isFollowing.value = false;
            if (laid === null) return;
            viewport.value = fitted(laid.layout, size.value);
            isOverview.value = viewport.value.scale < readableScale;
          }}
        >
          Fit
        </button>
        <button
          type="button"
          aria-pressed={isFollowing.value}
          onClick={() => {
            isFollowing.value = !isFollowing.value;
            isOverview.value = false;
          }}
        >
          Follow
        </button>
      </div>
      <Legend />
    </div>
  );
}

/** Below this scale the texts of a picture are not readable. */
const readableScale = 0.6;

const nowhere = { here: null, been: new Set<string>(), taken: new Map<string, number>(), latest: new Set<string>() };

function Legend(): JSX.Element {
  const anywhere = shownFlow.value?.arrows.filter(({ from, kind }) => from === '*' && kind === 'function') ?? [];
  return (
    <details class="legend">
      <summary>Key</summary>
      <ul>
        <li class="key-function">function that the model or an answer calls</li>
        <li class="key-condition">condition that holds</li>
        <li class="key-default">otherwise</li>
        <li class="key-trouble">error, silence, deadline</li>
        <li class="key-taken">taken in this conversation</li>
      </ul>
      {anywhere.length > 0 && (
        <>
          <h2>Offered anywhere</h2>
          <ul>
            {anywhere.map(({ id, label, to }) => (
              <li key={id}>
                <button type="button" class="link" onClick={() => selectNode(to)}>
                  {`${label} → ${to}`}
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
    </details>
  );
}

/** Returns the view of the whole picture if it is readable, else a readable view of its beginning. */
function opening(picture: Size & { readonly boxes: readonly PlacedBox[] }, window: Size, initial: string): Viewport {
  const all = fitted(picture, window);
  const box = picture.boxes.find(({ node }) => node.id === initial);
  if (all.scale >= readableScale || box === undefined) return all;
  const scale = 0.8;
  // From the top edge if the first node is visible then.
  const y = (box.y + box.height) * scale < window.height * 0.6 ? 0 : window.height * 0.3 - box.y * scale;
  return { scale, x: window.width / 2 - middleOf(box).x * scale, y };
}

function middleOf({ x, y, width, height }: PlacedBox): { x: number; y: number } {
  return { x: x + width / 2, y: y + height / 2 };
}

interface Held<Value> {
  value: Value;
}

/** Moves the picture with the pointer; two pointers zoom. */
function drag(
  event: PointerEvent & { readonly currentTarget: SVGSVGElement },
  viewport: Held<Viewport>,
  isFollowing: Held<boolean>,
  isMoving: Held<boolean>,
): void {
  const element = event.currentTarget;
  let last = { x: event.clientX, y: event.clientY };
  const { pointerId } = event;
  const move = (next: PointerEvent): void => {
    if (next.pointerId !== pointerId) return;
    const [dx, dy] = [next.clientX - last.x, next.clientY - last.y];
    if (!isMoving.value && Math.hypot(dx, dy) < 4) return;
    isMoving.value = true;
    isFollowing.value = false;
    last = { x: next.clientX, y: next.clientY };
    viewport.value = { ...viewport.value, x: viewport.value.x + dx, y: viewport.value.y + dy };
  };
  const stop = new AbortController();
  const end = (): void => {
    stop.abort();
    // The click after a drag must not select a node. It comes in the same task.
    setTimeout(() => {
      isMoving.value = false;
    }, 0);
  };
  const { signal } = stop;
  element.ownerDocument.addEventListener('pointermove', move, { signal });
  element.ownerDocument.addEventListener('pointerup', end, { signal });
  element.ownerDocument.addEventListener('pointercancel', end, { signal });
}

const directions: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ...{ ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] },
} as const;

/** Returns the nearest box in a direction; sideways distance counts double. */
function nearest(boxes: readonly PlacedBox[], from: string, [dx, dy]: readonly [number, number]): string | null {
  const start = boxes.find(({ node }) => node.id === from);
  if (start === undefined) return null;
  const at = middleOf(start);
  let best: { id: string; cost: number } | null = null;
  for (const box of boxes) {
    const to = middleOf(box);
    const along = (to.x - at.x) * dx + (to.y - at.y) * dy;
    const aside = Math.abs((to.x - at.x) * dy) + Math.abs((to.y - at.y) * dx);
    if (box === start || along <= 0) continue;
    const cost = along + 2 * aside;
    if (best === null || cost < best.cost) best = { id: box.node.id, cost };
  }
  return best?.id ?? null;
}

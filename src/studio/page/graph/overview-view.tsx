import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { overviewOf } from '../../../flow/picture/overview.ts';
import type { Picture } from '../../../flow/picture/picture.ts';
import { createMeasure } from './measure.ts';
import type { Travelled } from './travelled.ts';
import type { Size } from './viewport.ts';

interface OverviewProps {
  readonly picture: Picture;
  readonly window: Size;
  readonly travelled: Travelled;
  readonly selected: string | null;
  readonly onSelect: (id: string) => void;
}

/** All nodes by name, used if the whole picture would be too small to read. */
export function OverviewView({ picture, window, travelled, selected, onSelect }: OverviewProps): JSX.Element {
  const measure = useMemo(createMeasure, []);
  const { boxes, lines, height } = overviewOf(picture, window.width, measure);
  const markOf = (id: string): string => (travelled.here === id ? 'here' : travelled.been.has(id) ? 'been' : '');
  return (
    <div class="overview">
      <svg
        {...{ role: 'group', 'aria-label': 'Overview of all nodes' }}
        width={window.width}
        height={Math.max(height, window.height - 4)}
      >
        {lines.map(({ from, to, ways }) => (
          <line
            key={`${from.node.id} ${to.node.id}`}
            class={ways.some((id) => travelled.taken.has(id)) ? 'taken' : ''}
            {...{ x1: from.x + from.width / 2, y1: from.y + from.height / 2 }}
            {...{ x2: to.x + to.width / 2, y2: to.y + to.height / 2 }}
          />
        ))}
        {boxes.map(({ node, x, y, width, height: boxHeight }) => (
          <g
            key={node.id}
            class={`node ${node.kind} ${markOf(node.id)} ${selected === node.id ? 'selected' : ''}`}
            {...{ transform: `translate(${x},${y})`, role: 'button', tabindex: 0 }}
            aria-current={travelled.here === node.id ? 'step' : undefined}
            data-node={node.id}
            onClick={() => onSelect(node.id)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' && event.key !== ' ') return;
              event.preventDefault();
              onSelect(node.id);
            }}
          >
            <rect class="body" width={width} height={boxHeight} rx={6} />
            <text class="name" x={width / 2} y={17}>{`${node.id} `}</text>
            <title>{node.detail}</title>
          </g>
        ))}
      </svg>
    </div>
  );
}

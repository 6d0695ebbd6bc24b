import type { JSX } from 'preact';
import type { ArrowKind } from '../../../flow/picture/picture.ts';
import { boxSizes } from '../../../flow/picture/boxes.ts';
import { type Layout, pathOf, type PlacedArrow, type PlacedBox } from '../../../flow/picture/layout.ts';
import { roundOf } from '../../../flow/picture/draw-svg.ts';
import type { Travelled } from './travelled.ts';

interface DrawingProps {
  readonly layout: Layout;
  readonly initial: string;
  readonly travelled: Travelled;
  /** Ids of the arrows that can be taken from the current node. */
  readonly offered: ReadonlySet<string>;
  /** The node at which the current file differs; null if it does not. */
  readonly parting: string | null;
  readonly selected: string | null;
  /** The node with keyboard focus. */
  readonly focused: string;
  readonly onSelect: (id: string) => void;
}

/** A flow as SVG. Texts of the flow are inserted as text, never as markup. */
export function Drawing(props: DrawingProps): JSX.Element {
  const { layout, travelled, offered } = props;
  return (
    <>
      <defs>
        {tips.map((tip) => (
          // In units of the picture; otherwise the tip grows with the stroke.
          <marker
            key={tip}
            {...{ id: `tip-${tip}`, viewBox: '0 0 8 8', refX: 7, refY: 4, orient: 'auto' }}
            {...{ markerWidth: 8, markerHeight: 8, markerUnits: 'userSpaceOnUse' }}
          >
            <path d="M0,0.5L8,4L0,7.5z" class={`tip ${tip}`} />
          </marker>
        ))}
      </defs>
      {layout.lines.map((line) => (
        <ArrowLine key={`${line.arrow.from} ${line.arrow.to} ${line.arrow.kind}`} {...{ line, travelled, offered }} />
      ))}
      {layout.lines.map((line) => (
        <LabelText key={`${line.arrow.from} ${line.arrow.to} ${line.arrow.kind}`} {...{ line, travelled, offered }} />
      ))}
      {layout.boxes.map((box) => (
        <NodeBox key={box.node.id} box={box} {...props} />
      ))}
    </>
  );
}

const tips = ['function', 'condition', 'default', 'trouble', 'taken'] as const satisfies readonly (
  | ArrowKind
  | 'taken'
)[];

interface LineProps {
  readonly line: PlacedArrow;
  readonly travelled: Travelled;
  readonly offered: ReadonlySet<string>;
}

function ArrowLine({ line, travelled, offered }: LineProps): JSX.Element {
  const { arrow, points } = line;
  const { times, marks } = marksOf(line, travelled, offered);
  return (
    <path
      d={pathOf(points)}
      class={`arrow ${arrow.kind} ${marks}`}
      marker-end={`url(#tip-${times > 0 ? 'taken' : arrow.kind})`}
    >
      <title>{`${arrow.from} → ${arrow.to}${arrow.labels.map((label) => `\n${label}`).join('')}`}</title>
    </path>
  );
}

function LabelText({ line, travelled, offered }: LineProps): JSX.Element | null {
  const { arrow, label, points } = line;
  const { times, marks } = marksOf(line, travelled, offered);
  const end = points.at(-1);
  return (
    <>
      {label !== null && (
        <g class={`label ${arrow.kind} ${marks}`} transform={`translate(${label.x},${label.y})`}>
          <rect width={label.width} height={label.height} rx={4} />
          {label.lines.map((text, index) => (
            <text key={text} x={label.width / 2} y={12.5 + index * boxSizes.labelLine}>
              {`${text} `}
            </text>
          ))}
          <title>{arrow.labels.join('\n')}</title>
        </g>
      )}
      {times > 1 && end !== undefined && (
        <g class="times" transform={`translate(${end.x + 4},${end.y - 26})`}>
          <rect width={22} height={15} rx={7.5} />
          <text x={11} y={11}>{`${times}× `}</text>
        </g>
      )}
    </>
  );
}

function marksOf({ arrow }: PlacedArrow, { taken, latest }: Travelled, offered: ReadonlySet<string>) {
  const times = arrow.ways.reduce((sum, id) => sum + (taken.get(id) ?? 0), 0);
  const marks = [
    times > 0 ? 'taken' : '',
    arrow.ways.some((id) => latest.has(id)) ? 'latest' : '',
    arrow.ways.some((id) => offered.has(id)) ? 'offered' : '',
  ];
  return { times, marks: marks.filter((mark) => mark !== '').join(' ') };
}

const kindNames: Readonly<Record<string, string>> = {
  ...{ say: 'says', ask: 'asks', model: 'model', call: 'calls', task: 'runs', wait: 'waits', end: 'end' },
};

function NodeBox({ box, ...props }: DrawingProps & { readonly box: PlacedBox }): JSX.Element {
  const { travelled, selected, focused, initial, parting, onSelect } = props;
  const { node, text, chips, width, height } = box;
  const isHere = travelled.here === node.id;
  const classes = [
    ...['node', node.kind],
    ...(isHere ? ['here'] : travelled.been.has(node.id) ? ['been'] : []),
    ...(selected === node.id ? ['selected'] : []),
    ...(parting === node.id ? ['parting'] : []),
  ];
  // The label begins with the visible text, so that users of voice control can name it.
  const label = [node.id, text, ...chips.map((chip) => chip.text), `(${kindNames[node.kind] ?? node.kind})`].join(' ');
  return (
    <g
      {...{ class: classes.join(' '), transform: `translate(${box.x},${box.y})`, role: 'button' }}
      // SVG spelling of the attribute.
      tabindex={focused === node.id ? 0 : -1}
      aria-label={label}
      aria-pressed={selected === node.id}
      aria-current={isHere ? 'step' : undefined}
      data-node={node.id}
      onClick={() => onSelect(node.id)}
    >
      {isHere && (
        <rect class="halo" x={-5} y={-5} width={width + 10} height={height + 10} rx={roundOf(node.kind) + 5} />
      )}
      <rect class="body" width={width} height={height} rx={roundOf(node.kind)} />
      {node.id === initial && <circle class="begin" cx={width / 2} cy={0} r={5} />}
      <text class="name" x={width / 2} y={18}>{`${node.id} `}</text>
      <text class="detail" x={width / 2} y={33}>{`${text} `}</text>
      {chips.map(({ chip, text: shown }, index) => (
        <g
          key={shown}
          class={`chip ${chip.kind} ${chip.ways.some((id) => travelled.taken.has(id)) ? 'taken' : ''}`}
          onClick={(event) => {
            if (chip.kind !== 'portal' || chip.to === null) return;
            event.stopPropagation();
            onSelect(chip.to);
          }}
        >
          <rect x={7} y={boxSizes.head - 1 + index * boxSizes.chip} width={width - 14} height={15} rx={7.5} />
          <text x={width / 2} y={boxSizes.head + 10 + index * boxSizes.chip}>{`${shown} `}</text>
          <title>{chip.text}</title>
        </g>
      ))}
      <title>{node.detail}</title>
    </g>
  );
}

import { boxSizes } from './boxes.ts';
import { type Layout, pathOf, type PlacedArrow, type PlacedBox } from './layout.ts';
import { escaped } from './markup.ts';

/** Options of a drawing. */
export interface SvgOptions {
  /** The name of the drawing, for screen readers. */
  readonly label: string;
  readonly initial: string;
  /** Additional classes of a node or an arrow. */
  readonly classOfNode?: (id: string) => string;
  readonly classOfArrow?: (arrow: PlacedArrow['arrow']) => string;
  /** Additional lines in the tooltip of an arrow. */
  readonly aboutArrow?: (arrow: PlacedArrow['arrow']) => readonly string[];
  /** Style rules inside the drawing; null if the page contains them. */
  readonly style: string | null;
}

/** Returns a picture as SVG without scripts. Texts are never read as markup. */
export function drawSvg(layout: Layout, options: SvgOptions): string {
  const { label, style } = options;
  const [width, height] = [Math.ceil(layout.width), Math.ceil(layout.height)];
  return [
    `<svg${style === null ? '' : ' xmlns="http://www.w3.org/2000/svg"'} class="flow" role="img" aria-label="${escaped(label)}" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
    ...(style === null ? [] : [`<style>${style}</style>`]),
    `<defs>${kinds.map(tipOf).join('')}</defs>`,
    `<rect class="paper" width="${width}" height="${height}"/>`,
    ...layout.lines.map((line) => arrowSvg(line, options)),
    ...layout.lines.map((line) => labelSvg(line, options)),
    ...layout.boxes.map((box) => boxSvg(box, options)),
    '</svg>',
  ].join('\n');
}

const kinds = ['function', 'condition', 'default', 'trouble'] as const;

function tipOf(kind: (typeof kinds)[number]): string {
  return `<marker id="tip-${kind}" viewBox="0 0 8 8" refX="7" refY="4" orient="auto" markerWidth="8" markerHeight="8" markerUnits="userSpaceOnUse"><path d="M0,0.5L8,4L0,7.5z" class="tip ${kind}"/></marker>`;
}

function arrowSvg({ arrow, points }: PlacedArrow, { classOfArrow, aboutArrow }: SvgOptions): string {
  const more = classOfArrow?.(arrow) ?? '';
  const about = [`${arrow.from} → ${arrow.to}`, ...arrow.labels, ...(aboutArrow?.(arrow) ?? [])];
  return `<path class="${`arrow ${arrow.kind} ${more}`.trim()}" marker-end="url(#tip-${arrow.kind})" d="${pathOf(points)}">${titled(about)}</path>`;
}

function labelSvg({ arrow, label }: PlacedArrow, { classOfArrow }: SvgOptions): string {
  if (label === null) return '';
  const texts = label.lines.map((text, index) => textAt(label.width / 2, 12.5 + index * boxSizes.labelLine, text));
  const classes = `label ${arrow.kind} ${classOfArrow?.(arrow) ?? ''}`.trim();
  return `<g class="${classes}" transform="translate(${rounded(label.x)},${rounded(label.y)})"><rect width="${rounded(label.width)}" height="${rounded(label.height)}" rx="4"/>${texts.join('')}${titled(arrow.labels)}</g>`;
}

function boxSvg(box: PlacedBox, { initial, classOfNode }: SvgOptions): string {
  const { node, text, chips, width, height } = box;
  const middle = width / 2;
  const parts = [
    `<rect class="body" width="${width}" height="${height}" rx="${roundOf(node.kind)}"/>`,
    ...(node.id === initial ? [`<circle class="begin" cx="${middle}" cy="0" r="5"/>`] : []),
    textAt(middle, 18, node.id, 'name'),
    textAt(middle, 33, text, 'detail'),
    ...chips.map(({ text: shown, chip }, index) => {
      const y = boxSizes.head - 1 + index * boxSizes.chip;
      return `<g class="chip ${chip.kind}"><rect x="7" y="${y}" width="${width - 14}" height="15" rx="7.5"/>${textAt(middle, y + 11, shown)}${titled([chip.text])}</g>`;
    }),
    titled([node.detail]),
  ];
  const classes = `node ${node.kind} ${classOfNode?.(node.id) ?? ''}`.trim();
  return `<g class="${classes}" transform="translate(${rounded(box.x)},${rounded(box.y)})">${parts.join('')}</g>`;
}

/** Returns the corner radius of a node by its kind, in pixels. */
export function roundOf(kind: string): number {
  return kind === 'end' ? 20 : kind === 'task' || kind === 'call' ? 3 : 9;
}

function textAt(x: number, y: number, text: string, name?: string): string {
  if (text === '') return '';
  return `<text${name === undefined ? '' : ` class="${name}"`} x="${rounded(x)}" y="${y}">${escaped(text)}</text>`;
}

function titled(lines: readonly string[]): string {
  const text = lines.filter((line) => line !== '').map(escaped);
  return text.length === 0 ? '' : `<title>${text.join('&#10;')}</title>`;
}

function rounded(pixels: number): number {
  return Math.round(pixels * 10) / 10;
}

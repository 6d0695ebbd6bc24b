import type { DrawnNode, Drawing } from './draw.ts';

const box = Object.freeze({ width: 220, line: 16, padding: 10, gapX: 40, gapY: 60, label: 13 });

/** Nodes side by side, so that a drawing is about as wide as a screen. */
const mostInRow = 5;

/** A flow as one HTML file without script: an SVG, light or dark as the reader likes it. No text in it is read as HTML. */
export function drawHtml(name: string, { nodes, arrows }: Drawing): string {
  const rows = rowsOf(nodes, arrows);
  const named = new Map<string, Drawing['arrows'][number][]>();
  for (const arrow of arrows) if (arrow.label !== '') named.set(arrow.from, [...(named.get(arrow.from) ?? []), arrow]);
  const places = new Map<string, { readonly x: number; readonly y: number; readonly height: number }>();
  let y = 20;
  const widest = Math.max(1, ...rows.map((row) => row.length));
  for (const row of rows) {
    const height = Math.max(...row.map(heightOf));
    const left = ((widest - row.length) * (box.width + box.gapX)) / 2 + 20;
    for (const [index, node] of row.entries())
      places.set(node.id, { x: left + index * (box.width + box.gapX), y, height: heightOf(node) });
    y += height + box.gapY + Math.max(...row.map(({ id }) => named.get(id)?.length ?? 0)) * box.label;
  }
  const width = widest * (box.width + box.gapX) + 60;
  const paths = arrows.flatMap(({ from, to, isDotted }, index) => {
    const [start, end] = [places.get(from), places.get(to)];
    if (start === undefined || end === undefined) return [];
    const bend = (index % 5) * 12;
    const [x1, y1, x2, y2] = [start.x + box.width / 2, start.y + start.height, end.x + box.width / 2, end.y];
    const [right, middle] = [end.x + box.width, end.y + end.height / 2];
    const path =
      y2 > y1
        ? `M${x1},${y1} C${x1},${y1 + 40 + bend} ${x2},${y2 - 40 - bend} ${x2},${y2}`
        : `M${start.x + box.width},${start.y + start.height / 2} C${start.x + box.width + 60 + bend},${start.y} ${right + 60 + bend},${end.y + end.height} ${right},${middle}`;
    return [`<path class="arrow${isDotted ? ' dotted' : ''}" marker-end="url(#head)" d="${path}"/>`];
  });
  // Below their node, one under the other: on the arrows they would cover each other.
  const labels = [...named].flatMap(([from, leaving]) => {
    const start = places.get(from);
    if (start === undefined) return [];
    return leaving.map(({ to, label }, index) => {
      const drift = Math.max(-60, Math.min(60, ((places.get(to)?.x ?? start.x) - start.x) / 8));
      const [x, at] = [start.x + box.width / 2 + drift, start.y + start.height + 20 + index * box.label];
      return `<text class="label" x="${x}" y="${at}">${escaped(shortened(label))}</text>`;
    });
  });
  const boxes = nodes.flatMap((node) => {
    const place = places.get(node.id);
    if (place === undefined) return [];
    if (shownLines(node).length === 0)
      return [
        `<circle class="begin" cx="${place.x + box.width / 2}" cy="${place.y + place.height - 9}" r="9"><title>begin</title></circle>`,
      ];
    const texts = shownLines(node).map(
      (line, index) =>
        `<tspan x="${place.x + box.padding}" dy="${index === 0 ? 0 : box.line}"${index === 0 ? ' class="name"' : ''}>${escaped(shortened(line))}</tspan>`,
    );
    return [
      `<g><title>${escaped(node.lines.join('\n'))}</title><rect class="${node.isMark ? 'mark' : 'node'}" rx="8" x="${place.x}" y="${place.y}" width="${box.width}" height="${place.height}"/><text x="${place.x + box.padding}" y="${place.y + box.padding + 11}">${texts.join('')}</text></g>`,
    ];
  });
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(name)}</title>
<style>
:root { color-scheme: light dark; --paper: #fff; --ink: #1c1c1c; --soft: #f1f4f8; --line: #5b6b7b; }
@media (prefers-color-scheme: dark) { :root { --paper: #14171a; --ink: #e8e8e8; --soft: #22282f; --line: #93a4b5; } }
body { margin: 0; padding: 1rem; background: var(--paper); color: var(--ink); font: 13px system-ui, sans-serif; }
h1 { font-size: 1.2rem; }
svg text { fill: var(--ink); font-size: 12px; }
.name { font-weight: 600; }
.node { fill: var(--soft); stroke: var(--line); }
.mark { fill: var(--paper); stroke: var(--line); stroke-dasharray: 3 3; }
.begin { fill: var(--line); }
.arrow { fill: none; stroke: var(--line); }
.dotted { stroke-dasharray: 4 4; }
.label { font-size: 11px; text-anchor: middle; paint-order: stroke; stroke: var(--paper); stroke-width: 4px; }
</style>
</head>
<body>
<h1>${escaped(name)}</h1>
<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="${escaped(name)}" width="${width}" height="${y}" viewBox="0 0 ${width} ${y}">
<defs><marker id="head" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto"><path d="M0,0 L8,4 L0,8 z" fill="context-stroke"/></marker></defs>
${paths.join('\n')}
${boxes.join('\n')}
${labels.join('\n')}
</svg>
</body>
</html>
`;
}

/** Nodes in rows, by how many arrows lead to them from the beginning. */
function rowsOf(nodes: readonly DrawnNode[], arrows: Drawing['arrows']): readonly (readonly DrawnNode[])[] {
  const leads = new Map<string, string[]>();
  for (const { from, to } of arrows) leads.set(from, [...(leads.get(from) ?? []), to]);
  const ranks = new Map<string, number>();
  const open = nodes
    .filter(({ isMark }) => isMark)
    .map(({ id }) => id)
    .filter((id): boolean => id === 'begin' || id === 'anywhere');
  for (const id of open) ranks.set(id, 0);
  for (let id = open.shift(); id !== undefined; id = open.shift())
    for (const to of leads.get(id) ?? []) {
      if (ranks.has(to)) continue;
      ranks.set(to, (ranks.get(id) ?? 0) + 1);
      open.push(to);
    }
  const last = Math.max(0, ...ranks.values()) + 1;
  const rows: DrawnNode[][] = [];
  for (const node of nodes) (rows[ranks.get(node.id) ?? last] ??= []).push(node);
  return rows
    .filter((row) => row !== undefined)
    .flatMap((row) => {
      const count = Math.ceil(row.length / mostInRow);
      const each = Math.ceil(row.length / count);
      return Array.from({ length: count }, (_row, index) => row.slice(index * each, (index + 1) * each));
    });
}

function shownLines({ lines }: DrawnNode): readonly string[] {
  return lines.filter((line) => line.trim() !== '');
}

function heightOf(node: DrawnNode): number {
  return Math.max(1, shownLines(node).length) * box.line + 2 * box.padding;
}

function shortened(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > 30 ? `${line.slice(0, 29)}…` : line;
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll(/\p{Cc}/gu, ' ');
}

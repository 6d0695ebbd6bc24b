import type { Drawing } from './draw.ts';

/** Draws a flow for Graphviz. Names and texts are escaped. */
export function drawDot({ nodes, arrows }: Drawing): string {
  return [
    'digraph flow {',
    '  node [shape=box, style=rounded, fontname="sans-serif"];',
    '  edge [fontname="sans-serif", fontsize=10];',
    ...nodes.map(({ id, lines, isMark }) => `  ${id} [label=${quoted(lines)}${isMark ? ', shape=ellipse' : ''}];`),
    ...arrows.map(({ from, to, label, isDotted }) => {
      const shown = [...(label === '' ? [] : [`label=${quoted([label])}`]), ...(isDotted ? ['style=dotted'] : [])];
      return `  ${from} -> ${to}${shown.length === 0 ? '' : ` [${shown.join(', ')}]`};`;
    }),
    '}',
    '',
  ].join('\n');
}

const longest = 60;

function quoted(lines: readonly string[]): string {
  const texts = lines
    .map((line) => line.replaceAll(/\s+/g, ' ').trim())
    .filter((line) => line !== '')
    .map((line) => (line.length > longest ? `${line.slice(0, longest - 1)}…` : line))
    .map((line) => line.replaceAll('\\', '\\\\').replaceAll('"', '\\"'));
  return `"${texts.join('\\n')}"`;
}

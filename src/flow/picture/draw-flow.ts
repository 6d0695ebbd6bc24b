import type { Graph } from '../graph/graph.ts';
import { drawSvg } from './draw-svg.ts';
import { escaped } from './markup.ts';
import { pictureOf } from './picture.ts';
import { placePicture } from './place-picture.ts';
import { flowShown } from './show-flow.ts';
import { svgStyle } from './svg-style.ts';

/** Draws a flow like the studio, as an SVG file with a light and a dark theme. */
export async function drawFlowSvg(graph: Graph): Promise<string> {
  const picture = pictureOf(flowShown(graph, null, false));
  const layout = await placePicture(picture);
  return drawSvg(layout, { label: graph.name, initial: picture.initial, style: svgStyle });
}

/** Draws a flow as an HTML file without scripts. */
export async function drawFlowHtml(graph: Graph): Promise<string> {
  const name = escaped(graph.name);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${name}</title>
<style>
:root { color-scheme: light dark; }
body { margin: 0; padding: 1rem; background: light-dark(#f5f5f2, #0e1013); color: light-dark(#1b1d21, #e8e9eb); font: 14px system-ui, sans-serif; }
h1 { font-size: 1.2rem; }
</style>
</head>
<body>
<h1>${name}</h1>
${await drawFlowSvg(graph)}
</body>
</html>
`;
}

import { arrowText, type FlowCoverage } from '../coverage.ts';
import { box, layersOf, type Spot } from './layers.ts';
import { escaped } from './markup.ts';
import { counted } from '../../../ports/counted.ts';

/** The flow as a drawing, each node and way with how often the tests came through it; what none did is marked. */
export function heatMapOf({ flow, nodeHits, arrowHits }: FlowCoverage): string {
  const { graph, arrows } = flow;
  const { spots, width, height } = layersOf([...graph.nodes.keys()], graph.initial, arrows);
  const most = Math.max(1, ...nodeHits.values());
  const ways = arrows.flatMap((arrow) => {
    const from = arrow.from === null ? undefined : spots.get(arrow.from);
    const to = spots.get(arrow.to);
    if (from === undefined || to === undefined) return [];
    const hits = arrowHits.get(arrow) ?? 0;
    const stroke = hits === 0 ? 1.2 : 1 + Math.min(4, Math.log2(hits + 1));
    return [
      `<path class="${hits === 0 ? 'way open' : 'way'}" stroke-width="${stroke.toFixed(1)}" marker-end="url(#tip)" d="${curve(from, to)}"><title>${escaped(`${arrowText(arrow)}: ${times(hits)}`)}</title></path>`,
    ];
  });
  const nodes = [...graph.nodes.keys()].flatMap((id) => {
    const spot = spots.get(id);
    if (spot === undefined) return [];
    const hits = nodeHits.get(id) ?? 0;
    const heat = hits === 0 ? 'open' : `heat${Math.max(1, Math.ceil((4 * Math.log2(hits + 1)) / Math.log2(most + 1)))}`;
    const short = id.length > 22 ? `${id.slice(0, 21)}…` : id;
    return [
      `<g class="node ${heat}"><title>${escaped(`${id}: ${times(hits)}`)}</title><rect x="${(spot.x - box.width / 2).toFixed(0)}" y="${(spot.y - box.height / 2).toFixed(0)}" width="${box.width}" height="${box.height}" rx="8"/><text x="${spot.x.toFixed(0)}" y="${(spot.y - 2).toFixed(0)}">${escaped(short)}</text><text class="count" x="${spot.x.toFixed(0)}" y="${(spot.y + 13).toFixed(0)}">${escaped(times(hits))}</text></g>`,
    ];
  });
  const tip =
    '<marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="6" markerHeight="6" markerUnits="userSpaceOnUse" orient="auto"><path d="M0 0 8 4 0 8z"/></marker>';
  return `<svg class="map" role="img" aria-label="${escaped(`coverage of ${flow.file}`)}" viewBox="0 0 ${width.toFixed(0)} ${height.toFixed(0)}" width="${width.toFixed(0)}" height="${height.toFixed(0)}"><defs>${tip}</defs>${ways.join('')}${nodes.join('')}</svg>`;
}

function times(hits: number): string {
  return hits === 0 ? 'never' : counted(hits, 'time');
}

function curve(from: Spot, to: Spot): string {
  const half = box.height / 2;
  const isDown = to.y > from.y;
  if (isDown) {
    const bend = (to.y - from.y) / 2;
    return `M${at(from.x, from.y + half)}C${at(from.x, from.y + bend)} ${at(to.x, to.y - bend)} ${at(to.x, to.y - half)}`;
  }
  // What leads back, or to its own layer, goes round by the side.
  const side = Math.max(from.x, to.x) + box.width / 2 + 22 + (from.y - to.y) / 12;
  return `M${at(from.x + box.width / 2, from.y)}C${at(side, from.y)} ${at(side, to.y)} ${at(to.x + box.width / 2, to.y)}`;
}

function at(x: number, y: number): string {
  return `${x.toFixed(0)} ${y.toFixed(0)}`;
}

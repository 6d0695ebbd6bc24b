import { arrowText, type FlowCoverage } from '../coverage.ts';
import type { Arrow } from '../arrows.ts';
import { counted } from '../../model/ports/counted.ts';
import { drawSvg } from '../../flow/picture/draw-svg.ts';
import type { ArrowShown } from '../../flow/picture/flow-shown.ts';
import { type PictureArrow, pictureOf } from '../../flow/picture/picture.ts';
import { placePicture } from '../../flow/picture/place-picture.ts';
import { flowShown } from '../../flow/picture/show-flow.ts';

/**
 * The flow as the studio draws it. Each node and transition shows how often the tests covered it, and missing coverage
 * is marked.
 */
export async function heatMapOf({ flow, nodeHits, arrowHits }: FlowCoverage): Promise<string> {
  const { graph, arrows } = flow;
  const shown = flowShown(graph, null, false);
  const most = Math.max(1, ...nodeHits.values());
  const drawn = pictureOf({ ...shown, arrows: arrows.map(arrowShown) });
  const nodes = drawn.nodes.map((node) => ({ ...node, detail: times(nodeHits.get(node.id) ?? 0) }));
  const waysOf = ({ ways }: PictureArrow): readonly Arrow[] => ways.flatMap((id) => arrows[Number(id)] ?? []);
  const layout = await placePicture({ ...drawn, nodes });
  return drawSvg(layout, {
    ...{ label: `coverage of ${flow.file}`, initial: graph.initial, style: null },
    classOfNode(id) {
      const hits = nodeHits.get(id) ?? 0;
      return hits === 0 ? 'open' : `heat${Math.max(1, Math.ceil((4 * Math.log2(hits + 1)) / Math.log2(most + 1)))}`;
    },
    classOfArrow: (arrow) => (waysOf(arrow).some((way) => (arrowHits.get(way) ?? 0) > 0) ? 'walked' : 'open'),
    aboutArrow: (arrow) => waysOf(arrow).map((way) => `${arrowText(way)}: ${times(arrowHits.get(way) ?? 0)}`),
  });
}

/** Identified by its index in the list, because the coverage counts by that. */
function arrowShown({ from, to, cause, label, ...by }: Arrow, index: number): ArrowShown {
  return {
    ...{ to, id: String(index), from: from ?? '*', source: null },
    ...{ function: by.function ?? null, edge: by.edge ?? null },
    kind: kinds[cause] ?? 'default',
    label: cause === 'default' ? '' : label,
  };
}

const kinds: Readonly<Record<string, ArrowShown['kind']>> = {
  ...{ function: 'function', refused: 'refused', edge: 'condition', default: 'default' },
  key: 'function',
  ...{ expired: 'deadline', error: 'error', trouble: 'error' },
};

function times(hits: number): string {
  return hits === 0 ? 'never' : counted(hits, 'time');
}

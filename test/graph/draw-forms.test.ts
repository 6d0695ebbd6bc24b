import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { drawDot } from '../../src/flow/graph/draw/dot.ts';
import { drawingOf } from '../../src/flow/graph/draw/draw.ts';
import { checkFlow } from '../../src/flow/load/check-flow.ts';
import { drawFlowHtml, drawFlowSvg } from '../../src/flow/picture/draw-flow.ts';
import { textWidth } from '../../src/flow/picture/text-width.ts';
import { builtinCatalog } from '../../src/flow/nodes/builtin.ts';

const flow = {
  initial_node: 'a',
  functions: [{ name: 'leave', description: 'They leave.', transition_to: 'end' }],
  nodes: {
    a: {
      say: '<script>alert("1")</script> \\ & "so"',
      functions: [{ name: 'go', description: 'Go.', transition_to: 'end' }],
    },
    end: { say: 'Bye.', end: 'done' },
  },
};

function graphOf(source: string | object) {
  const { graph } = checkFlow(source, { catalog: builtinCatalog });
  if (graph === null) throw new Error('The flow cannot be drawn.');
  return graph;
}

describe('a drawing of a flow', () => {
  test('as DOT has every node and arrow, and its words stay words', () => {
    const text = drawDot(drawingOf(graphOf(flow)));
    expect(text).toContain(String.raw`n0 [label="a\n<script>alert(\"1\")</script> \\ & \"so\""];`);
    expect(text).toContain('n0 -> n1 [label="go"];');
    expect(text).toContain('anywhere -> n1 [label="leave"];');
  });

  test('as HTML and SVG is one file without script, and its words stay words', async () => {
    const graph = { ...graphOf(flow), name: 'a <b> flow' };
    for (const text of [await drawFlowHtml(graph), await drawFlowSvg(graph)]) {
      expect(text).not.toMatch(/<script|<b>|https?:(?!\/\/www\.w3\.org)/);
      expect(text).toContain('&lt;script&gt;');
      expect(text).toContain('prefers-color-scheme:dark');
      expect(areasIn(text)).toHaveLength(3);
      expect(text.match(/<circle /g)).toHaveLength(1);
    }
  });

  test.each(['clinic-intake', 'restaurant-booking', 'support-triage'])(
    'of %s has no label on another label or on a node, and every text within its box',
    async (name) => {
      const file = join(import.meta.dirname, `../../flows/${name}/flow.yaml`);
      const areas = areasIn(await drawFlowSvg(graphOf(file)));
      expect(areas.length).toBeGreaterThan(40);
      expect(areas.flatMap((one, index) => areas.slice(index + 1).filter((other) => overlap(one, other)))).toEqual([]);
      for (const { width, texts } of areas)
        for (const [text, font] of texts) expect(textWidth(text, font)).toBeLessThanOrEqual(width);
    },
  );

  test('of a node with many ways is about as wide as a screen', async () => {
    const ids = Array.from({ length: 12 }, (_, index) => `n${index}`);
    const functions = ids.map((id) => ({ name: `to_${id}`, description: id, transition_to: id }));
    const nodes = { a: { say: 'Hello.', functions }, ...Object.fromEntries(ids.map((id) => [id, { end: true }])) };
    const text = await drawFlowSvg(graphOf({ initial_node: 'a', nodes }));
    expect(Number(/<svg[^>]* width="(\d+)"/.exec(text)?.[1])).toBeLessThan(1_800);
    expect(areasIn(text)).toHaveLength(25);
  });
});

/** A node or a label as it was drawn. */
interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly texts: readonly (readonly [text: string, font: 'title' | 'text'])[];
}

function areasIn(svg: string): readonly Area[] {
  const drawn =
    /<g class="(?:label|node)[^"]*" transform="translate\(([-\d.]+),([-\d.]+)\)"><rect[^>]*? width="([\d.]+)" height="([\d.]+)".*/g;
  return [...svg.matchAll(drawn)].map(([all, x, y, width, height]) => ({
    ...{ x: Number(x), y: Number(y), width: Number(width), height: Number(height) },
    texts: [...all.matchAll(/<text( class="name")?[^>]*>([^<]*)/g)].map(
      ([, isTitle, text = '']) =>
        [text.replaceAll(/&\w+;|&#\d+;/g, '"'), isTitle === undefined ? 'text' : 'title'] as const,
    ),
  }));
}

function overlap(one: Area, other: Area): boolean {
  const isBeside = one.x >= other.x + other.width || other.x >= one.x + one.width;
  return !isBeside && one.y < other.y + other.height && other.y < one.y + one.height;
}

import { describe, expect, test } from 'vitest';
import { drawDot } from '../../src/graph/draw-dot.ts';
import { drawHtml } from '../../src/graph/draw-html.ts';
import { drawingOf } from '../../src/graph/draw.ts';
import { checkFlow } from '../../src/load/check-flow.ts';
import { builtinCatalog } from '../../src/nodes/builtin.ts';

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

function drawing() {
  const { graph } = checkFlow(flow, { catalog: builtinCatalog });
  if (graph === null) throw new Error('The flow cannot be drawn.');
  return drawingOf(graph);
}

describe('a drawing of a flow', () => {
  test('as DOT has every node and arrow, and its words stay words', () => {
    const text = drawDot(drawing());
    expect(text).toContain(String.raw`n0 [label="a\n<script>alert(\"1\")</script> \\ & \"so\""];`);
    expect(text).toContain('n0 -> n1 [label="go"];');
    expect(text).toContain('anywhere -> n1 [label="leave"];');
  });

  test('as HTML is one file without script, and its words stay words', () => {
    const text = drawHtml('a <b> flow', drawing());
    expect(text).not.toMatch(/<script|<b>|https?:(?!\/\/www\.w3\.org)/);
    expect(text).toContain('&lt;script&gt;');
    expect(text).toContain('prefers-color-scheme: dark');
    expect([text.match(/<rect /g), text.match(/<circle /g)]).toMatchObject([{ length: 3 }, { length: 1 }]);
  });

  test('as HTML is about as wide as a screen, and no label covers another or stands behind a node', () => {
    const ids = Array.from({ length: 12 }, (_, index) => `n${index}`);
    const functions = ids.map((id) => ({ name: `to_${id}`, description: id, transition_to: id }));
    const wide = {
      initial_node: 'a',
      nodes: { a: { say: 'Hello.', functions }, ...Object.fromEntries(ids.map((id) => [id, { end: true }])) },
    };
    const { graph } = checkFlow(wide, { catalog: builtinCatalog });
    if (graph === null) throw new Error('The flow cannot be drawn.');
    const text = drawHtml('wide', drawingOf(graph));
    expect(Number(/<svg[^>]* width="(\d+)"/.exec(text)?.[1])).toBeLessThan(1_400);
    const heights = [...text.matchAll(/class="label" x="[\d.]+" y="([\d.]+)"/g)].map(([, y]) => Number(y));
    const below = [...text.matchAll(/class="node"[^>]* y="([\d.]+)"/g)]
      .map(([, y]) => Number(y))
      .toSorted((a, b) => a - b);
    expect(new Set(heights).size).toBe(12);
    expect(Math.max(...heights)).toBeLessThan(below[1] ?? 0);
    expect(text.indexOf('class="label"')).toBeGreaterThan(text.lastIndexOf('<rect '));
  });
});

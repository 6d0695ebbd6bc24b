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
    expect(text.match(/<rect /g)).toHaveLength(4);
  });
});

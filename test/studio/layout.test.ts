import { createServer, type Server } from 'node:http';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ConversationFlow, conversationSchema } from '../../src/flow/document/document.ts';
import { compileFlow } from '../../src/flow/graph/compile/compile.ts';
import type { Graph } from '../../src/flow/graph/graph.ts';
import { checkFlow } from '../../src/flow/load/check-flow.ts';
import { builtinCatalog } from '../../src/flow/nodes/builtin.ts';
import { defaultLanguage, languageOf } from '../../src/language/language-of.ts';
import { textWidth } from '../../src/flow/picture/text-width.ts';
import { flowShown } from '../../src/flow/picture/show-flow.ts';
import type { Layout } from '../../src/flow/picture/layout.ts';
import { foundNodes } from '../../src/flow/picture/found-nodes.ts';
import { minimapOf } from '../../src/flow/picture/minimap.ts';
import { overviewOf } from '../../src/flow/picture/overview.ts';
import { pictureOf } from '../../src/flow/picture/picture.ts';
import type { FlowShown } from '../../src/flow/picture/flow-shown.ts';
import { judge } from './judge-layout.ts';
import { findBrowser, noBrowser, type OpenBrowser, openBrowser } from './open-browser.ts';
import { bundleForPage, type PageBundle } from './page-bundle.ts';

const shipped = ['clinic-intake', 'restaurant-booking', 'support-triage'];

describe('pictureOf', () => {
  test('draws back edges, edges to crowded ends, and global edges inside the nodes', () => {
    const { nodes, arrows } = pictureOf(shownOf(clinic()));
    const chipsOf = (id: string): readonly string[] =>
      nodes.find((node) => node.id === id)?.chips.map(({ text }) => text) ?? [];
    expect(chipsOf('hours')).toEqual(['↩ otherwise', expect.stringContaining('from anywhere: opening_hours')]);
    expect(chipsOf('details')).toEqual(['→ nurse: pain_level > 7']);
    expect(arrows.filter(({ to }) => to === 'nurse' || to === 'hours')).toEqual([]);
  });

  test('draws edges of one kind between two nodes as one arrow', () => {
    const flow: ConversationFlow = {
      initialNode: 'a',
      nodes: {
        a: {
          say: 'Yes or no?',
          functions: [
            { name: 'yes', transitionTo: 'b' },
            { name: 'no', transitionTo: 'b' },
          ],
          defaultTransition: 'b',
        },
        b: { say: 'Bye.', end: 'done' },
      },
    };
    const { arrows } = pictureOf(shownOf(compiled(flow)));
    expect(arrows.map(({ from, to, kind, labels }) => [from, to, kind, labels])).toEqual([
      ['a', 'b', 'function', ['yes', 'no']],
      ['a', 'b', 'default', []],
    ]);
  });
});

describe('a flow of many nodes', () => {
  test.each(shipped)('%s fits into an overview with readable names and without overlapping boxes', (name) => {
    const picture = pictureOf(shownOf(fileGraph(name)));
    for (const width of [360, 610, 1_100]) {
      const { boxes, lines, height } = overviewOf(picture, width, textWidth);
      expect(boxes.map(({ node }) => node.id).toSorted()).toEqual(picture.nodes.map(({ id }) => id).toSorted());
      for (const box of boxes) {
        expect(box.width).toBeGreaterThan(textWidth(box.node.id, 'title'));
        expect(box.x + box.width).toBeLessThanOrEqual(width);
      }
      const layout = { width, height, boxes: boxes.map((box) => ({ ...box, text: '', chips: [] })), lines: [] };
      expect(judge(layout).overlaps).toBe(0);
      if (width === 610) expect(height).toBeLessThan(700);
      expect(lines.length).toBeGreaterThan(picture.nodes.length / 2);
    }
  });

  test('can be searched by the names of nodes, and by their lines, questions and calls', () => {
    const flow = shownOf(clinic());
    expect(foundNodes(flow, 'why we')[0]).toBe('why_we_ask');
    expect(foundNodes(flow, 'free PARKING')).toEqual(['parking']);
    expect(foundNodes(flow, 'birth_date')).toContain('details');
    expect(foundNodes(flow, 'find openings')).toContain('look');
    expect([foundNodes(flow, ' '), foundNodes(flow, 'nowhere at all')]).toEqual([[], []]);
  });

  test('has a minimap with the visible part', () => {
    const layout: Layout = { width: 1_500, height: 600, boxes: [], lines: [] };
    const window = { width: 500, height: 300 };
    expect(minimapOf(layout, { x: -250, y: -100, scale: 0.5 }, window)).toEqual({
      ...{ scale: 0.1, width: 150, height: 60 },
      seen: { x: 50, y: 20, width: 100, height: 40 },
    });
    expect(minimapOf(layout, { x: 10, y: 10, scale: 0.3 }, window).seen).toBeNull();
  });
});

const program = findBrowser();
describe.skipIf(program === null)(program === null ? noBrowser : 'in a browser', () => {
  let browser: OpenBrowser;
  let server: Server;
  let bundle: PageBundle;
  beforeAll(async () => {
    bundle = await bundleForPage('studio/page/graph/lay-out.ts');
    const worker = readFileSync(createRequire(import.meta.url).resolve('elkjs/lib/elk-worker.min.js'));
    server = createServer((request, answer) => {
      const name = (request.url ?? '').slice(1);
      const file = name === 'elk-worker.min.js' ? worker : bundle.files.get(name);
      answer.setHeader('content-type', file === undefined ? 'text/html' : 'text/javascript');
      answer.setHeader('content-security-policy', policy);
      answer.end(file ?? '<!doctype html><title>layout</title><link rel="icon" href="data:,">');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    browser = await openBrowser(program ?? '');
  });
  afterAll(async () => {
    await browser?.close();
    server?.close();
  });

  test('no arrow of a shipped flow, or of a hundred nodes, crosses a node or a label', async () => {
    const page = await browser.page();
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    const flows = [...shipped.map((name) => shownOf(fileGraph(name))), shownOf(compiled(hundred()))];
    for (const flow of flows) {
      const picture = pictureOf(flow);
      const laid = (await page.evaluate(`(${layOutInPage})(${JSON.stringify(picture)})`)) as {
        readonly layout: Layout;
      };
      const found = judge(laid.layout);
      console.log(`layout of ${flow.name}, ${flow.nodes.length} nodes: ${JSON.stringify(found)}`);
      expect({ through: found.through, struck: found.struck, overlaps: found.overlaps }).toEqual({
        ...{ through: 0, struck: 0, overlaps: 0 },
      });
      expect(laid.layout.lines.every(({ points }) => points.length >= 2)).toBe(true);
    }
    expect(browser.complaints).toEqual([]);
  });
});

const policy =
  "default-src 'none'; script-src 'self'; worker-src 'self'; img-src data:; base-uri 'none'; require-trusted-types-for 'script'; trusted-types roomflow";

/** Runs in the page as text, without access to this file. */
const layOutInPage = `async (picture) => {
  const { layOut } = await import('/lay-out.js');
  return { layout: await layOut(picture, '/elk-worker.min.js') };
}`;

function shownOf(graph: Graph): FlowShown {
  return flowShown(graph, null, true);
}

function clinic(): Graph {
  return fileGraph('clinic-intake');
}

function fileGraph(name: string): Graph {
  const { graph } = checkFlow(join(import.meta.dirname, `../../flows/${name}/flow.yaml`), { catalog: builtinCatalog });
  if (graph === null) throw new Error(`${name} does not compile`);
  return graph;
}

function compiled(flow: ConversationFlow): Graph {
  const options = { catalog: builtinCatalog, language: languageOf(defaultLanguage), languageOf };
  const { graph, problems } = compileFlow(conversationSchema.parse(flow), options);
  if (graph === null) throw new Error(JSON.stringify(problems));
  return graph;
}

/** A hundred nodes with about 150 edges: forward, back, to themselves, and on errors. */
function hundred(): ConversationFlow {
  const nodes: ConversationFlow['nodes'] = {};
  for (let at = 0; at < 98; at += 1) {
    const next = `step_${at + 1}`;
    const further = `step_${Math.min(at + 2 + ((at * 7) % 5), 98)}`;
    const back = `step_${Math.max(0, at - 3 - ((at * 3) % 4))}`;
    nodes[`step_${at}`] = {
      say: `What about number ${at}?`,
      functions: [
        { name: 'go_on', transitionTo: next },
        ...(at % 3 === 0 ? [{ name: `skip_to_${at}`, transitionTo: further }] : []),
        ...(at % 7 === 3 ? [{ name: 'go_back', transitionTo: back }] : []),
        ...(at % 25 === 10 ? [{ name: 'once_more', transitionTo: `step_${at}` }] : []),
      ],
      ...(at % 20 === 5 ? { onError: 'sorry' } : {}),
    };
  }
  nodes['step_98'] = { say: 'That is all.', end: 'done' };
  nodes['sorry'] = { say: 'Sorry.', end: 'failed' };
  return { name: 'hundred', initialNode: 'step_0', nodes };
}

import { returnTarget } from '../flow/function.ts';
import { quoted } from './draw-label.ts';
import type { Graph, GraphFunction, GraphNode, Target } from './graph.ts';
import { whenText } from './when-text.ts';

/**
 * A flow as a Mermaid flowchart: nodes by kind (what is said, asked, left to the model, computed, an end), edges by what
 * takes them. The same graph gives the same text, and no name or wording in it is read as Mermaid.
 */
export function drawMermaid(graph: Graph): string {
  const nodes = [...graph.nodes.values()];
  const arrows = [
    { from: BEGIN, to: graph.initial, label: '' },
    ...graph.functions.flatMap((item) => arrowsOf(ANYWHERE, item)),
    ...errorArrow(ANYWHERE, graph.trouble.onError),
    ...nodes.flatMap((node) => arrowsFrom(graph, node)),
  ];
  const ids = new Map<Place, string>(nodes.map(({ id }, index) => [id, `n${index}`]));
  const marks: [Place, id: string, shape: string][] = [
    [BEGIN, 'begin', '((" "))'],
    [ANYWHERE, 'anywhere', `((${quoted(['any node', stayingText(graph.functions)])}))`],
    [returnTarget, 'back', '(("back"))'],
    [CODE, 'code', '{"code decides"}'],
  ];
  const used = new Set(arrows.flatMap(({ from, to }) => [from, to]));
  if (graph.functions.length > 0) used.add(ANYWHERE);
  const drawnMarks = marks.filter(([place]) => used.has(place) && !ids.has(place));
  for (const [place, id] of drawnMarks) ids.set(place, id);
  const lines = [
    'flowchart TD',
    ...drawnMarks.map(([, id, shape]) => `${id}${shape}`),
    ...nodes.map((node) => `${ids.get(node.id)}${shapeOf(node)}`),
    ...arrows.map(({ from, to, label, isDotted }) => {
      return `${ids.get(from)} ${isDotted ? '-.->' : '-->'}${label === '' ? '' : `|${quoted([label])}|`} ${ids.get(to)}`;
    }),
  ];
  return `${lines.join('\n  ')}\n`;
}

/** A node by its id, or one of the marks that are drawn besides. */
type Place = string | symbol;

interface Arrow {
  readonly from: Place;
  readonly to: Place;
  readonly label: string;
  readonly isDotted?: boolean;
}

const BEGIN = Symbol('begin');
const ANYWHERE = Symbol('anywhere');
const CODE = Symbol('code');

function arrowsFrom(graph: Graph, node: GraphNode): readonly Arrow[] {
  return [
    ...node.functions.flatMap((item) => arrowsOf(node.id, item)),
    ...node.edges.map(({ to, index }) => {
      const when = graph.document.edges?.[index]?.when;
      return { from: node.id, to, label: when === undefined ? 'always' : whenText(when) };
    }),
    ...(node.defaultTransition === null ? [] : [{ from: node.id, to: node.defaultTransition, label: 'default' }]),
    ...(node.interrupt?.leadsTo ?? []).map(({ to }) => ({ from: node.id, to, label: 'no answer', isDotted: true })),
    ...errorArrow(node.id, node.trouble.onError),
  ];
}

function arrowsOf(from: Place, item: GraphFunction): readonly Arrow[] {
  const name = functionText(item);
  if (item.callback !== null) return [{ from, to: CODE, label: name, isDotted: true }];
  const refused = item.onRefuse === null ? [] : [{ from, to: item.onRefuse, label: `${item.name}: refused` }];
  if (item.target === null) return refused;
  const arrows = targetsOf(item.target).map(({ to, condition }) => ({
    from,
    to,
    label: condition === '' ? name : `${name}: ${condition}`,
  }));
  return [...arrows, ...refused];
}

function targetsOf(target: Target): readonly { readonly to: string; readonly condition: string }[] {
  if (target.kind === 'node') return [{ to: target.to, condition: '' }];
  const field = target.field.join('.');
  const cases = [...target.cases].map(([value, to]) => ({ to, condition: `${field} = ${value}` }));
  return target.otherwise === null ? cases : [...cases, { to: target.otherwise, condition: 'otherwise' }];
}

function errorArrow(from: Place, to: string | null): readonly Arrow[] {
  return to === null ? [] : [{ from, to, label: 'on error', isDotted: true }];
}

/** A function's name with what sets it apart. */
function functionText({ name, write, confirm, digression }: GraphFunction): string {
  const marks = [
    ...(write ? ['write'] : []),
    ...(confirm === null ? [] : ['confirm']),
    ...(digression ? ['digression'] : []),
  ];
  return [name, ...marks].join(' · ');
}

/** The functions that lead nowhere: what can be done without leaving. */
function stayingText(functions: readonly GraphFunction[]): string {
  const staying = functions.filter(({ target, callback }) => target === null && callback === null);
  return staying.map(functionText).join(', ');
}

function shapeOf(node: GraphNode): string {
  const [open, close, detail] = kindOf(node);
  return `${open}${quoted([node.id, detail, stayingText(node.functions)])}${close}`;
}

function kindOf(node: GraphNode): readonly [open: string, close: string, detail: string] {
  const said = node.say?.texts[0].source ?? '';
  if (node.end !== null) return ['([', '])', said === '' ? node.end : said];
  const asks = node.interrupt?.asks;
  const type = node.task?.type ?? (asks !== undefined && 'type' in asks ? asks.type : undefined);
  if (type !== undefined) return ['{{', '}}', type.name];
  if (node.call !== null) return ['{{', '}}', callText(node, node.call.function)];
  if (node.collect.length > 0) return ['[[', ']]', `asks ${node.collect.join(', ')}`];
  if (node.say !== null) return ['[/', '/]', said];
  return ['(', ')', node.messages[0]?.content.source ?? ''];
}

/** What a node does that calls by itself: it says, asks, then calls. */
function callText({ say, collect }: GraphNode, name: string): string {
  const steps = [say?.texts[0].source ?? '', collect.length === 0 ? '' : `asks ${collect.join(', ')}`, `calls ${name}`];
  return steps.filter((step) => step !== '').join(', ');
}

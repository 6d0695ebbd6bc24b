import type { DocumentPath } from '../../document/problems/diagnostic.ts';
import type { Graph, GraphFunction, GraphNode } from '../../graph/graph.ts';
import type { NodeSources } from '../../graph/nodes/node-source.ts';
import { type Report, addProblem } from '../../graph/report.ts';
import { circleText, shortestCircle } from './circle.ts';
import { targetsOf } from '../offers.ts';
import { strongComponents } from './strong-components.ts';
import { surelyLeaves } from './ways-out.ts';

/**
 * Reports cycles of nodes that do not wait for the caller: catalog nodes, nodes whose slots are known, and nodes with
 * calls. An error if no way leads out, otherwise a warning, unless an agent in the cycle decides when to leave.
 */
export function checkRoutingCycles(report: Report, graph: Graph, sources: NodeSources): void {
  const stops: Stop[] = [];
  for (const { id, path } of sources.values()) {
    const node = graph.nodes.get(id);
    if (node !== undefined && isPassed(graph, node)) stops.push({ node, moves: movesOf(graph, node, path) });
  }
  const numbers = new Map(stops.map(({ node }, number) => [node.id, number]));
  const successors = stops.map(({ moves }) => moves.flatMap(({ to }) => numbers.get(to) ?? []));
  const componentOf = new Int32Array(stops.length);
  const components = strongComponents(successors);
  for (const [index, component] of components.entries()) for (const number of component) componentOf[number] = index;

  for (const [index, component] of components.entries()) {
    const start = component.reduce((first, number) => Math.min(first, number));
    // A catalog node that leads to itself is reported separately.
    if (component.length === 1 && (stops[start]?.node.task !== null || !successors[start]?.includes(start))) continue;
    const inside = (number: number | undefined): boolean => number !== undefined && componentOf[number] === index;
    const members = component.flatMap((number) => stops[number] ?? []);
    const isEndless = members.every(
      ({ node, moves }) => surelyLeaves(graph, node) && moves.every(({ to }) => inside(numbers.get(to))),
    );
    if (!isEndless && members.some(({ node }) => node.task?.type.capabilities?.isAgent === true)) continue;
    const circle = shortestCircle(successors, start, inside).flatMap((number) => stops[number] ?? []);
    if (asksAnew(circle)) continue;
    const last = circle.at(-1);
    const first = circle[0];
    const back = last?.moves.find(({ to }) => to === first?.node.id);
    if (back === undefined) continue;
    const names = circle.map(({ node }) => node.id);
    addProblem(
      report,
      isEndless ? 'error' : 'warning',
      'routing-cycle',
      back.path,
      `nodes ${isEndless ? '' : 'may '}lead round without waiting for the caller: ${circleText(names)}.`,
      {
        hint: members.some(({ node }) => node.task === null)
          ? `A node whose slots are known asks nothing: lead to a node that speaks, or out of the circle${askedAnew(members)}.`
          : 'Lead to a node that waits for the caller, or out of the circle.',
      },
    );
  }
}

interface Stop {
  readonly node: GraphNode;
  readonly moves: readonly Move[];
}

interface Move {
  readonly to: string;
  readonly path: DocumentPath;
}

/** Checks whether a node in a cycle forgets a slot that another collects: the caller is then asked in each round. */
function asksAnew(circle: readonly Stop[]): boolean {
  const forgotten = new Set(circle.flatMap(({ node }) => node.forget));
  return circle.some(({ node }) => node.collect.some((name) => forgotten.has(name)));
}

function askedAnew(members: readonly Stop[]): string {
  const [slot] = members.flatMap(({ node }) => node.collect);
  return slot === undefined ? '' : `, or ask on each visit: collect: [{ slot: ${slot}, again: true }]`;
}

/** Checks whether a node can be left without a turn: it runs on entry, or has nothing left to ask. */
export function isPassed(graph: Graph, node: GraphNode): boolean {
  if (node.task !== null) return node.task.type.capabilities?.fails !== true;
  if (node.again.length > 0 || node.collect.some((name) => node.forget.includes(name))) return false;
  return node.end === null && (node.collect.length > 0 || freelyCalled(graph, node) !== null);
}

/** Returns the moves of a passed node. Edges after one without a condition are never tried. */
export function movesOf(graph: Graph, node: GraphNode, path: DocumentPath): readonly Move[] {
  const called = freelyCalled(graph, node);
  if (called !== null) {
    const at = [...path, 'call'];
    return [...targetsOf(called).map(({ to }) => ({ to, path: at })), ...movesByThemselves(node, path)];
  }
  return movesByThemselves(node, path);
}

/** Returns the function that a node calls on entry without a confirmation. */
function freelyCalled(graph: Graph, node: GraphNode): GraphFunction | null {
  const called = [...node.functions, ...graph.functions].find(({ name }) => name === node.call?.function);
  return called?.confirm === null ? called : null;
}

function movesByThemselves(node: GraphNode, path: DocumentPath): readonly Move[] {
  const always = node.edges.findIndex(({ when }) => when === null);
  const tried = always === -1 ? node.edges : node.edges.slice(0, always + 1);
  const moves = tried.map(({ to, index }) => ({ to, path: ['edges', index, 'to'] }));
  if (always !== -1 || node.defaultTransition === null) return moves;
  return [...moves, { to: node.defaultTransition, path: [...path, 'defaultTransition'] }];
}

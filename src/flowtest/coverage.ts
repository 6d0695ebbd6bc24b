import type { Event } from '../model/events/event.ts';
import type { Graph, GraphNode } from '../flow/graph/graph.ts';
import { valueAt } from '../flow/load/yaml/part-at.ts';
import { type Arrow, arrowOf, nodePath } from './arrows.ts';
import type { FlowPosition } from './document/flow-places.ts';
import type { OpenedFlow } from './opened-test.ts';
import type { FileResult } from './run-tests.ts';
import type { ToolRun } from './play/tool-ledger.ts';

/** The things that are counted. A condition counts both results, a function and a wait count each of their ends. */
export const coverageKinds = ['nodes', 'edges', 'conditions', 'functions', 'waits'] as const;
export type CoverageKind = (typeof coverageKinds)[number];

/** A part of a flow that tests can cover, and how often they did. */
export interface Covered {
  readonly kind: CoverageKind;
  readonly name: string;
  readonly place: FlowPosition | null;
  hits: number;
}

/** How much of a flow its tests covered. */
export interface FlowCoverage {
  readonly flow: OpenedFlow;
  readonly items: readonly Covered[];
  /** How often each node was entered and each arrow taken, for the drawn graph. */
  readonly nodeHits: ReadonlyMap<string, number>;
  readonly arrowHits: ReadonlyMap<Arrow, number>;
}

export interface Share {
  readonly covered: number;
  readonly all: number;
  /** 100 if there is nothing to cover. */
  readonly percent: number;
}

/** The coverage of each flow by all scenarios that were run, from any file. */
export function coverageOf(results: readonly FileResult[]): readonly FlowCoverage[] {
  const flows = new Map<string, { readonly flow: OpenedFlow; readonly counter: Counter }>();
  for (const { test, scenarios } of results) {
    const known = flows.get(test.flow.file) ?? { flow: test.flow, counter: createCounter(test.flow) };
    flows.set(test.flow.file, known);
    for (const { events, runs } of scenarios)
      known.counter.count(
        events.map(({ event }) => event),
        runs,
      );
  }
  return [...flows.values()]
    .filter(({ flow }) => flow.graph.generator === null)
    .map(({ flow, counter }) => ({ flow, ...counter.counted() }));
}

export function shareOf({ items }: FlowCoverage, kind: CoverageKind): Share {
  const all = items.filter((item) => item.kind === kind);
  const covered = all.filter(({ hits }) => hits > 0).length;
  return { covered, all: all.length, percent: all.length === 0 ? 100 : (100 * covered) / all.length };
}

interface Counter {
  count(events: readonly Event[], runs: readonly ToolRun[]): void;
  counted(): Omit<FlowCoverage, 'flow'>;
}

function createCounter({ graph, arrows, placeOf }: OpenedFlow): Counter {
  const items = new Map<string, Covered>();
  const nodeHits = new Map<string, number>();
  const arrowHits = new Map<Arrow, number>();
  const add = (kind: CoverageKind, key: string, name: string, place: FlowPosition | null): void =>
    void items.set(`${kind} ${key}`, { kind, name, place, hits: 0 });
  const hit = (kind: CoverageKind, key: string): void => {
    const item = items.get(`${kind} ${key}`);
    if (item !== undefined) item.hits += 1;
  };

  for (const node of graph.nodes.values()) {
    add('nodes', node.id, node.id, placeOf(nodePath(graph, node.id)));
    for (const end of waitEnds(graph, node))
      add('waits', `${node.id} ${end}`, `${node.id}: ${end}`, placeOf(nodePath(graph, node.id)));
    for (const [at, { index, when, to }] of node.edges.entries()) {
      if (when === null) continue;
      const place = placeOf(['edges', index]);
      // If the last condition does not hold and nothing follows it, the flow stays, and no event shows that.
      const isSeen = at < node.edges.length - 1 || node.defaultTransition !== null;
      for (const way of isSeen ? ['true', 'false'] : ['true'])
        add('conditions', `${index} ${way}`, `${node.id} -> ${to} (edge ${index + 1}): ${way}`, place);
    }
  }
  for (const [index, arrow] of arrows.entries())
    add('edges', String(index), arrowText(arrow), placeOf(arrow.path, arrow.cause === 'default'));
  for (const { name, path } of toolFunctions(graph))
    for (const end of ['done', 'failed', 'timed out'])
      add('functions', `${name} ${end}`, `${name}: ${end}`, placeOf(path));

  const countTaken = (event: Extract<Event, { type: 'transition:taken' }>): void => {
    const arrow = arrowOf(arrows, event.data);
    if (arrow !== undefined) {
      hit('edges', String(arrows.indexOf(arrow)));
      arrowHits.set(arrow, (arrowHits.get(arrow) ?? 0) + 1);
    }
    const { from, cause, edge } = event.data;
    if (cause !== 'edge' && cause !== 'default') return;
    // The first condition that holds is taken, so those before it did not hold.
    for (const one of graph.nodes.get(from)?.edges ?? []) {
      if (one.index === edge) {
        hit('conditions', `${one.index} true`);
        return;
      }
      hit('conditions', `${one.index} false`);
    }
  };
  return {
    count(events, runs) {
      const waiting = new Map<string, string>();
      for (const event of events) {
        if (event.type === 'node:entered' && event.nodeId !== undefined) {
          hit('nodes', event.nodeId);
          nodeHits.set(event.nodeId, (nodeHits.get(event.nodeId) ?? 0) + 1);
        } else if (event.type === 'transition:taken') countTaken(event);
        else if (event.type === 'wait:opened') waiting.set(event.data.key, event.nodeId ?? '');
        else if (event.type === 'wait:resolved') hit('waits', `${waiting.get(event.data.key)} resolved`);
        else if (event.type === 'wait:expired') hit('waits', `${waiting.get(event.data.key)} expired`);
        else if (event.type === 'wait:answered') hit('waits', `${event.nodeId} ${event.data.answer}`);
        else if (event.type === 'tool:settled') {
          const { function: name, key, state } = event.data;
          const isHung = runs.some((run) => run.key === key && run.outcome === 'hung');
          if (state === 'done') hit('functions', `${name} done`);
          else if (state === 'failed') hit('functions', `${name} ${isHung ? 'timed out' : 'failed'}`);
        }
      }
    },
    counted: () => ({ items: [...items.values()], nodeHits, arrowHits }),
  };
}

/** How the wait of a node may end: by a caller's yes or no, by the person who is asked, by its deadline or its time. */
function waitEnds(graph: Graph, { id, interrupt }: GraphNode): readonly string[] {
  if (interrupt === null) return [];
  if (interrupt.asksCaller) return ['yes', 'no'];
  const has = (key: string): boolean => valueAt(graph.document, [...nodePath(graph, id), 'input', key]) !== undefined;
  if (has('for') || has('until')) return ['expired'];
  return has('deadline') ? ['resolved', 'expired'] : ['resolved'];
}

/** Functions that run code, each name once. */
function toolFunctions(graph: Graph): readonly { readonly name: string; readonly path: Arrow['path'] }[] {
  const found = new Map<string, Arrow['path']>();
  const look = (functions: GraphNode['functions'], path: Arrow['path']): void => {
    for (const [index, { name, body }] of functions.entries())
      if ((body === 'tool' || body === 'flow') && !found.has(name)) found.set(name, [...path, 'functions', index]);
  };
  look(graph.functions, []);
  for (const node of graph.nodes.values()) look(node.functions, nodePath(graph, node.id));
  return [...found].map(([name, path]) => ({ name, path }));
}

export function arrowText({ from, to, label }: Arrow): string {
  return `${from ?? 'any node'} -> ${to} (${label})`;
}

import type { DocumentPath } from '../flow/document/problems/diagnostic.ts';
import { returnTarget } from '../flow/document/function.ts';
import type { TransitionCause } from '../model/events/event.ts';
import type { Graph, GraphFunction, LadderRule } from '../flow/graph/graph.ts';

/** A possible transition of a flow, and its place in the document. */
export interface Arrow {
  /** The node that it leaves, or null if it leaves any node. */
  readonly from: string | null;
  /** A node, or `$return`. */
  readonly to: string;
  readonly cause: TransitionCause;
  /** The function that leads there. */
  readonly function?: string;
  /** The edge's index in the document. */
  readonly edge?: number;
  /** A description of its cause, for people. */
  readonly label: string;
  readonly path: DocumentPath;
}

/** A transition, as the events of a session report it. */
export interface TakenTransition {
  readonly from: string;
  readonly to: string;
  readonly cause: TransitionCause;
  readonly function?: string;
  readonly edge?: number;
}

/** The path of a node in the document that a graph was compiled from. */
export function nodePath({ document: { nodes } }: Graph, id: string): DocumentPath {
  if (!Array.isArray(nodes)) return ['nodes', id];
  const index = (nodes as readonly { readonly id?: string }[]).findIndex((node) => node.id === id);
  return ['nodes', Math.max(index, 0)];
}

/** All transitions of a flow, in the order of its document. */
export function arrowsOf(graph: Graph): readonly Arrow[] {
  const { document } = graph;
  const everywhere = [
    ...graph.functions.flatMap((one, index) => functionArrows(null, one, ['functions', index])),
    ...troubleArrows(null, graph.trouble.onError, graph.onTrouble, graph.trouble.ladder, []),
    ...[...graph.slots.values()].flatMap(({ name, ladder }) => ladderArrows(null, ladder, ['slots', name])),
  ];
  const own = [...graph.nodes.values()].flatMap((node): readonly Arrow[] => {
    const path = nodePath(graph, node.id);
    const from = node.id;
    return [
      ...node.functions.flatMap((one, index) => functionArrows(from, one, [...path, 'functions', index])),
      ...[...node.keys].flatMap(([key, to]) =>
        graph.nodes.has(to) ? [arrow(from, to, 'key', `key ${key}`, [...path, 'keys', key])] : [],
      ),
      ...node.edges.map(({ to, index, when }): Arrow => {
        const label = when === null ? 'always' : `edge ${index + 1}`;
        return { from, to, cause: 'edge', edge: index, label, path: ['edges', index] };
      }),
      ...(node.defaultTransition === null
        ? []
        : [arrow(from, node.defaultTransition, 'default', 'default', [...path, 'defaultTransition'])]),
      ...(node.interrupt?.leadsTo ?? []).map(({ to, at, outcome }) =>
        outcome === undefined ? arrow(from, to, 'expired', 'deadline', at) : arrow(from, to, 'outcome', outcome, at),
      ),
      ...troubleArrows(from, node.trouble.onError, null, node.trouble.ladder, path),
    ];
  });
  return [...everywhere, ...own].filter(
    // An alias of a list of functions does not make two transitions out of one, and neither do two identical lines.
    (one, index, all) => all.findIndex((other) => sameWay(one, other)) === index && document.nodes !== undefined,
  );
}

function arrow(from: string | null, to: string, cause: TransitionCause, label: string, path: DocumentPath): Arrow {
  return { from, to, cause, label, path };
}

function sameWay(one: Arrow, other: Arrow): boolean {
  return (
    one.from === other.from &&
    one.to === other.to &&
    one.cause === other.cause &&
    one.function === other.function &&
    one.edge === other.edge
  );
}

function functionArrows(from: string | null, one: GraphFunction, path: DocumentPath): readonly Arrow[] {
  const { name, target, onRefuse } = one;
  const way = (to: string, label: string, at: DocumentPath): Arrow => {
    return { from, to, cause: 'function', function: name, label, path: at };
  };
  const field = [...path, 'transitionTo'];
  const ways =
    target === null
      ? []
      : target.kind === 'node'
        ? [way(target.to, name, field)]
        : [
            ...[...target.cases].map(([value, to]) =>
              way(to, `${name}: ${target.field.join('.')} = ${value}`, [...field, 'cases', value]),
            ),
            ...(target.otherwise === null ? [] : [way(target.otherwise, `${name}: otherwise`, [...field, 'default'])]),
          ];
  const refused: readonly Arrow[] =
    onRefuse === null
      ? []
      : [
          {
            from,
            to: onRefuse,
            cause: 'refused',
            function: name,
            label: `${name}: refused`,
            path: [...path, 'onRefuse'],
          },
        ];
  return [...ways, ...refused];
}

function troubleArrows(
  from: string | null,
  onError: string | null,
  onTrouble: string | null,
  ladder: LadderRule,
  path: DocumentPath,
): readonly Arrow[] {
  return [
    ...(onError === null ? [] : [arrow(from, onError, 'error', 'on error', [...path, 'onError'])]),
    ...(onTrouble === null ? [] : [arrow(from, onTrouble, 'trouble', 'on trouble', [...path, 'onTrouble'])]),
    ...ladderArrows(from, ladder, path),
  ];
}

function ladderArrows(from: string | null, { onNoInput, onNoMatch }: LadderRule, path: DocumentPath): readonly Arrow[] {
  return [
    ...(onNoInput === null ? [] : [arrow(from, onNoInput, 'trouble', 'no input', [...path, 'ladder', 'onNoInput'])]),
    ...(onNoMatch === null ? [] : [arrow(from, onNoMatch, 'trouble', 'no match', [...path, 'ladder', 'onNoMatch'])]),
  ];
}

/** Checks whether a transition uses an arrow. A node's own arrow comes before one from any node. */
function goesAlong(taken: TakenTransition, one: Arrow): boolean {
  if (one.from !== null && one.from !== taken.from) return false;
  if (one.cause !== taken.cause) return taken.cause === 'return' && one.to === returnTarget && one.from === taken.from;
  if (one.to !== taken.to && one.to !== returnTarget) return false;
  return one.function === taken.function && (one.edge === undefined || one.edge === taken.edge);
}

/** The arrow of a transition, or undefined if the document does not have it because code decided. */
export function arrowOf(arrows: readonly Arrow[], taken: TakenTransition): Arrow | undefined {
  const along = arrows.filter((one) => goesAlong(taken, one));
  return along.find(({ from }) => from !== null) ?? along[0];
}

import type { Json, JsonObject } from '../../src/model/json.ts';
import type { Graph, GraphFunction } from '../../src/flow/graph/graph.ts';
import type { Chance } from './chance.ts';
import { randomResult } from './random-replies.ts';

/** The behaviour of one run of a function. */
export interface RandomRun {
  readonly durationMs: number;
  readonly succeeds: boolean;
  readonly result: Json;
  /** The requested move: a node id, a new node, null to stay, or undefined for no request. */
  readonly next: string | JsonObject | null | undefined;
}

/** Creates a random run: fast, slow, failing, or over its timeout. */
export function randomRun(chance: Chance, graph: Graph, offered: GraphFunction | null, name: string): RandomRun {
  return {
    durationMs: chance.pick([0, 0, 20, 600, 2_500, 9_000, 12_000, 40_000]),
    succeeds: !chance.often(0.2),
    result: randomResult(chance, offered),
    next: chance.often(name === 'make' ? 0.8 : 0.05) ? randomNext(chance, graph) : undefined,
  };
}

function randomNext(chance: Chance, graph: Graph): string | JsonObject | null {
  if (chance.often(0.2)) return null;
  if (chance.often(0.4)) return chance.any([...graph.nodes.keys(), 'nowhere']) ?? 'nowhere';
  return { say: `Made ${chance.below(3)}.`, functions: [{ name: 'on', transition_to: graph.initial }] };
}

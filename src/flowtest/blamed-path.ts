import type { DocumentPath } from '../flow/document/problems/diagnostic.ts';
import { arrowOf, nodePath } from './arrows.ts';
import type { OpenedFlow } from './opened-test.ts';
import type { Broken } from './play/play-scenario.ts';
import { takenIn } from './record/record.ts';

/** The part of the flow that a failure is about, if it is known: the transition, a line, a slot, or a function. */
export function blamedPath({ graph, arrows }: OpenedFlow, { about, record, turn }: Broken): DocumentPath | null {
  const events = record.events.filter((one) => turn === null || one.turn <= turn).map(({ event }) => event);
  const here = events.findLast((event) => event.type === 'node:entered')?.nodeId;
  const atNode = here !== undefined && graph.nodes.has(here) ? nodePath(graph, here) : null;
  switch (about.kind) {
    case 'slot':
      return graph.slots.has(about.name) ? ['slots', about.name] : null;
    case 'function':
      return functionPath(graph, about.name) ?? atNode;
    case 'words':
      return atNode;
    case 'way': {
      const all = takenIn(events);
      const taken = all.findLast(({ to }) => to === about.to) ?? all.at(-1);
      const arrow = taken === undefined ? undefined : arrowOf(arrows, taken);
      return arrow?.path ?? atNode;
    }
    case 'nothing':
      return null;
  }
}

function functionPath({ nodes, functions, ...graph }: OpenedFlow['graph'], name: string): DocumentPath | null {
  const everywhere = functions.findIndex((one) => one.name === name);
  if (everywhere >= 0) return ['functions', everywhere];
  for (const node of nodes.values()) {
    const index = node.functions.findIndex((one) => one.name === name || one.handler === name);
    if (index >= 0) return [...nodePath({ nodes, functions, ...graph }, node.id), 'functions', index];
  }
  return null;
}

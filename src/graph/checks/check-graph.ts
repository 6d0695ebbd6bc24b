import type { Graph } from '../graph.ts';
import type { NodeSources } from '../node-source.ts';
import type { Report } from '../report.ts';

/** Reports what is wrong between the parts of a flow: targets, ways out, names, functions, prompts. */
export function checkGraph(_report: Report, _graph: Graph, _sources: NodeSources): void {}

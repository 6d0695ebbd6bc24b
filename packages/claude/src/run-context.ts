import type { NodeType } from 'roomflow';

type Running = Extract<NodeType, { run: (...given: never[]) => unknown }>;

/** The second argument of a node type's `run`. */
export type RunContext = Parameters<Running['run']>[1];

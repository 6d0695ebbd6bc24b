import type { NodeType } from 'roomflow';

type Running = Extract<NodeType, { run: (...given: never[]) => unknown }>;

/** The context that a running node is given. */
export type RunContext = Parameters<Running['run']>[1];

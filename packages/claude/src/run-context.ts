import type { NodeType } from 'roomflow';

type Running = Extract<NodeType, { run: (...given: never[]) => unknown }>;

/** What a running node has at hand. */
export type RunContext = Parameters<Running['run']>[1];

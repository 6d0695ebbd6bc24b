import type { DraftFunction } from './draft-node.ts';

/** A tool that runs custom code, for any product that it was written for. */
export interface CodeTool {
  readonly name: string;
  readonly description: string;
  readonly parameters?: Readonly<Record<string, unknown>>;
  readonly effect: 'read' | 'write';
  readonly timeoutMs?: number;
  readonly retries?: number;
  /** A fixed line that is said while it runs. */
  readonly line?: string;
}

/** Creates the function by which a model calls a tool. It stays in its node, or leads to the node `to`. */
export function functionOf(tool: CodeTool, to?: string): DraftFunction {
  return {
    name: tool.name,
    ...(tool.description === '' ? {} : { description: tool.description }),
    ...(tool.parameters === undefined ? {} : { parameters: tool.parameters }),
    handler: tool.name,
    effect: tool.effect,
    ...(tool.timeoutMs === undefined ? {} : { timeout_ms: tool.timeoutMs }),
    ...(tool.retries === undefined ? {} : { retry: { max_attempts: Math.min(10, tool.retries + 1) } }),
    ...(to === undefined ? {} : { transition_to: to }),
  };
}

import type { DraftFunction } from './draft-node.ts';

/** A tool that runs code of somebody's, whichever product it was written for. */
export interface CodeTool {
  readonly name: string;
  readonly description: string;
  readonly parameters?: Readonly<Record<string, unknown>>;
  readonly effect: 'read' | 'write';
  readonly timeoutMs?: number;
  readonly retries?: number;
  /** A fixed line while it runs. */
  readonly line?: string;
}

/** The function by which a model calls a tool, where it stays in its node or leads to another. */
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

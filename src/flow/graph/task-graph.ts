import type { Template } from '../expression/template.ts';
import type { CompiledWhen } from '../expression/when.ts';
import type { TaskDocument } from '../document/task-document.ts';
import type { GraphInput, GraphTask } from './graph.ts';

/** A compiled task flow: resolved, read-only, identified by the hash of its content. */
export interface TaskGraph extends TaskPart {
  readonly name: string;
  readonly hash: string;
  /** The source document. Compiling it again gives an equal graph. */
  readonly document: TaskDocument;
  readonly input: ReadonlyMap<string, GraphInput>;
  readonly policy: { readonly failFast: boolean; readonly concurrency: number };
}

/** Tasks and their order: a whole flow, or the body of a task that repeats it. Acyclic. */
export interface TaskPart {
  /** In the order of the document. */
  readonly nodes: readonly TaskNode[];
  /** In the order of the document. */
  readonly edges: readonly TaskEdge[];
  /** The index of each node in `nodes`, by id. */
  readonly indexOf: ReadonlyMap<string, number>;
}

export interface TaskNode {
  readonly id: string;
  readonly task: GraphTask;
  /** Null without a prompt. */
  readonly prompt: Template | null;
  readonly policy: TaskPolicy;
  /** A write: once begun it is awaited, and it never runs twice at the same time. */
  readonly writes: boolean;
  /** Whether it waits for all of `incoming`, or runs at the first that fires. */
  readonly waitsFor: 'all' | 'any';
  /** Indexes in `edges`. */
  readonly incoming: readonly number[];
  /** Indexes in `edges`. */
  readonly outgoing: readonly number[];
  readonly body: TaskPart | null;
}

export interface TaskEdge {
  /** Index in `nodes`. */
  readonly from: number;
  /** Index in `nodes`. */
  readonly to: number;
  /** Null: fires whenever its source has run. */
  readonly when: CompiledWhen | null;
}

export interface TaskPolicy {
  /** Null: no limit per attempt. */
  readonly timeoutMs: number | null;
  /** Null: no limit for all attempts together. */
  readonly totalTimeoutMs: number | null;
  readonly maxAttempts: number;
  readonly backoffMs: number;
  readonly continueOnError: boolean;
}

import type { Template } from '../expression/template.ts';
import type { CompiledWhen } from '../expression/when.ts';
import type { TaskDocument } from '../document/task-document.ts';
import type { GraphInput, GraphTask } from './graph.ts';

/** A task flow as it runs: resolved, read-only, and identified by the hash of its content. */
export interface TaskGraph extends TaskPart {
  readonly name: string;
  readonly hash: string;
  /** What it was compiled from; compiling it again gives an equal graph. */
  readonly document: TaskDocument;
  readonly input: ReadonlyMap<string, GraphInput>;
  readonly policy: { readonly failFast: boolean; readonly concurrency: number };
}

/** Tasks and what runs after what: a whole flow, or the body of a task that repeats it. There are no circles. */
export interface TaskPart {
  /** In the order of the document. */
  readonly nodes: readonly TaskNode[];
  /** In the order of the document. */
  readonly edges: readonly TaskEdge[];
  /** The place of each node in `nodes`, by its id. */
  readonly indexOf: ReadonlyMap<string, number>;
}

export interface TaskNode {
  readonly id: string;
  readonly task: GraphTask;
  /** Null where it has none. */
  readonly prompt: Template | null;
  readonly policy: TaskPolicy;
  /** It changes the world: once begun it is waited for, and never runs beside itself. */
  readonly writes: boolean;
  /** Whether it waits for all of `incoming`, or runs at the first that fires. */
  readonly waitsFor: 'all' | 'any';
  /** Places in `edges`. */
  readonly incoming: readonly number[];
  /** Places in `edges`. */
  readonly outgoing: readonly number[];
  readonly body: TaskPart | null;
}

export interface TaskEdge {
  /** Place in `nodes`. */
  readonly from: number;
  /** Place in `nodes`. */
  readonly to: number;
  /** Null: it fires whenever the node it leaves has run. */
  readonly when: CompiledWhen | null;
}

export interface TaskPolicy {
  /** Null: an attempt may take any time. */
  readonly timeoutMs: number | null;
  /** Null: all attempts together may. */
  readonly totalTimeoutMs: number | null;
  readonly maxAttempts: number;
  readonly backoffMs: number;
  readonly continueOnError: boolean;
}

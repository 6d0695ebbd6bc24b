import type { EntryCorrelation } from './inbox.ts';

/**
 * The ids that tie an event to its session, turn, node and run, and to the wait, the schedule or the campaign that it
 * belongs to; absent where they do not apply.
 */
export interface Correlation extends EntryCorrelation {
  readonly sessionId: string;
  readonly requestId: string;
  readonly turnId?: string;
  readonly flowId?: string;
  readonly flowRunId?: string;
  readonly nodeId?: string;
  readonly visit?: number;
  readonly runId?: string;
}

/** One event as the hub carries it: `seq` grows by one within a session, `time` is in epoch milliseconds. */
export interface Envelope<Type extends string = string, Data = unknown> extends Correlation {
  readonly id: string;
  readonly seq: number;
  readonly time: number;
  readonly type: Type;
  readonly data: Data;
}

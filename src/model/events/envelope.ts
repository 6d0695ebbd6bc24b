import type { EntryCorrelation } from '../inbox.ts';

/**
 * Ids that relate an event to its session, turn, node and run, and to its wait, schedule or campaign; absent if they do
 * not apply.
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

/** An event as the hub delivers it. `seq` grows by one within a session; `time` is in epoch milliseconds. */
export interface Envelope<Type extends string = string, Data = unknown> extends Correlation {
  readonly id: string;
  readonly seq: number;
  readonly time: number;
  readonly type: Type;
  readonly data: Data;
}

import type { Json } from '../json.ts';

/** Runs, tasks and agents of task flows. */
export interface TaskEvents {
  /**
   * The run of a task flow began. `keptVersion`: the hash of the version that the run began with, if there is another
   * one by now.
   */
  'harness:start': { name: string; keptVersion?: string } & Recovered;
  /** The run ended. A run that waits for a person has not ended. */
  'harness:complete': { success: boolean; durationMs: number };
  /** A phase began: a run of a task flow has one; in a conversation each flow is one. */
  'phase:start': { name: string } & Recovered;
  /** The phase ended. */
  'phase:complete': { name: string };
  /** A task began; in a conversation, a visit of a node. */
  'task:start': { taskId: string } & Recovered;
  /** The task ended with this result; null for a node of a conversation. */
  'task:complete': { taskId: string; result: Json } & Recovered;
  /** The task failed after this many attempts. `continued`: its output is an error marker, and the flow goes on. */
  'task:failed': { taskId: string; code: string; attempts: number; continued: boolean } & Recovered;
  /** A failed task is tried again in `delayMs` milliseconds. */
  'task:retry': { taskId: string; attempt: number; delayMs: number } & Recovered;
  /** No edge to the task fired. It never runs. */
  'task:skipped': { taskId: string } & Recovered;
  /** A write takes longer than its policy allows. The run waits for it, and its real end counts. */
  'task:overdue': { taskId: string; limitMs: number };
  /** The run of an agent began with this input. */
  'agent:start': { input: Json };
  /** The model wrote these characters. */
  'agent:text': { delta: string };
  /** The run of the agent ended. `text` is all that the model wrote. */
  'agent:complete': { text: string };
  /** The run of the agent failed or was aborted. */
  'agent:error': { code: string };
  /** The agent called a function. */
  'agent:tool:start': { tool: string; callId: string };
  /** The function ended. */
  'agent:tool:complete': { tool: string; callId: string };
  /** The function failed, was refused or is not registered. `message` is what the model reads. */
  'agent:tool:error': { tool: string; callId: string; message: string };
  /** A channel of the run is about to be started. */
  'channel:start': { channel: string };
  /** A channel of the run has ended. */
  'channel:complete': { channel: string };
  /** A channel threw, or took longer than 10 seconds, at `stage`: `start`, `event`, `speech` or `complete`. */
  'channel:error': { channel: string; stage: string };
}

interface Recovered {
  /** It happened before, in another process. The event repeats what was kept; nothing is done again. */
  recovered?: true;
}

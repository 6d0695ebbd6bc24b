import type { Event } from '../events/event.ts';
import type { JsonObject } from '../events/json.ts';
import type { Catalog } from '../graph/catalog.ts';
import type { TaskGraph } from '../graph/task-graph.ts';
import type { EventHub } from '../hub/create-hub.ts';
import type { FlowSource } from '../load/flow-library.ts';
import type { Channel, ChannelRun } from '../ports/channel.ts';
import type { FlowRunnerOptions } from './options.ts';
import type { TaskWorldOptions } from './task-world.ts';
import type { TasksEnd } from '../tasks/run-tasks.ts';
import type { RunOutcome } from '../tasks/task-state.ts';

/** The options of a run that only conversations use. */
type ConversationOptions = Omit<
  FlowRunnerOptions,
  'session' | 'flow' | 'flows' | 'tools' | 'catalog' | 'input' | 'sessionId' | 'onEnd' | keyof TaskWorldOptions
>;

/** The options of a run. */
export interface FlowRunOptions extends Omit<TaskWorldOptions, 'flows'>, ConversationOptions {
  /** The node types that its flows name; the built-in ones where absent. */
  readonly catalog?: Catalog;
  /** The run's id; a new one where absent. A run that the store keeps under it goes on. */
  readonly sessionId?: string;
  /** Values for the flow's `input`; a run that goes on has those that it began with. */
  readonly input?: JsonObject;
  /** Task flows that tasks and functions may run, and conversations that a conversation may go on with, by name. */
  readonly flows?: Readonly<Record<string, FlowSource>>;
  readonly channels?: readonly Channel[];
  /**
   * Of a task flow that a store keeps: a run that has failed goes on from the tasks that have failed, under the same keys.
   * The flow may have been mended meanwhile, as long as what was done still stands in it; then a run that was broken off
   * goes on in the mended one, too.
   */
  readonly retry?: boolean;
  /** Outweighs the policy of a task flow's document. */
  readonly policy?: Partial<TaskGraph['policy']>;
}

/** `waiting`: it waits for somebody outside; run again under the same id it goes on when they have answered. */
export type FlowStatus = 'idle' | 'running' | 'waiting' | RunOutcome;

/** The result of a run: its end, and its outputs. */
export interface FlowRunResult {
  /**
   * Of a task flow: by node id; a task that failed or was skipped has none, unless it continues on errors. Of a
   * conversation: `reason` (why it ended), `slots` and `variables` by name.
   */
  readonly outputs: JsonObject;
  /** All events of the run, those of its channels included. */
  readonly events: readonly Event[];
  readonly durationMs: number;
  /** `waiting`: nothing runs any more, and a run of the same id goes on once what it waits for has come. */
  readonly status: RunOutcome | 'waiting';
  /** Failures that no `continue_on_error` has handled, the first one first. Of a conversation: why it could not go on. */
  readonly failures: TasksEnd['failures'];
}

/** One run of a flow. It is a hub as well, which publishes all events of the run. */
export interface FlowRun extends EventHub, ChannelRun {
  readonly status: FlowStatus;
  /** Attaches a channel; once the session has started it starts at once. Throws `input-invalid` for what is none. */
  attach(channel: Channel): this;
  /** Starts the channels before the run, which else does so itself. Throws nothing: a channel that fails is told as an event. */
  startSession(): this;
  /**
   * Runs the flow to its end, from where the store has kept it; a run of a task flow that is over gives the result that is
   * kept. A failure is told in the result, of a conversation also that it is over or another process has it. Throws
   * `already-run`, `no-channel` where a node is sure to ask a person and no attached
   * channel can, before any node has run, and of a task flow that a store keeps `session-taken`, `session-unfit`,
   * `session-unknown`, `flow-gone`, `flow-changed`, `input-changed`, `lease-lost`, `store-failed` or what the store throws as
   * it is opened.
   */
  run(): Promise<FlowRunResult>;
}

/** Another name for `FlowRun`. */
export type FlowInstance = FlowRun;

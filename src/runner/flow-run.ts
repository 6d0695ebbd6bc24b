import type { Event } from '../model/events/event.ts';
import type { JsonObject } from '../model/json.ts';
import type { InputOf } from '../livekit/tools/flow-names.ts';
import type { Catalog } from '../flow/graph/nodes/catalog.ts';
import type { TaskGraph } from '../flow/graph/task-graph.ts';
import type { EventHub } from '../engine/hub/create-hub.ts';
import type { FlowSource } from '../flow/load/files/flow-library.ts';
import type { Channel, ChannelRun } from '../model/ports/channel.ts';
import type { FlowRunnerOptions, SettingsOptions } from './options/flow-runner-options.ts';
import type { RunnerOptions } from './options/runner-options.ts';
import type { TaskWorldOptions } from './tasks/task-world.ts';
import type { TasksEnd } from '../engine/tasks/run-tasks.ts';
import type { RunOutcome } from '../engine/tasks/task-state.ts';

/** Options of a run that only conversations use. */
type ConversationOptions = Omit<
  RunnerOptions,
  'session' | 'flow' | 'flows' | 'tools' | 'catalog' | 'input' | 'sessionId' | 'onEnd' | keyof TaskWorldOptions
>;

/** Options of a run, flat: for code of this package. */
export interface RunOptions
  extends Omit<FlowRunOptions, 'store' | 'agent' | 'host' | 'settings' | 'handlers'>, ConversationOptions {}

/** Options of a run. A conversation also takes `handlers`, `agent`, `host` and `settings`, as a `FlowRunner`. */
export interface FlowRunOptions<Flow extends FlowSource = FlowSource>
  extends Omit<TaskWorldOptions, 'flows'>, Pick<FlowRunnerOptions<Flow>, 'store' | 'handlers' | 'agent' | 'host'> {
  /** Limits, prices, time and the like of a conversation, each with a default. */
  readonly settings?: Omit<SettingsOptions, 'catalog' | 'onEnd' | keyof TaskWorldOptions>;
  /** Node types of the flows; the built-in ones by default. */
  readonly catalog?: Catalog;
  /** Id of the run; a new one by default. A stored run with this id continues. */
  readonly sessionId?: string;
  /** Values for the flow's `input`. A continued run keeps its original input. */
  readonly input?: NoInfer<InputOf<Flow>>;
  /** Task flows for tasks and functions, and conversations to hand off to, by name. */
  readonly flows?: Readonly<Record<string, FlowSource>>;
  readonly channels?: readonly Channel[];
  /**
   * For a stored task flow: continues a failed run from its failed tasks, under the same keys. The flow may have
   * been corrected if the completed tasks still fit; an interrupted run also continues in the corrected flow.
   */
  readonly retry?: boolean;
  /** Overrides the policy of a task flow's document. */
  readonly policy?: Partial<TaskGraph['policy']>;
}

/** `waiting`: the run waits for a person or an event outside, and continues when it is run again with the same id after the answer. */
export type FlowStatus = 'idle' | 'running' | 'waiting' | RunOutcome;

/** The result of a run: its end and its outputs. */
export interface FlowRunResult {
  /**
   * For a task flow: outputs by node id. A failed or skipped task has none, unless it continues
   * on errors. For a conversation: `reason` (why it ended), `slots` and `variables` by name.
   */
  readonly outputs: JsonObject;
  /** All events of the run, including those of its channels. */
  readonly events: readonly Event[];
  readonly durationMs: number;
  /** `waiting`: nothing runs, and a run with the same id continues after the awaited event. */
  readonly status: RunOutcome | 'waiting';
  /** Failures that `continue_on_error` did not handle, in order. For a conversation: why it could not continue. */
  readonly failures: TasksEnd['failures'];
}

/** One run of a flow. It is also a hub that publishes all events of the run. */
export interface FlowRun extends EventHub, ChannelRun {
  readonly status: FlowStatus;
  /** Attaches a channel; after the session has started, the channel starts at once. Throws `input-invalid` if the argument is not a channel. */
  attach(channel: Channel): this;
  /** Starts the channels before the run, which otherwise starts them itself. Throws nothing: a failing channel is reported as an event. */
  startSession(): this;
  /**
   * Runs the flow to its end, from its stored progress. An ended task run returns its stored result. Failures are part of the result;
   * for a conversation also that it is over or owned by another process. Throws `already-run`, and `no-channel` if a node must ask a
   * person and no attached channel can. A stored task flow also throws `session-taken`, `session-kind-wrong`, `session-unknown`,
   * `flow-version-missing`, `flow-changed`, `input-changed`, `lease-lost`, `store-failed`, or the error of opening the store.
   */
  run(): Promise<FlowRunResult>;
}

/** Alias of `FlowRun`. */
export type FlowInstance = FlowRun;

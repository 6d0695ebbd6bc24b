import { FlowError } from '../../model/errors.ts';
import type { Event } from '../../model/events/event.ts';
import { assertOptions, optionShapes } from '../../flow/document/problems/option-faults.ts';
import type { EventHub } from '../../engine/hub/create-hub.ts';
import { assertListener } from '../assert-event-type.ts';
import type { FlowRun, FlowStatus } from '../flow-run.ts';
import { isChannel } from '../options/option-faults.ts';
import type { Channel, ChannelRun } from '../../model/ports/channel.ts';
import type { Clock } from '../../model/ports/time.ts';
import type { AgentRuns } from '../../engine/tasks/agent-runs.ts';
import { type Channels, createChannels } from '../../engine/tasks/channels.ts';
import type { TasksEnd } from '../../engine/tasks/run-tasks.ts';

/** A run of either kind, before it is created. */
export interface RunToMake {
  /** The flow's name. */
  readonly name: string;
  readonly sessionId: string;
  readonly hub: EventHub;
  readonly clock: Clock;
  readonly channels: readonly Channel[];
  readonly agents: () => AgentRuns;
  /** The work of the flow. */
  readonly work: RunWork;
}

/** The work of a flow between the beginning and the end of its run. */
export interface RunWork extends Pick<ChannelRun, 'kind' | 'send' | 'idle' | 'abort'> {
  /** Restores a stored run before its channels start; null for a new one. */
  open?(channels: Channels): Promise<RunBefore | null>;
  /** Runs once and publishes its own phases. Never rejects. */
  run(channels: Channels): Promise<TasksEnd>;
  /** Stores the end of the run; rejects if the run could not be stored. */
  close?(end: TasksEnd, durationMs: number): Promise<void>;
}

/**
 * Progress of an earlier process: either when the run began, in epoch milliseconds,
 * with its flow version if that is not the current one; or how it ended.
 */
export type RunBefore =
  | { readonly startedAt: number; readonly keptVersion?: string | null; readonly ended?: never }
  | {
      readonly startedAt?: never;
      readonly keptVersion?: never;
      readonly ended: { readonly end: TasksEnd; readonly durationMs: number; readonly events: readonly Event[] };
    };

const abortShapes = { handOver: optionShapes.flag };

/** Creates a run of either kind: its channels, events and result. */
export function createInstance({ name, sessionId, hub, clock, channels: given, agents, work }: RunToMake): FlowRun {
  let status: FlowStatus = 'idle';
  let hasSession = false;
  const instance: FlowRun = {
    ...hub,
    sessionId,
    clock,
    kind: work.kind,
    get status() {
      return status;
    },
    subscribe(pattern, listener, options) {
      assertListener(listener);
      return hub.subscribe(pattern, listener, options);
    },
    attach(channel) {
      if (!isChannel(channel))
        throw new FlowError('input-invalid', 'attach() needs a channel, such as createTerminalChannel().');
      channels.attach(channel);
      if (hasSession) void channels.start();
      return instance;
    },
    startSession() {
      hasSession = true;
      void channels.start();
      return instance;
    },
    async run() {
      if (status !== 'idle')
        throw new FlowError('already-run', `flow "${name}" has been run. Make a new instance for another run.`);
      status = 'running';
      const before = await takeUp();
      const events: Event[] = [];
      const stopListening = hub.subscribe('*', (event) => events.push(event), { fromSeq: 1 });
      hasSession = true;
      await channels.start();
      const startedAt = before?.startedAt ?? clock.now();
      const version = before?.keptVersion ?? null;
      hub.emit('harness:start', {
        name,
        ...(version === null ? {} : { keptVersion: version }),
        ...(before === null ? {} : { recovered: true }),
      });
      const end = before?.ended?.end ?? (await work.run(channels));
      status = end.outcome;
      const durationMs = before?.ended?.durationMs ?? Math.max(0, clock.now() - startedAt);
      if (end.outcome !== 'waiting') hub.emit('harness:complete', { success: end.outcome === 'complete', durationMs });
      try {
        if (before?.ended === undefined) await work.close?.(end, durationMs);
      } catch (error) {
        status = 'failed';
        throw error;
      } finally {
        await channels.complete();
        stopListening();
      }
      const { outcome, outputs, failures } = end;
      return { outputs, failures, status: outcome, durationMs, events: before?.ended?.events ?? events };
    },
    send: (text, options) => work.send(text, options),
    idle: () => work.idle(),
    sendToRun: (runId, message) => agents().sendToRun(runId, message),
    sendTo: (nodeId, message) => agents().sendTo(nodeId, message),
    closeRun: (runId) => agents().closeRun(runId),
    abort(how) {
      if (how !== undefined) assertOptions(how, abortShapes, [], 'input-invalid');
      work.abort(how);
    },
  };
  /** A run that could not be restored counts as not run. */
  const takeUp = async (): Promise<RunBefore | null> => {
    try {
      return (await work.open?.(channels)) ?? null;
    } catch (error) {
      status = 'idle';
      throw error;
    }
  };
  const channels = createChannels(hub, clock, instance);
  for (const channel of given) channels.attach(channel);
  return instance;
}

import { FlowError } from './errors.ts';
import type { Event } from './events/event.ts';
import type { EventHub } from './hub/create-hub.ts';
import type { FlowInstance, FlowStatus } from './flow-instance.ts';
import type { Channel, ChannelRun } from './ports/channel.ts';
import type { Clock } from './ports/time.ts';
import type { AgentRuns } from './tasks/agent-runs.ts';
import { type Channels, createChannels } from './tasks/channels.ts';
import type { TasksEnd } from './tasks/run-tasks.ts';

/** A run to be made, of either kind. */
export interface RunToMake {
  /** Of the flow. */
  readonly name: string;
  readonly sessionId: string;
  readonly hub: EventHub;
  readonly clock: Clock;
  readonly channels: readonly Channel[];
  readonly agents: () => AgentRuns;
  /** What the flow does. */
  readonly work: RunWork;
}

/** What a flow does between the beginning and the end of its run. */
export interface RunWork extends Pick<ChannelRun, 'send' | 'idle' | 'abort'> {
  /** Runs once; tells its phases itself. Never rejects. */
  run(channels: Channels): Promise<TasksEnd>;
}

/** A run of either kind: its channels, its events from the first to the last, and its result. */
export function createInstance({
  name,
  sessionId,
  hub,
  clock,
  channels: given,
  agents,
  work,
}: RunToMake): FlowInstance {
  let status: FlowStatus = 'idle';
  let hasSession = false;
  const instance: FlowInstance = {
    ...hub,
    sessionId,
    get status() {
      return status;
    },
    attach(channel) {
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
      const events: Event[] = [];
      const stopListening = hub.subscribe('*', (event) => events.push(event), { fromSeq: 1 });
      hasSession = true;
      await channels.start();
      const startedAt = clock.now();
      hub.emit('harness:start', { name });
      const end = await work.run(channels);
      status = end.outcome;
      const durationMs = clock.now() - startedAt;
      hub.emit('harness:complete', { success: end.outcome === 'complete', durationMs });
      await channels.complete();
      stopListening();
      return { outputs: end.outputs, failures: end.failures, status: end.outcome, durationMs, events };
    },
    send: (text, options) => work.send(text, options),
    idle: () => work.idle(),
    sendToRun: (runId, message) => agents().sendToRun(runId, message),
    sendTo: (nodeId, message) => agents().sendTo(nodeId, message),
    closeRun: (runId) => agents().closeRun(runId),
    abort: () => work.abort(),
  };
  const channels = createChannels(hub, clock, instance);
  for (const channel of given) channels.attach(channel);
  return instance;
}

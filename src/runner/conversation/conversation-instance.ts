import { factOf, FlowError } from '../../model/errors.ts';
import type { JsonObject } from '../../model/json.ts';
import type { FlowRun, RunOptions } from '../flow-run.ts';
import type { Catalog } from '../../flow/graph/nodes/catalog.ts';
import { createHub } from '../../engine/hub/create-hub.ts';
import { publishPhases } from '../../engine/hub/publish-phases.ts';
import type { FlowSource } from '../../flow/load/files/flow-library.ts';
import { createInstance, type RunWork } from '../tasks/run-instance.ts';
import type { RunnerOptions } from '../options/runner-options.ts';
import { createRunnerParts } from '../parts.ts';
import { createRunner, type FlowRunner } from '../flow-runner.ts';
import { modelBehind } from '../../livekit/model/model-port.ts';
import { openModel } from '../../livekit/plug-ins/models.ts';
import { isSpoken, type SpokenChannel } from '../../livekit/agent/spoken-channel.ts';
import { systemClock, systemIds } from '../../system.ts';
import { createTextSession } from '../../livekit/agent/text-session.ts';
import { createAgentRuns } from '../../engine/tasks/agent-runs.ts';
import type { Channels } from '../../engine/tasks/channels.ts';
import type { TasksEnd } from '../../engine/tasks/run-tasks.ts';

/** Creates a run of a conversation flow by FlowRunner, on the attached channels. Throws what FlowRunner throws. */
export function createConversationInstance(
  flow: FlowSource,
  name: string,
  registry: Catalog,
  options: Omit<RunOptions, 'catalog'>,
): FlowRun {
  const { clock = systemClock, ids = systemIds, channels: attached = [], model, policy: _policy, ...rest } = options;
  const sessionId = options.sessionId ?? ids.create('session');
  const hub = createHub({ clock, ids, sessionId }).scoped({ flowId: name, flowRunId: ids.create('flow-run') });
  const given = { ...rest, flow, catalog: registry, sessionId, clock, ids, onEnd: 'keep' } as const;
  // Throws faults of the flow and its input now, before a session exists.
  createRunnerParts({ ...given, session: createTextSession(null) }, sessionId, hub, () => undefined);

  let runner: FlowRunner | null = null;
  let closeText = (): void => undefined;
  let isOver = false;
  let wasAborted = false;
  let begin: () => void = () => undefined;
  const begun = new Promise<void>((resolve) => (begin = resolve));

  /** Creates the runner on the session of a spoken channel if there is one, else as text for all channels that take speech. */
  const open = async (channels: Channels, spoken: SpokenChannel | undefined): Promise<FlowRunner> => {
    const made = (session: RunnerOptions['session']): FlowRunner => createRunner({ ...given, session }, hub);
    if (spoken !== undefined) {
      const heard = made(spoken.session);
      heard.onSpeech((text) => void channels.speak(text).then(() => channels.endSpeech()));
      return heard;
    }
    const choice = model === undefined ? null : modelBehind(model);
    if (choice === null)
      throw new FlowError(
        'model-missing',
        'a conversation needs a model of LiveKit: give modelPort(…) as model, or attach a voice channel.',
      );
    const sink = { write: (text: string) => channels.speak(text), end: () => channels.endSpeech() };
    const session = createTextSession((await openModel(choice, process.env)).model, sink);
    // LiveKit takes half a second to close, which need not be awaited.
    closeText = () => void session.close().catch(() => undefined);
    return made(session);
  };

  const work: RunWork = {
    kind: 'conversation',
    async run(channels) {
      const stopTelling = publishPhases(hub);
      let endedItself = false;
      const stopWatching = hub.subscribe('effect:settled', ({ data }) => {
        if ('kind' in data && data.kind === 'end' && data.state === 'done') endedItself = true;
      });
      try {
        const spoken = channels.all().find(isSpoken);
        if (wasAborted) return aborted;
        runner = await open(channels, spoken);
        await runner.start(spoken?.startOptions ?? {});
        begin();
        if (wasAborted) await runner.stop('aborted');
        const reason = await runner.ended;
        const outputs = outputsOf(runner, reason);
        if (endedItself) return { outcome: 'complete', outputs, failures: [] };
        if (wasAborted || reason === 'session-closed') return { outcome: 'aborted', outputs, failures: [] };
        return failed(reason, `the conversation could not go on: ${reason}.`, runner.currentNode, outputs);
      } catch (error) {
        if (!(error instanceof FlowError)) return failed('internal', 'it broke off.', name, {});
        return failed(error.code, factOf(error), name, {});
      } finally {
        isOver = true;
        begin();
        stopTelling();
        stopWatching();
        closeText();
      }
    },
    async send(text, { eventId } = {}) {
      await begun;
      if (runner === null || isOver) return 'over';
      return await runner.send(text, eventId === undefined ? {} : { eventId });
    },
    async idle() {
      await begun;
      if (runner !== null && !isOver) await runner.idle();
    },
    abort() {
      wasAborted = true;
      void runner?.stop('aborted').catch(() => undefined); // The end of the run reports the failure.
    },
  };
  const none = createAgentRuns(hub);
  return createInstance({
    ...{ name, sessionId, clock, work, channels: attached, hub },
    agents: () => runner?.agents ?? none,
  });
}

const aborted: TasksEnd = {
  outcome: 'aborted',
  outputs: { reason: 'aborted', slots: {}, variables: {} },
  failures: [],
};

function failed(code: string, message: string, taskId: string, outputs: JsonObject): TasksEnd {
  return { outcome: 'failed', outputs, failures: [{ taskId, code, message, attempts: 1, timedOut: false }] };
}

/** Returns the outputs of a conversation that has ended. */
function outputsOf({ state }: FlowRunner, reason: string): JsonObject {
  // `fromEntries` defines own properties, so that a slot named `__proto__` is an ordinary one.
  const slots = Object.fromEntries(Object.entries(state.knowledge.slots).map(([slot, { value }]) => [slot, value]));
  return { reason, slots, variables: state.knowledge.variables };
}

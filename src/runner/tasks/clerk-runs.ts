import { agentOptions, type OpenedConfig } from '../../config/config.ts';
import { FlowError } from '../../model/errors.ts';
import { modelPort } from '../../livekit/model/model-port.ts';
import { once } from '../../flow/document/problems/schema-shape.ts';
import { taskFlowsAmong } from '../../flow/load/task-flows.ts';
import { builtinCatalog } from '../../flow/nodes/builtin.ts';
import type { Store } from '../../model/ports/store.ts';
import type { Clock, Ids } from '../../model/ports/time.ts';
import { createRun } from '../create-flow-run.ts';
import type { FlowRun } from '../flow-run.ts';
import { type AbandonedWorkParts, findAbandonedWork } from '../conversation/abandoned-work.ts';
import type { TaskRunState } from './task-run-state.ts';
import type { TextTurnParts } from '../text-turn.ts';

export interface ClerkRunsParts {
  readonly config: OpenedConfig;
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Opens the default model of agents, on first use. */
  readonly openModel?: () => Promise<TextTurnParts['model']>;
  readonly onFailed: AbandonedWorkParts['onFailed'];
}

/** Continues runs of task flows whose processes have released them or died. */
export interface ClerkRuns {
  /**
   * Continues a run and resolves at its end. Throws `session-taken` if its flow is unknown
   * here, so that its own process can run it again, and `session-over` if it has ended.
   */
  goOn(sessionId: string, run: TaskRunState): Promise<void>;
  /** Rereads the flows after a file has changed. */
  renew(): void;
  /** Looks for abandoned runs and conversations with open work, every few seconds. */
  lookForLeft(): Promise<void>;
  /** Hands over the running runs. */
  stop(): void;
}

/** How many runs one clerk works on at once. */
const atOnce = 32;
/** How often to look for work of dead processes, in milliseconds. */
const lookEveryMs = 5_000;

export function createClerkRuns({ config, store, clock, ids, openModel, onFailed }: ClerkRunsParts): ClerkRuns {
  const catalog = config.catalog ?? builtinCatalog;
  // Sessions that need a broken flow report it.
  const readFlows = () => once(() => taskFlowsAmong(config.flows ?? {}, catalog));
  let flows = readFlows();
  const running = new Map<string, FlowRun>();
  let nextLook = -Infinity;
  let isStopped = false;
  let model: ReturnType<NonNullable<typeof openModel>> | null = null;

  const sourceOf = ({ taskFlow: { id } }: TaskRunState) => {
    const { graphs, sources } = flows();
    const [name] = [...graphs].find(([, graph]) => graph.name === id) ?? [];
    return name === undefined ? undefined : sources[name];
  };
  const goOn = async (sessionId: string, run: TaskRunState): Promise<void> => {
    if (run.status !== 'running')
      throw new FlowError('session-over', `run "${sessionId}" has ended. Start a new one with another id.`);
    const source = sourceOf(run);
    if (source === undefined || running.has(sessionId) || running.size >= atOnce || isStopped)
      throw new FlowError('session-taken', 'the run continues when it is run again under its id.');
    model ??= openModel?.() ?? null;
    const opened = await model;
    const { tools, moves, timeZone } = agentOptions(config);
    const instance = createRun(source, {
      ...{ sessionId, store, clock, ids, catalog, tools, moves, flows: flows().sources },
      ...(timeZone === undefined ? {} : { timeZone }),
      ...(opened === null ? {} : { model: modelPort(opened) }),
    });
    running.set(sessionId, instance);
    try {
      await instance.run();
    } finally {
      running.delete(sessionId);
    }
  };
  return {
    goOn,
    renew: () => void (flows = readFlows()),
    async lookForLeft() {
      if (clock.now() < nextLook || isStopped) return;
      nextLook = clock.now() + lookEveryMs;
      await findAbandonedWork({ store, clock, knows: (run) => sourceOf(run) !== undefined, goOn, onFailed });
    },
    stop() {
      isStopped = true;
      for (const instance of running.values()) instance.abort({ handOver: true });
    },
  };
}

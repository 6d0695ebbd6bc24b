import { agentOptions, type OpenedConfig } from '../config.ts';
import { FlowError } from '../errors.ts';
import type { EffectKey } from '../events/effect.ts';
import { modelPort } from '../livekit/model/model-port.ts';
import { once } from '../flow/schema-shape.ts';
import { taskFlowsAmong } from '../load/task-flows.ts';
import { builtinCatalog } from '../nodes/builtin.ts';
import type { OpenEffect, Store } from '../ports/store.ts';
import type { Clock, Ids } from '../ports/time.ts';
import { createFlowRun } from './create-flow-run.ts';
import type { FlowRun } from './flow-run.ts';
import { type TaskRunState, taskRunState } from './task-run-state.ts';
import type { TextTurnParts } from './text-turn.ts';

export interface ClerkRunsParts {
  readonly config: OpenedConfig;
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Opens the model of agents that name none, once there is one. */
  readonly openModel?: () => Promise<TextTurnParts['model']>;
  /** A run could not be gone on with; `isFinal`: nobody tries it again by itself. */
  readonly onFailed: (failure: {
    readonly key: EffectKey;
    readonly sessionId: string;
    readonly error: unknown;
    readonly attempt: number;
  }) => void;
}

/** Goes on with runs of task flows whose processes have let go of them, or are gone. */
export interface ClerkRuns {
  /**
   * Goes on with a run. Resolves to its end; a run that nobody here knows the flow of is left to whoever runs it again, by
   * `session-taken`. Throws `session-over` for one that has ended.
   */
  goOn(sessionId: string, run: TaskRunState): Promise<void>;
  /** Reads the flows anew, of which a file has changed. */
  renew(): void;
  /** Looks for runs whose process has died, every few seconds. */
  lookForLeft(): Promise<void>;
  /** Hands over what runs. */
  stop(): void;
}

/** How many runs one clerk works on at once. */
const atOnce = 32;
/** How often runs are looked for whose process has died, in milliseconds. */
const lookEveryMs = 5_000;
/** For how long a clerk has a task before it owns its run, in milliseconds. */
const claimMs = 60_000;
/** How many tasks are looked at: those of conversations are among them. */
const looked = 100;
/** A run that ends each process which goes on with it is left alone after so many. */
const mostTries = 3;

export function createClerkRuns({ config, store, clock, ids, openModel, onFailed }: ClerkRunsParts): ClerkRuns {
  const catalog = config.catalog ?? builtinCatalog;
  // A broken flow is told of by what is to go on in it.
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
      throw new FlowError('session-over', `run "${sessionId}" has ended. Begin another one, with another id.`);
    const source = sourceOf(run);
    if (source === undefined || running.has(sessionId) || running.size >= atOnce || isStopped)
      throw new FlowError('session-taken', 'the run is left to whoever runs it again under its id.');
    model ??= openModel?.() ?? null;
    const opened = await model;
    const { tools, moves, timeZone } = agentOptions(config);
    const instance = createFlowRun(source, {
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
  /** A run whose process has died, known by a task that is open and that nobody works on. */
  const takeUp = async (sessionId: string, open: readonly OpenEffect[]): Promise<void> => {
    const run = await runOf(sessionId);
    // Of a conversation, or nobody's here.
    if (run === null || run.status !== 'running' || sourceOf(run) === undefined) return;
    const tries = Math.max(...open.map(triesOf));
    const [first] = open;
    const tasks = open.map(({ effect: { key } }) => ({ sessionId, key }));
    if (tries >= mostTries) {
      await store.holdEffects(tasks, null, 'session-given-up');
      const error = new FlowError(
        'session-given-up',
        `run "${sessionId}" has ended each process that went on with it.`,
      );
      onFailed({ key: first?.effect.key ?? sessionId, sessionId, error, attempt: tries });
      return;
    }
    // Kept before it runs: whatever kills the process is counted.
    await store.holdEffects(tasks, clock.now() + claimMs, `${takenUp}${tries + 1}`);
    goOn(sessionId, run).catch((error: unknown) => {
      if (error instanceof FlowError && error.code === 'session-taken') return;
      onFailed({ key: first?.effect.key ?? sessionId, sessionId, error, attempt: tries + 1 });
    });
  };
  const runOf = async (sessionId: string): Promise<TaskRunState | null> => {
    const kept = await store.loadSnapshot(sessionId);
    return kept === null ? null : taskRunState(kept.state);
  };

  return {
    goOn,
    renew: () => void (flows = readFlows()),
    async lookForLeft() {
      if (clock.now() < nextLook || isStopped) return;
      nextLook = clock.now() + lookEveryMs;
      if (flows().graphs.size === 0) return;
      const open = await store.claimEffects({ kind: 'task', ttlMs: claimMs, limit: looked });
      for (const sessionId of new Set(open.map((one) => one.sessionId)))
        await takeUp(
          sessionId,
          open.filter((one) => one.sessionId === sessionId),
        );
    },
    stop() {
      isStopped = true;
      for (const instance of running.values()) instance.abort({ handOver: true });
    },
  };
}

const takenUp = 'taken-up ';

/** How many processes have gone on with a task, and none of them to its end. */
function triesOf({ failed }: OpenEffect): number {
  const reason = failed?.reason ?? '';
  return reason.startsWith(takenUp) ? Number(reason.slice(takenUp.length)) : 0;
}

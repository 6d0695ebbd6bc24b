import type { EffectKey } from '../../model/effect.ts';
import type { CallWait } from '../../model/outside-wait.ts';
import type { Event, EventType } from '../../model/events/event.ts';
import type { JsonObject } from '../../model/json.ts';
import { ownIdsOf } from '../../model/proxy-id.ts';
import { FlowError } from '../../model/errors.ts';
import type { Catalog } from '../../flow/graph/nodes/catalog.ts';
import type { TaskGraph } from '../../flow/graph/task-graph.ts';
import { isWaiting } from '../../kernel/state/draft.ts';
import { pendingCalls } from '../../kernel/call/pending-calls.ts';
import type { SessionState } from '../../kernel/state/state.ts';
import { type PendingResult, pendingResult } from '../../livekit/tools/pending-result.ts';
import type { AskPerson } from '../../model/ports/channel.ts';
import type { Hub } from '../../model/ports/hub.ts';
import type { Store } from '../../model/ports/store.ts';
import type { Clock } from '../../model/ports/time.ts';
import { outputsOf } from '../../engine/tasks/run-tasks.ts';
import { endedEntry } from './durable-tasks.ts';
import type { FlowRun, FlowRunResult } from '../flow-run.ts';
import { createTaskInstance, type TaskInstanceOptions } from './task-instance.ts';

/**
 * Task flows that functions of a conversation run and that may wait for people. Each is a separate run whose id
 * is the key of the call, so that it survives the conversation's process and its outcome is found by that key.
 */
export interface CalledRuns {
  /** Runs the flow of a call, or reads its result. If it has not ended, returns what it waits for. Throws the run's first failure. */
  run(graph: TaskGraph, input: JsonObject, key: EffectKey, signal: AbortSignal): Promise<Called>;
  /** Continues the runs of calls that were pending when this process took over the conversation. */
  takeUp(state: SessionState, graphOf: (handler: string) => TaskGraph | null): void;
  /** The conversation is released: its next owner, or a clerk, continues the runs. */
  end(): void;
}

/** The state of a call: the outputs of its run, or pending. */
export type Called = JsonObject | PendingResult;

export interface CalledRunsParts {
  readonly sessionId: string;
  readonly store: Store;
  readonly clock: Clock;
  readonly catalog: Catalog;
  readonly options: Omit<TaskInstanceOptions, 'sessionId' | 'store' | 'input' | 'calledBy' | 'channels'>;
  /** Hub of the conversation. */
  readonly hub: Hub;
  readonly ask: AskPerson;
  /** A run could not be continued here. */
  readonly onError: (error: unknown) => void;
}

/** How long the conversation waits for a run that neither ends nor waits for a person, in milliseconds. */
const patienceMs = 8_000;

/** How long after a store failure, or beside another process, a run is looked at again, in milliseconds. */
const lookAgainMs = 5_000;

/** How long until the next attempt to begin a run that another process owns, in milliseconds. */
const beginAgainMs = 500;

/** One due entry of a run is enough to continue it. */
const looked = 1;

export function createCalledRuns(parts: CalledRunsParts): CalledRuns {
  const { sessionId, store, clock, catalog, hub, ask, onError } = parts;
  const watched = new Map<EffectKey, () => void>();
  const running = new Set<FlowRun>();
  let isOver = false;

  /** Runs until the end or the next wait. */
  const stretch = async (
    graph: TaskGraph,
    key: EffectKey,
    input?: JsonObject,
  ): Promise<FlowRunResult | 'elsewhere'> => {
    const instance = createTaskInstance(graph, catalog, {
      ...parts.options,
      ...{ sessionId: key, store, clock, calledBy: { sessionId, key } },
      ...(input === undefined ? {} : { input }),
      channels: [
        {
          name: 'conversation',
          ask: (question, choices, over, _, takesText) => ask(question, choices, over, takesText),
        },
      ],
    });
    const stopTelling = tellOn(instance, graph.name, hub);
    running.add(instance);
    try {
      return await instance.run();
    } catch (error) {
      if (error instanceof FlowError && error.code === 'session-taken') return 'elsewhere';
      throw error;
    } finally {
      running.delete(instance);
      stopTelling();
    }
  };

  const hasBegun = async (key: EffectKey): Promise<boolean> => (await store.sessions.get(key)) !== null;
  /**
   * Begins or continues a run. Returns `elsewhere` if another process has begun
   * it. A process that only owns it may have died before storing any of the run.
   */
  const begin = async (graph: TaskGraph, key: EffectKey, input: JsonObject, isWanted: () => boolean) => {
    for (;;) {
      const result = await stretch(graph, key, input);
      if (result !== 'elsewhere' || !isWanted() || (await hasBegun(key))) return result;
      await new Promise<void>((resolve) => void clock.schedule(beginAgainMs, resolve));
    }
  };
  /** Returns what the run waits for, as shown to people. */
  const waitOf = async (key: EffectKey): Promise<CallWait | null> => {
    const open = (await store.effects.list(key)).filter(isWaiting).filter(({ state }) => state === 'intended');
    const [counts] = [...open.filter(({ payload }) => payload.to !== null), ...open];
    if (counts === undefined) return null;
    const { wait, to, escalationId = counts.key } = counts.payload;
    return { wait, ...(to === null ? {} : { escalationId }), ...ownIdsOf(counts) };
  };

  /** Continues a run as soon as an entry for it arrives, unless a clerk does so first. A run that has not begun starts with `input`. */
  const watch = (graph: TaskGraph, key: EffectKey, input: JsonObject, isToLook = false): void => {
    if (isOver || watched.has(key)) return;
    let cancelTimer = (): void => undefined;
    let isLooking = false;
    const stop = (): void => {
      stopWatching();
      cancelTimer();
      watched.delete(key);
    };
    const wakeIn = (delayMs: number): void => {
      cancelTimer();
      if (watched.has(key)) cancelTimer = clock.schedule(Math.max(delayMs, 0), () => void look(true));
    };
    const look = async (mayBeLeft: boolean): Promise<void> => {
      if (isLooking || !watched.has(key)) return;
      isLooking = true;
      try {
        const due = await store.inbox.listDue({ sessionId: key, dueBy: clock.now(), limit: looked });
        if (due.length > 0 || mayBeLeft) {
          const result = await stretch(graph, key, (await hasBegun(key)) ? undefined : input);
          if (result === 'elsewhere') return wakeIn(lookAgainMs);
          if (result.status !== 'waiting') {
            stop();
            // For the case that the process which ended the run could not report it. A reported end is not reported twice.
            if (result.status !== 'aborted')
              await store.inbox.post([endedEntry({ sessionId, key }, clock.now(), 'wait')]);
            return;
          }
        }
        const next = await store.inbox.nextDue(key);
        if (next !== null) wakeIn(Math.max(next - clock.now(), 50));
      } catch (error) {
        onError(error);
        wakeIn(lookAgainMs);
      } finally {
        isLooking = false;
      }
    };
    const stopWatching = store.inbox.watch((posted) => {
      if (posted === null || posted === key) void look(false);
    });
    watched.set(key, stop);
    void look(isToLook);
  };

  /** Another process continues what was running when the conversation was released. */
  const isHandedOver = ({ status }: FlowRunResult): boolean => status === 'aborted' && isOver;

  return {
    async run(graph, input, key, signal) {
      const abort = (): void => {
        for (const one of running) if (one.sessionId === key) one.abort();
      };
      signal.addEventListener('abort', abort);
      const isWanted = (): boolean => !isOver && !signal.aborted;
      let cancelPatience = (): void => undefined;
      /** A run that is reported as pending has begun. */
      const late = new Promise<'late'>((resolve) => {
        const look = async (): Promise<void> => {
          if (!isWanted() || (await hasBegun(key).catch(() => true))) resolve('late');
          else cancelPatience = clock.schedule(beginAgainMs, () => void look());
        };
        cancelPatience = clock.schedule(patienceMs, () => void look());
      });
      try {
        const ended = begin(graph, key, input, isWanted);
        const result = await Promise.race([ended, late]);
        if (result === 'late' || result === 'elsewhere' || result.status === 'waiting' || isHandedOver(result)) {
          const goOn = (): void => watch(graph, key, input, typeof result === 'string');
          ended.then(goOn, goOn);
          return pendingResult(await waitOf(key));
        }
        // The outcome is known here, so the entry that reports it is not needed.
        await store.inbox.withdraw(`${key}/ended`);
        return outputsOf({ ...result, outcome: result.status });
      } finally {
        cancelPatience();
        signal.removeEventListener('abort', abort);
      }
    },
    takeUp(state, graphOf) {
      for (const { key, payload } of pendingCalls(state)) {
        const graph = graphOf(payload.handler);
        if (graph !== null) watch(graph, key, payload.arguments, true);
      }
    },
    end() {
      isOver = true;
      for (const stop of [...watched.values()]) stop();
      for (const one of running) one.abort({ handOver: true });
    },
  };
}

/** Publishes the task events of a run on the hub of the calling conversation. */
function tellOn(run: FlowRun, name: string, hub: Hub): () => void {
  // `emit`'s signature matches type and data, which a generic caller cannot express.
  const emit: (type: EventType, data: Event['data']) => void = hub.emit.bind(hub);
  return run.subscribe('task:*', ({ type, data }) => {
    if ('taskId' in data && !('recovered' in data)) emit(type, { ...data, taskId: `${name}.${data.taskId}` });
  });
}

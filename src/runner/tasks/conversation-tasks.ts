import { z } from 'zod';
import type { Correlation } from '../../model/events/envelope.ts';
import type { EffectKey } from '../../model/effect.ts';
import type { Event, EventType } from '../../model/events/event.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import type { EffectSettled } from '../../model/signals/signal.ts';
import { compileBinding } from '../../flow/expression/binding.ts';
import type { Catalog } from '../../flow/graph/nodes/catalog.ts';
import { taskFlowTool } from '../../flow/graph/compile/function.ts';
import type { Graph, GraphInput } from '../../flow/graph/graph.ts';
import { type FlowOf, outsideWaitIn } from '../../flow/graph/nodes/outside-waits.ts';
import type { TaskGraph } from '../../flow/graph/task-graph.ts';
import { lookupOf } from '../../kernel/state/names.ts';
import { nodeOf } from '../../kernel/move/offers.ts';
import type { SessionState } from '../../kernel/state/state.ts';
import { keptCopy } from '../../store/json-text.ts';
import type { Hub } from '../../model/ports/hub.ts';
import type { LoggedSignal, Store } from '../../model/ports/store.ts';
import type { CallerQuestions } from '../../livekit/agent/caller-questions.ts';
import { toolOf } from '../../livekit/tools/flow-tool.ts';
import type { FunctionTool } from '../../livekit/tools/function-tool.ts';
import type { Model } from '../../model/ports/model.ts';
import { systemCivilTime, systemClock } from '../../system.ts';
import { tracedModel } from '../../engine/reply/traced-model.ts';
import { type CalledRuns, createCalledRuns } from './called-runs.ts';
import { scopeOf } from './task-scope.ts';
import { createTaskWorld, type TaskWorldOptions } from './task-world.ts';
import { type AgentRuns, createAgentRuns } from '../../engine/tasks/agent-runs.ts';
import { createTaskJournal, type JournalSink, type TaskJournal } from '../../engine/tasks/journal.ts';
import type { TaskPlace } from '../../engine/tasks/one-run.ts';
import { outputsOf, runTasks } from '../../engine/tasks/run-tasks.ts';
import type { TaskScope } from '../../engine/tasks/step.ts';
import type { Engine } from '../../engine/engine.ts';
import type { EffectOf } from '../../engine/performer.ts';

/** Tasks inside a conversation: task flows as function bodies, and nodes that take time. */
export interface ConversationTasks {
  /** Returns the task flow as a tool with its input and outputs. Its run ends with the call. */
  toolOf(name: string, graph: TaskGraph): FunctionTool;
  /** Runs a catalog node with its policy and body, in the conversation's current state. */
  runNode(
    effect: EffectOf<'task'>,
    conversation: { readonly graph: Graph; readonly state: SessionState },
  ): Promise<Pick<EffectSettled, 'state' | 'result' | 'error'>>;
  /** Names of the tools whose task flows may wait for people, longer than a call. */
  readonly waiting: ReadonlySet<string>;
  /**
   * Stores task progress in the session's log and continues what an earlier process
   * left there. Runs that may wait for people are stored as separate sessions.
   */
  keepIn(session: TaskSession, log: readonly LoggedSignal[], store: Store): void;
  /** Continues the runs of pending calls; for a session that stays open for a while. */
  takeUpRuns(): void;
  /** The agent runs begun by tasks. */
  readonly agents: AgentRuns;
  /** Aborts the node of an effect if it runs, and withdraws its question. A running write is awaited. */
  readonly abort: (key: EffectKey) => void;
  /** Ends running nodes and the open question. */
  end(): void;
}

/** Wraps the models so that their requests appear in the traces of their turns. */
function withTracedModels(options: TaskWorldOptions, tracer: () => Engine['tracer'] | null): TaskWorldOptions {
  const { model, models = {}, clock = systemClock } = options;
  const traced = (one: Model): Model => tracedModel(one, 'agent', tracer, clock);
  return {
    ...options,
    ...(model === undefined ? {} : { model: traced(model) }),
    models: Object.fromEntries(Object.entries(models).map(([name, one]) => [name, traced(one)])),
  };
}

/** The session of a conversation, as its tasks use it. */
export type TaskSession = Pick<Engine, 'dispatch' | 'committed' | 'keep' | 'graph' | 'state' | 'tracer'>;

export function createConversationTasks(
  given: TaskWorldOptions,
  catalog: Catalog,
  sessionId: string,
  hub: Hub,
  questions: Pick<CallerQuestions, 'ask' | 'takeBack' | 'end'>,
  /** Returns another task flow by name; null if unknown. */
  flowOf: FlowOf,
  onError: (error: unknown) => void,
): ConversationTasks {
  const running = new Map<EffectKey, AbortController>();
  let isOver = false;
  let tracer: Engine['tracer'] | null = null;
  const options = withTracedModels(given, () => tracer);
  const agents = createAgentRuns(hub);
  const graphs = new Map<string, TaskGraph>();
  const waiting = new Set<string>();
  let calledRuns: CalledRuns | null = null;
  let isHeld: TaskSession | null = null;
  const values = new Map<string, Json>();
  let kept: { readonly journal?: TaskJournal } = {};
  let variableOf: (name: string) => Json | undefined = () => undefined;
  const world = createTaskWorld(options, catalog, sessionId, {
    asking: () => ({
      ask: (question, choices, over, _, takesText) => questions.ask(question, choices, over, takesText),
    }),
    onAgentRun: (runId, taskId) => agents.begin(runId, taskId),
    values,
    variableOf: (name) => variableOf(name),
  });
  return {
    agents,
    waiting,
    keepIn(session, log, store) {
      isHeld = session;
      calledRuns = createCalledRuns({
        ...{ sessionId, store, clock: world.clock, catalog, hub, onError },
        options,
        ask: (...question) => questions.ask(...question),
      });
      const signals = log.map(({ signal }) => signal);
      const journal = createTaskJournal(signals, sinkOf(session), { isAlone: false });
      for (const [key, value] of journal.values) values.set(key, value);
      kept = { journal };
      ({ tracer } = session);
      variableOf = (name) => (session.graph.variables.has(name) ? session.state.knowledge.variables[name] : undefined);
    },
    takeUpRuns() {
      if (isHeld !== null) calledRuns?.takeUp(isHeld.state, (handler) => graphs.get(handler) ?? null);
    },
    toolOf(name, graph) {
      graphs.set(taskFlowTool(name), graph);
      if (outsideWaitIn(graph, flowOf) !== null) waiting.add(taskFlowTool(name));
      return toolOf({
        name: taskFlowTool(name),
        description: graph.document.flow.description ?? '',
        parameters: z.object(
          Object.fromEntries([...graph.input.values()].map((field) => [field.name, schemaOf(field)])),
        ),
        async execute(input, { key, signal }) {
          // Arguments of a call come from JSON.
          const given = input as Parameters<typeof scopeOf>[1];
          if (calledRuns !== null && waiting.has(taskFlowTool(name)))
            return await calledRuns.run(graph, given, key, signal);
          const scope = scopeOf(graph, given);
          const taskFlow = { id: graph.name, hash: graph.hash };
          const runKey = kept.journal?.placeOf(key, taskFlow, given, world.clock.now()) ?? key;
          const place: TaskPlace = { prefix: `${name}.`, key: runKey, hub, signal, depth: 0, attempt: 0, ...kept };
          return outputsOf(await runTasks(scope, place, world));
        },
      });
    },
    async runNode({ key, node: id, payload }, { graph, state }) {
      const task = nodeOf(graph, state, id)?.task ?? null;
      if (task === null || task.type.name !== payload.type) return { state: 'failed', error: 'unknown-node-type' };
      const { type, prompt, policy, writes, body } = task;
      // The kernel has bound an object whose texts must not be read as templates again.
      const given = (payload.input ?? {}) as JsonObject;
      const bound = { type, input: nothingBound, literal: given, config: payload.config ?? {} };
      const alone = {
        id,
        task: bound,
        prompt,
        policy,
        writes,
        body,
        waitsFor: 'all',
        incoming: [],
        outgoing: [],
      } as const;
      const scope: TaskScope = {
        ...{ nodes: [alone], edges: [], indexOf: new Map([[id, 0]]) },
        ...{ failFast: true, concurrency: bodyConcurrency, outer: lookupOf(graph, state), taskFlow: null, given },
        civil: (at) => systemCivilTime(at, state.knowledge.timeZone),
      };
      const own = new AbortController();
      if (isOver) own.abort(conversationOver);
      running.set(key, own);
      const place = { prefix: '', key, hub: withoutOwn(hub, id), signal: own.signal, depth: 0, attempt: 1, ...kept };
      const { outputs, failures } = await runTasks(scope, place, world).finally(() => running.delete(key));
      if (Object.hasOwn(outputs, id)) return { state: 'done', result: outputs[id] ?? null };
      const code = failures[0]?.code;
      return code === undefined ? { state: 'cancelled' } : { state: 'failed', error: code };
    },
    abort(key) {
      const one = running.get(key);
      if (one === undefined) return;
      // Withdrawn at once, so that the question is not begun.
      questions.takeBack();
      one.abort(nodeLeft);
    },
    end() {
      isOver = true;
      questions.end();
      calledRuns?.end();
      for (const one of running.values()) one.abort(conversationOver);
    },
  };
}

/** Writes the journal of tasks into the session's own log. */
function sinkOf(session: TaskSession): JournalSink {
  return {
    add: (signal) => session.dispatch({ signal }),
    settled: () => session.committed(),
    keep: () => session.keep(),
    copy: keptCopy,
    // The next speech detects the store failure and ends the conversation with everything that runs.
    breakOff: () => undefined,
  };
}

// Created once, because aborting without a reason creates an exception with a stack.
const nodeLeft = new DOMException('The node was left.', 'AbortError');
const conversationOver = new DOMException('The conversation is over.', 'AbortError');

const nothingBound = compileBinding({});

/** How many tasks of a body run at once. */
const bodyConcurrency = 8;

/** Returns the hub without the events of a node's own task, which its visit reports. Events of tasks inside it pass. */
function withoutOwn(hub: Hub, taskId: string): Hub {
  // `emit`'s signature matches type and data, which a generic caller cannot express.
  const emit: (type: EventType, data: Event['data'], ids?: Partial<Correlation>) => void = hub.emit.bind(hub);
  return {
    ...hub,
    emit(type, data: Event['data'], ids) {
      const isOwn = ownTold.has(type) && 'taskId' in data && data.taskId === taskId;
      if (!isOwn) emit(type, data, ids);
    },
  };
}

const ownTold: ReadonlySet<EventType> = new Set(['task:start', 'task:complete', 'task:failed', 'task:skipped']);

function schemaOf({ type, required, default: value }: GraphInput): z.ZodType {
  const schema = schemas[type]();
  return required || value !== undefined ? withDefault(schema, value) : schema.optional();
}

function withDefault(schema: z.ZodType, value: GraphInput['default']): z.ZodType {
  return value === undefined ? schema : schema.default(value);
}

const schemas: Readonly<Record<GraphInput['type'], () => z.ZodType>> = {
  string: () => z.string(),
  number: () => z.number(),
  integer: () => z.int(),
  boolean: () => z.boolean(),
  object: () => z.record(z.string(), z.json()),
  array: () => z.array(z.json()),
};

import { z } from 'zod';
import type { EffectSettled } from './events/signal.ts';
import { compileBinding } from './expression/binding.ts';
import type { Lookup } from './expression/path.ts';
import type { Catalog } from './graph/catalog.ts';
import { taskFlowTool } from './graph/compile-function.ts';
import type { GraphInput } from './graph/graph.ts';
import type { TaskGraph } from './graph/task-graph.ts';
import type { Hub } from './ports/hub.ts';
import type { CallerQuestions } from './session/caller-questions.ts';
import { unregisteredTool } from './session/flow-tool.ts';
import type { FunctionTool } from './session/function-tool.ts';
import { createTaskWorld, scopeOf, type TaskWorldOptions } from './task-world.ts';
import { type AgentRuns, createAgentRuns } from './tasks/agent-runs.ts';
import { runTask } from './tasks/attempt.ts';
import { outputsOf, runTasks, type TaskPlace } from './tasks/run-tasks.ts';
import type { EffectOf } from './turn/perform.ts';

/** Tasks inside of a conversation: task flows as the bodies of functions, and nodes that take time. */
export interface ConversationTasks {
  /** The task flow as a tool that takes its input and gives its outputs; it ends where the call does. */
  toolOf(name: string, graph: TaskGraph): FunctionTool;
  /** Runs a catalog node; `lookup` are the names that the conversation knows. */
  runNode(effect: EffectOf<'task'>, lookup: Lookup): Promise<Pick<EffectSettled, 'state' | 'result' | 'error'>>;
  /** The runs of agents that they have begun. */
  readonly agents: AgentRuns;
  /** Ends the nodes that run, and the question that is asked. */
  end(): void;
}

export function createConversationTasks(
  options: TaskWorldOptions,
  catalog: Catalog,
  sessionId: string,
  hub: Hub,
  questions: Pick<CallerQuestions, 'ask' | 'end'>,
): ConversationTasks {
  const ending = new AbortController();
  const agents = createAgentRuns(hub);
  const world = createTaskWorld(options, catalog, sessionId, {
    asking: () => questions,
    onAgentRun: (runId, taskId) => agents.begin(runId, taskId),
  });
  return {
    agents,
    toolOf: (name, graph) =>
      unregisteredTool({
        name: taskFlowTool(name),
        description: graph.document.flow.description ?? '',
        parameters: z.object(
          Object.fromEntries([...graph.input.values()].map((field) => [field.name, schemaOf(field)])),
        ),
        async execute(input, { key, signal }) {
          const place: TaskPlace = { prefix: `${name}.`, key, hub, signal, depth: 0, attempt: 0 };
          // Arguments of a call come from JSON.
          const given = input as Parameters<typeof scopeOf>[1];
          return outputsOf(await runTasks(scopeOf(graph, given), place, world));
        },
      }),
    async runNode({ key, node, payload }, lookup) {
      const type = catalog.get(payload.type);
      if (type === undefined || 'evaluate' in type) return { state: 'failed', error: `There is no ${payload.type}.` };
      const task = {
        ...bare,
        id: node,
        // What is bound already is not read for templates again.
        task: {
          type,
          input: nothingBound,
          literal: payload.input as Readonly<Record<string, unknown>>,
          config: payload.config ?? {},
        },
      };
      const place = { prefix: `${node}.`, key, hub, signal: ending.signal, depth: 0, attempt: 1 };
      const runId = world.ids.create('run');
      const beganAt = world.clock.now();
      const surroundings = { ...world, runId, taskId: node, key, beganAt, hub, runFlow: inPlace(place) };
      const over = type.capabilities?.isAgent === true ? world.onAgentRun(runId, node) : undefined;
      const outcome = await runTask(task, type, lookup, surroundings, ending.signal);
      over?.();
      if (outcome.ok) return { state: 'done', result: outcome.output };
      return { state: ending.signal.aborted ? 'cancelled' : 'failed', error: outcome.failure.code };
    },
    end() {
      questions.end();
      ending.abort(new DOMException('The conversation is over.', 'AbortError'));
    },
  };

  function inPlace(place: TaskPlace) {
    return (name: string, input: Parameters<typeof world.runFlow>[1], signal: AbortSignal) =>
      world.runFlow(name, input, { ...place, signal });
  }
}

const nothingBound = compileBinding({});

/** A node that has nothing around it, tried once. */
const bare = {
  prompt: null,
  policy: { timeoutMs: null, totalTimeoutMs: null, maxAttempts: 1, backoffMs: 0, continueOnError: false },
  waitsFor: 'all',
  incoming: [],
  outgoing: [],
  body: null,
} as const;

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

import { setMaxListeners } from 'node:events';
import { FlowError } from '../../src/model/errors.ts';
import type { Event } from '../../src/model/events/event.ts';
import type { Json } from '../../src/model/json.ts';
import { normalizeSpelling } from '../../src/flow/document/problems/spelling.ts';
import type { RunContext } from '../../src/flow/graph/nodes/node-type.ts';
import { createRunMessages } from '../../src/engine/tasks/run-messages.ts';
import { createScopedResources } from '../../src/engine/tasks/scoped-resources.ts';
import { createHub, type EventHub } from '../../src/engine/hub/create-hub.ts';
import { builtinCatalog } from '../../src/flow/nodes/builtin.ts';
import type { Model, ModelChunk, ModelRequest } from '../../src/model/ports/model.ts';
import { createCountingIds } from '../../src/testing/counting-ids.ts';
import { createSeededRandom } from '../../src/testing/seeded-random.ts';
import { createVirtualClock, type VirtualClock } from '../../src/testing/virtual-clock.ts';

/** One run of a node, which the test controls while it lasts. */
export interface NodeRun {
  readonly hub: EventHub;
  readonly clock: VirtualClock;
  /** The events so far, without their ids: type, run and data. */
  readonly told: readonly (readonly [type: string, runId: string | undefined, data: unknown])[];
  /** The output, or `code: …` of the failure; null while it runs. */
  ended(): unknown;
  /** Settles all runnable work, then returns the result of `ended`. */
  settled(): Promise<unknown>;
  abort(): void;
}

/** The context that a test gives a node beside its input. */
export type Given = Partial<RunContext> & { readonly clock?: VirtualClock };

/** Starts a node with an input in either spelling of keys. By default its context has only a hub and a clock. */
export function startNode(type: string, input: unknown, given: Given = {}): NodeRun {
  const node = builtinCatalog.get(type);
  if (node === undefined || !('run' in node)) throw new Error(`${type} is no node that runs`);
  const clock = given.clock ?? createVirtualClock(1_000);
  const ids = createCountingIds();
  const hub = createHub({ clock, ids, sessionId: 'session' });
  const told: [string, string | undefined, unknown][] = [];
  hub.subscribe('*', ({ type: event, runId, data }: Event) => void told.push([event, runId, data]));
  // As in an attempt: the listeners and timers of a node end with it.
  const scoped = createScopedResources(given.hub ?? hub, 'node', clock);
  const abort = new AbortController();
  setMaxListeners(0, abort.signal);
  const context: RunContext = {
    runId: 'run-1',
    key: 'session/1',
    beganAt: clock.now(),
    config: {},
    prompt: '',
    signal: abort.signal,
    lookup: () => undefined,
    nextMessage: createRunMessages({
      ...{ runId: 'run-1', signal: abort.signal, config: {} },
      ...given,
      ...{ hub: scoped.hub, clock: scoped.clock },
    }),
    random: createSeededRandom(1),
    ids,
    log: { write: () => undefined },
    metrics: { record: () => undefined },
    cache: keptValues(),
    state: keptValues(),
    model() {
      throw new FlowError('model-missing', 'there is no model.');
    },
    tool: () => null,
    runFlow: (name) => Promise.reject(new FlowError('flow-unknown', `flow "${name}" is not registered.`)),
    ...given,
    ...{ hub: scoped.hub, clock: scoped.clock },
  };
  let outcome: unknown = null;
  node
    .run(node.input.parse(normalizeSpelling(node.input, input).value), context)
    .then(
      (output) => (outcome = node.output.parse(output)),
      (error: unknown) => (outcome = error instanceof FlowError ? error.message : error),
    )
    .finally(() => scoped.release());
  return {
    hub,
    clock,
    told,
    ended: () => outcome,
    async settled() {
      await clock.advance(0);
      return outcome;
    },
    abort: () => abort.abort(),
  };
}

/** Runs a node that needs no time to its end. */
export function runNode(type: string, input: unknown, given?: Given): Promise<unknown> {
  return startNode(type, input, given).settled();
}

/** Values by key, kept in memory. */
export function keptValues(values: Map<string, Json> = new Map()): RunContext['cache'] {
  return {
    get: (key) => Promise.resolve(values.get(key)),
    set: async (key, value) => Promise.resolve(void values.set(key, value)),
  };
}

/** A scripted model's response to one request: chunks, or an error instead. */
export type ModelScriptStep = string | readonly (ModelChunk | Error | Promise<unknown>)[];

/** A model that answers request by request and sends text word by word. It records its requests. */
export function scriptedModel(...steps: readonly ModelScriptStep[]): Model & { readonly requests: ModelRequest[] } {
  const requests: ModelRequest[] = [];
  return {
    label: 'scripted',
    requests,
    async *generate(request) {
      const step = steps[requests.push(request) - 1] ?? 'Nothing more.';
      const chunks = typeof step === 'string' ? words(step) : step;
      for (const chunk of chunks) {
        if (chunk instanceof Error) throw chunk;
        if (chunk instanceof Promise) await chunk;
        else yield chunk;
      }
      yield { type: 'end', finish: 'stop' };
    },
  };
}

/** A call of a function by a model. */
export function call(name: string, input: Json, callId = `call-${name}`): ModelChunk {
  return { type: 'call', call: { callId, name, rawArguments: JSON.stringify(input) } };
}

function words(text: string): readonly ModelChunk[] {
  return (text.match(/\S+\s*/g) ?? []).map((delta) => ({ type: 'text', delta }));
}

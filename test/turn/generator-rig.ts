import { createMemoryStore, type MemoryStore } from '../../src/store/memory/store.ts';
import type { JsonObject } from '../../src/model/json.ts';
import { type GeneratorFlow, isGeneratorFlow } from '../../src/flow/document/generator.ts';
import { generatorGraph } from '../../src/flow/graph/generator-graph.ts';
import type { Graph } from '../../src/flow/graph/graph.ts';
import { createHub } from '../../src/engine/hub/create-hub.ts';
import type { ExecutionOutcome } from '../../src/model/ports/executor.ts';
import type { View } from '../../src/kernel/state/view.ts';
import type { ModelCall, SpeakingModel } from '../../src/model/ports/model.ts';
import { createCountingIds } from '../../src/testing/counting-ids.ts';
import { createSeededRandom } from '../../src/testing/seeded-random.ts';
import { createVirtualClock, type VirtualClock } from '../../src/testing/virtual-clock.ts';
import { systemCivilTime } from '../../src/system.ts';
import { createEngine, type Engine } from '../../src/engine/engine.ts';
import { createExecutor } from '../../src/engine/calls/executor.ts';
import { createPerformer } from '../../src/engine/performer.ts';
import { defaultLanguage, languageOf } from '../../src/language/language-of.ts';
import { noon } from '../kernel/session.ts';

/** One completion of the model: its text, or the value of its answer. */
export interface Completion {
  readonly text?: string;
  readonly answer?: unknown;
}

interface Chunk {
  readonly text: string;
  readonly calls: readonly ModelCall[];
}

export interface RigOptions {
  readonly store?: MemoryStore;
  readonly clock?: VirtualClock;
  /** Flows for handoffs, by name. */
  readonly flows?: Readonly<Record<string, GeneratorFlow | Graph>>;
  readonly fallback?: string;
  readonly input?: JsonObject;
  readonly tools?: Readonly<
    Record<string, { readonly parameters?: JsonObject; run(args: JsonObject, key: string, attempt: number): unknown }>
  >;
  readonly model?: readonly Completion[];
  /** Returns the part of a line that the caller hears; all of it by default. */
  hears?(text: string): string;
  readonly resources?: Readonly<Record<string, unknown>>;
}

export interface Talk {
  readonly engine: Engine;
  readonly store: MemoryStore;
  readonly clock: VirtualClock;
  /** Every line that was said. */
  readonly said: readonly string[];
  /** Returns the lines since the last call. */
  news(): readonly string[];
  /** `type` and data of every event. */
  readonly events: readonly { readonly type: string; readonly data: unknown }[];
  /** Errors thrown by flows. */
  readonly thrown: readonly unknown[];
  /** The number of requests to the model. */
  readonly inferences: number;
  says(text: string, eventId?: string): Promise<'taken' | 'duplicate' | 'over'>;
  /** Speaks and performs the open effects. */
  goOn(): Promise<void>;
  /** Kills the process: it stores and says nothing more, and its lease is released. */
  die(): Promise<void>;
}

/** A generator flow on the real engine, with a memory store. Lines are heard as soon as they are said. */
export async function talk(flow: GeneratorFlow, options: RigOptions = {}): Promise<Talk> {
  const { flows = {}, tools = {}, model = [], fallback = null, input = {} } = options;
  const clock = options.clock ?? createVirtualClock(noon);
  const store = options.store ?? createMemoryStore({ clock });
  const ids = createCountingIds();
  const hub = createHub({ clock, ids, sessionId: 's' });
  const events: { type: string; data: unknown }[] = [];
  hub.subscribe('*', ({ type, data }) => void events.push({ type, data }));
  const declared = new Map(
    Object.entries(tools).map(([name, { parameters = { type: 'object' } }]) => [
      name,
      { description: name, parameters },
    ]),
  );
  const graphOf = (name: string): Graph =>
    generatorGraph(name, { language: languageOf(defaultLanguage), languageOf, declared, fallback });
  const thrown: unknown[] = [];
  const generators = new Map([[flow.name, flow]]);
  for (const [name, one] of Object.entries(flows)) if (isGeneratorFlow(one)) generators.set(name, one);

  const engine = await createEngine({
    graph: graphOf(flow.name),
    compile: (document) => graphOf((document as { name: string }).name),
    sessionId: 's',
    store,
    hub,
    clock,
    civilTime: systemCivilTime,
    ids,
    timeZone: 'UTC',
    writeCapMs: 10_000,
    executor: createExecutor({
      clock,
      policyOf: ({ name }) => {
        const node = engine.graph.dynamicNode(engine.state.position.dynamicNodes[name] ?? {});
        const offered = node?.functions[0];
        return { timeoutMs: offered?.timeoutMs ?? 15_000, ...(offered?.retry ?? { maxAttempts: 1, backoffMs: 0 }) };
      },
      async run(key, call, attempt): Promise<ExecutionOutcome> {
        const tool = tools[call.name];
        if (tool === undefined) return { ok: false, cancelled: false, error: `There is no ${call.name}.` };
        return { ok: true, result: (await tool.run(call.arguments, key, attempt)) as JsonObject };
      },
      errorText: () => 'It failed.',
    }),
    generators: {
      generatorOf: (name) => Promise.resolve(generators.get(name) ?? null),
      resolve: (name) => {
        const one = flows[name];
        return Promise.resolve(one === undefined ? null : isGeneratorFlow(one) ? graphOf(name) : one);
      },
      random: createSeededRandom(7),
      resources: options.resources ?? {},
      onError: (error) => void thrown.push(error),
    },
  });

  const said: string[] = [];
  let read = 0;
  let inferences = 0;
  let isDead = false;
  const completions = [...model];
  const speaking: SpeakingModel<View, Chunk> = {
    async *ask() {
      inferences += 1;
      const next = completions.shift();
      if (next === undefined) throw new Error('The model has no answer left.');
      const rawArguments = JSON.stringify({ value: next.answer });
      const calls = 'answer' in next ? [{ callId: `call-${inferences}`, name: 'answer', rawArguments }] : [];
      yield { text: next.text ?? '', calls };
    },
    offered: () => null,
    read: (chunk) => chunk,
    write: () => [],
  };
  const performer = createPerformer(engine, {
    clock,
    act: () => Promise.resolve({ state: 'done' }),
    changeContext: () => Promise.resolve(null),
    runTask: () => Promise.resolve({ state: 'failed' }),
    transfer: () => undefined,
    end: () => undefined,
  });
  const goOn = async (): Promise<void> => {
    while (!isDead && engine.outbox.speaks()) {
      await performer.perform(
        { model: speaking, isWanted: () => !isDead, isOvertaken: () => false },
        async ({ key, text }) => {
          await engine.committed();
          if (isDead) return false;
          if (text === '') return true;
          said.push(text);
          const heard = options.hears?.(text) ?? text;
          engine.dispatch({ signal: { type: 'speech:settled', at: clock.now(), key, state: 'done', text, heard } });
          return true;
        },
      );
      await engine.calls.underWay();
    }
    if (!isDead) await performer.performAfterSpeech();
  };
  await engine.start(input);
  await goOn();
  return {
    engine,
    store,
    clock,
    said,
    events,
    thrown,
    goOn,
    get inferences() {
      return inferences;
    },
    news() {
      const lines = said.slice(read);
      read = said.length;
      return lines;
    },
    async says(text, eventId = `ev${said.length}-${text}`) {
      const outcome = await engine.receive({ eventId, text, via: 'text' });
      if (outcome === 'taken') await goOn();
      return outcome;
    },
    async die() {
      isDead = true;
      await engine.close(null);
    },
  };
}

import { createGroundedValues } from '../words/ground-values.ts';
import type { Effect, EffectKey, ToolPayload } from '../../model/effect.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import type { BatchSettled, SettledCall } from '../../model/signals/signal.ts';
import { FlowError } from '../../model/errors.ts';
import type { Graph } from '../../flow/graph/graph.ts';
import { openEffect } from '../../kernel/state/draft.ts';
import { sealedArguments, withoutSealed } from '../../kernel/keys/sealed-arguments.ts';
import { withoutSealedValues } from '../sealed-values.ts';
import { functionIn, functionsNow, nodeOf } from '../../kernel/move/offers.ts';
import { sameValue } from '../../flow/expression/same-value.ts';
import { isPendingAlready } from '../../kernel/call/pending-calls.ts';
import { recordOutcome } from '../words/read-slot.ts';
import type { Cancellable } from '../../model/ports/cancellable.ts';
import type { ExecutionOutcome, Executor } from '../../model/ports/executor.ts';
import type { LoggedSignal } from '../../model/ports/store.ts';
import { type CallOutput, callOutput } from './call-output.ts';
import { createCallGuard } from './call-guard.ts';
import { createCancellation } from '../cancellation.ts';
import { readArguments } from './arguments.ts';
import {
  type Completion,
  type CompletionHost,
  createCompletion,
  outcomeOf,
  withoutHandler,
} from '../reply/completion.ts';
import { contradictionOf } from '../words/contradiction.ts';
import { createQuotes } from './quotes.ts';
import { reservedArguments } from './reserved-arguments.ts';
import type { SessionStep } from '../commit/session-step.ts';
import type { Generators } from '../generators/generators.ts';
import type { Session } from '../session.ts';
import type { SessionLanguage } from '../session/session-language.ts';
import { droppedTransitions, languageChosen } from './batch-outcome.ts';

/** The running calls of a session, and the outcomes of settled ones. */
export interface Calls {
  /** Opens the completion of a reply, whose calls form one batch. It is the session's completion until the batch was handed on. */
  openCompletion(reply: Effect): Completion;
  /** Runs a call without a completion: after a confirmation, of a node or a generator, or one left unsettled by a crash. */
  run(effect: Extract<Effect, { kind: 'tool' }>): Promise<void>;
  /** Makes the caller's words wait for other work, as they wait for a write. */
  waitFor(key: EffectKey, work: () => Promise<void>): Promise<void>;
  /** Stops waiting for the work that `waitFor` began under this key. */
  letGo(key: EffectKey): void;
  /** Resolves when all running work has settled; null if none runs. */
  underWay(): Promise<void> | null;
  /**
   * Aborts running reads and waits for writes up to the cap. Writes that outlived
   * their batch are awaited only with `isLast`. Null if there is nothing to wait for.
   */
  overtake(isLast?: boolean): Promise<void> | null;
  /** Returns the outcome of a call for the model; undefined until it is known. */
  outputOf(callId: string): CallOutput | undefined;
  /** Records the words of a step's signal, to compare values from the model with them, and updates outcomes from its facts. */
  follow(step: Pick<SessionStep, 'signal' | 'facts'>): void;
  /** Restores what an earlier process did for the caller's last words. */
  recall(log: readonly LoggedSignal[]): void;
}

/** Work that no completion waits for. */
interface RunningWork {
  /** Null for work that is not a call. */
  readonly call: Pick<SettledCall, 'name' | 'arguments'> | null;
  /** Whether the caller's words wait for it. */
  readonly isKept: boolean;
  /** The caller's words have waited for it and no longer do. */
  readonly isLate: boolean;
  abort(): void;
  readonly settled: Promise<void>;
}

export function createCalls(
  session: Session,
  generators: Pick<Generators, 'refusal'>,
  language: Pick<SessionLanguage, 'change'>,
): Calls {
  const { tracer, limits, options } = session;
  const { executor, clock, writeCapMs, onCallWithoutReply } = options;
  const guard = createCallGuard(session);
  const grounded = createGroundedValues(session);
  const quotes = createQuotes(session);
  const completions = new Set<Completion>();
  const outputs = new Map<string, CallOutput>();
  /** Work without a completion, or that outlived its completion. */
  const running = new Map<EffectKey, RunningWork>();
  /** Keys of calls made by an earlier process. */
  const usedKeys = new Set<EffectKey>();
  /** Calls reported as still running. Their end is reported under another id, so that the history can distinguish it. */
  const toldRunning = new Set<string>();

  /** More than one if the flow was moved from outside while a call ran. */
  const openCompletions = (): readonly Completion[] => [...completions].filter(({ isSettled }) => !isSettled);
  const underWay = (): Promise<void> | null => {
    const open = [...openCompletions(), ...running.values()];
    return open.length === 0 ? null : Promise.all(open.map(({ settled }) => settled)).then(() => undefined);
  };
  /** Folds the calls of a batch and keeps their texts for the model. */
  const settle = (batch: Omit<BatchSettled, 'type' | 'at'>): void => {
    for (const call of batch.calls) outputs.set(call.callId, callOutput(call));
    const asked = session.graph;
    const chosen = languageChosen(asked, session.state, batch.calls);
    if (chosen !== null) language.change(chosen, 'function');
    const facts = session.dispatch({ signal: { type: 'batch:settled', at: clock.now(), ...batch } });
    for (const [callId, note] of droppedTransitions(asked, session.state, batch.calls, facts)) {
      const { output = '', isError = false } = outputs.get(callId) ?? {};
      outputs.set(callId, { output: `${output}\n${note}`, isError });
    }
  };
  const execute: CompletionHost['execute'] = (key, call, cancelled, readings) =>
    call.write ? write(key, call, cancelled, readings) : run(key, call, cancelled);
  const run: Executor['execute'] = async (key, call, cancelled) => {
    const span = tracer.begin({ name: 'execute_tool', tool: call.name }, { given: call.arguments });
    const outcome = await executor.execute(key, call, cancelled);
    // After a timeout the caller has waited in vain, whatever is said next.
    if (!outcome.ok && outcome.reason === 'timeout') tracer.failed();
    if (!outcome.ok) span.end({ state: outcome.cancelled ? 'cancelled' : 'failed' });
    else if (outcome.isPending === true) span.end({ state: 'waiting' });
    else span.end({ state: 'done' }, outcome.result);
    return outcome;
  };
  /** Records the intent of a write before running it. */
  const write: CompletionHost['execute'] = async (key, call, cancelled, readings) => {
    // A call that the session already intends was committed by the step that intended it.
    if (openEffect(session.state, key) === undefined) {
      const { callId, name, node, visit } = call;
      session.dispatch({
        signal: {
          type: 'tool:called',
          at: clock.now(),
          key,
          callId,
          name,
          node,
          visit,
          arguments: call.arguments,
          ...(readings === undefined ? {} : { readings }),
        },
      });
      // The node was left meanwhile, so the session no longer intends the call and it does not run.
      if (openEffect(session.state, key) === undefined)
        return { ok: false, cancelled: true, error: `The step that offered ${name} is over.` };
    }
    try {
      await session.committed();
    } catch {
      return { ok: false, cancelled: false, error: 'It could not be kept, so it was not done.' };
    }
    return await run(key, call, cancelled);
  };
  /** Whether the caller's words wait for a call. */
  const isKept = (call: ToolPayload): boolean => {
    const { graph, state } = session;
    // The caller's words do not overtake a call that a generator waits for.
    if (call.write || graph.generator !== null) return true;
    const node = nodeOf(graph, state, call.node);
    return node !== null && functionIn(graph, node, call.name)?.cancelOnInterruption === false;
  };

  const argumentsOf: CompletionHost['argumentsOf'] = (offered, raw) => {
    const read = readArguments(offered, raw, limits, (given) => reservedArguments(offered, given, session.graph));
    return read.ok ? { ok: true, value: { ...read.value, ...sealedArguments(session.state, offered) } } : read;
  };
  /** Returns the outcome of a node's own call that runs no handler. The rules of a model's call apply. */
  const atSight = (call: ToolPayload): ReturnType<typeof withoutHandler> => {
    const { graph, state } = session;
    const node = nodeOf(graph, state, call.node);
    const offered = node === null ? null : functionIn(graph, node, call.name);
    if (offered === null) return { state: 'blocked', error: `The function ${call.name} is not available now.` };
    // Sealed digits were checked when they were entered.
    const [readable = offered] = withoutSealed(graph, state, [offered]);
    const given = argumentsOf(readable, JSON.stringify(withoutSealedValues(call.arguments)));
    if (!given.ok) return { state: 'failed', error: given.error };
    return withoutHandler(offered, given.value, { recordOutcome: (values) => outcomeOfRecord(graph, values) });
  };
  const outcomeOfRecord = (graph: Graph, given: JsonObject): Json =>
    recordOutcome(graph, given, session.civil(clock.now()));

  /** Settles a call without a completion. An equal call by a node for the same words reuses the first outcome. */
  const endOf = async (
    key: EffectKey,
    call: ToolPayload,
    refused: ExecutionOutcome | null,
    cancelled: Cancellable,
  ): Promise<ReturnType<typeof outcomeOf>> => {
    const known = call.isByNode === true ? atSight(call) : null;
    if (known !== null) return known;
    const earlier = call.isByNode === true && call.write ? await guard.earlier(call.name, call.arguments) : null;
    if (earlier?.state === 'done') return earlier;
    return outcomeOf(await (refused ?? execute(key, call, cancelled)));
  };

  const overtake = async (waited: readonly RunningWork[]): Promise<void> => {
    let cancelCap = (): void => undefined;
    const cap = new Promise<void>((resolve) => (cancelCap = clock.schedule(writeCapMs, resolve)));
    for (const work of running.values()) if (!work.isKept) work.abort();
    const settled = Promise.all(waited.map((work) => work.settled));
    await Promise.all([...openCompletions().map((one) => one.supersede(cap)), Promise.race([settled, cap])]);
    cancelCap();
  };
  /** Settles a call that no completion of this process reports. */
  const settleAlone = (call: SettledCall, more: { readonly superseded?: true } = {}): void => {
    const settled = toldRunning.has(call.callId) ? { ...call, callId: `${call.callId}_end` } : call;
    onCallWithoutReply?.(settled);
    settle({ reply: null, text: '', calls: [settled], ...more });
  };

  return {
    openCompletion(reply) {
      const { graph: asked, state } = session;
      const { visit } = state.position;
      let made = 0;
      const node = nodeOf(asked, state, state.position.node);
      if (node === null)
        throw new FlowError('node-unknown', `node "${state.position.node}" is not in the flow that runs.`);
      const completion = createCompletion({
        node,
        visit,
        argumentsOf,
        guard,
        offered: (name) => functionsNow(asked, session.state, node).find((one) => one.name === name) ?? null,
        // The same flow in another language is the same step.
        isOver: () => session.state.position.visit !== visit || session.graph.hash !== asked.hash,
        isPending: (name, given) =>
          isPendingAlready(session.state, name, given) ||
          [...running.values()].some(({ call }) => call?.name === name && sameValue(call.arguments, given)),
        nextKey() {
          do made += 1;
          while (usedKeys.has(`${reply.key}.${made}`));
          return `${reply.key}.${made}`;
        },
        isQuoted: (call, source) => quotes.hold(call, source),
        readingsOf: (offered, given) => grounded.readingsOf(offered, given),
        contradictionOf: (offered, given, readings) =>
          contradictionOf(
            { graph: session.graph, state: session.state, now: session.civil(clock.now()) },
            offered,
            given,
            readings,
          ),
        recordOutcome: (given) => outcomeOfRecord(asked, given),
        execute,
        leave({ state: _state, isRunning: _isRunning, ...call }, end) {
          toldRunning.add(call.callId);
          const settled = end.then((outcome) => {
            running.delete(call.key);
            settleAlone({ ...call, ...outcome });
          });
          running.set(call.key, { call, isKept: true, isLate: true, abort: () => undefined, settled });
        },
        settle: (text, calls, superseded) =>
          settle({
            reply: reply.key,
            text,
            ...(text === '' ? {} : { asks: session.graph.reader.asks(text) }),
            calls,
            ...(superseded ? { superseded } : {}),
          }),
      });
      completions.add(completion);
      // The completion's promise belongs to the reply's task, and LiveKit's task to all that the model streamed.
      void completion.settled.then(() => {
        completions.delete(completion);
        if (session.completion === completion) session.completion = null;
      });
      session.completion = completion;
      return completion;
    },
    async run({ key, payload: call }) {
      const refused = generators.refusal(session.graph, session.state, call);
      const cancellation = createCancellation();
      const work = async (): Promise<void> => {
        const end = endOf(key, call, refused, cancellation);
        // A generator may yield equal writes: the author's code asks for each.
        if (call.write && session.graph.generator === null) guard.begin(call.name, call.arguments, end);
        const outcome = await end;
        running.delete(key);
        const { callId, name, node, visit } = call;
        const superseded = call.isByNode === true && outcome.state === 'cancelled';
        settleAlone(
          { key, callId, name, node, visit, arguments: call.arguments, ...outcome },
          superseded ? { superseded } : {},
        );
      };
      const settled = work();
      running.set(key, { call, isKept: isKept(call), isLate: false, abort: () => cancellation.cancel(), settled });
      await settled;
    },
    async waitFor(key, work) {
      const settled = work().finally(() => running.delete(key));
      // The caller of `waitFor` receives the failure.
      const known = { call: null, isKept: true, isLate: false, abort: () => undefined };
      running.set(key, { ...known, settled: settled.catch(() => undefined) });
      await settled;
    },
    letGo: (key) => void running.delete(key),
    underWay,
    overtake(isLast = false) {
      const waited = [...running.values()].filter(({ isLate }) => isLast || !isLate);
      return openCompletions().length + waited.length === 0 ? null : overtake(waited);
    },
    outputOf: (callId) => outputs.get(callId),
    recall(log) {
      for (const { signal } of log)
        if (signal.type === 'tool:called') usedKeys.add(signal.key);
        else if (signal.type === 'batch:settled')
          for (const { key, callId, isRunning } of signal.calls) {
            usedKeys.add(key);
            if (isRunning === true) toldRunning.add(callId);
          }
      guard.recall(log);
      for (const { signal } of log) quotes.hear(signal);
      grounded.recall(log);
    },
    follow({ signal, facts }) {
      grounded.hear(signal);
      quotes.hear(signal);
      for (const fact of facts) {
        // The model knows a call that waits for a yes by its call id, so its outcome is stored under that id.
        if (fact.type !== 'tool:settled' || !outputs.has(fact.data.key)) continue;
        if (fact.data.state === 'cancelled')
          outputs.set(fact.data.key, { output: 'Not done: the caller has not agreed.', isError: false });
        if (fact.data.state === 'repeated')
          outputs.set(fact.data.key, { output: 'The caller is being asked about this already.', isError: false });
      }
    },
  };
}

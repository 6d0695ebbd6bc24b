import type { ValueReadings } from '../../model/provenance.ts';
import type { EffectKey, ToolPayload } from '../../model/effect.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import type { SettledCall } from '../../model/signals/signal.ts';
import { sameValue } from '../../flow/expression/same-value.ts';
import type { GraphFunction, GraphNode } from '../../flow/graph/graph.ts';
import type { Cancellable } from '../../model/ports/cancellable.ts';
import type { ExecutionOutcome } from '../../model/ports/executor.ts';
import type { ModelCall } from '../../model/ports/model.ts';
import type { Arguments } from '../calls/arguments.ts';
import type { CallGuard } from '../calls/call-guard.ts';
import type { WrittenCall } from './written-calls.ts';
import { type Cancellation, createCancellation } from '../cancellation.ts';

/** The part of the engine that a completion uses. */
export interface CompletionHost {
  readonly node: GraphNode;
  readonly visit: number;
  /** Returns the function that the node currently offers under a name. */
  offered(name: string): GraphFunction | null;
  /** Whether the flow has left the node that the completion was requested for. */
  isOver(): boolean;
  nextKey(): EffectKey;
  /** Parses a model's arguments of a function. Pure. */
  argumentsOf(offered: GraphFunction, raw: string): Arguments;
  /** The call guard of this turn. */
  readonly guard: Pick<CallGuard, 'refusal' | 'earlier' | 'begin'>;
  /** Whether an equal call was made before and its outcome is still open. */
  isPending(name: string, given: JsonObject): boolean;
  /** Whether a call's text appears in words of the caller, of a function or of the session's values. */
  isQuoted(call: WrittenCall, source: string): boolean;
  /** Returns the grounding of arguments that fill slots. Pure. */
  readingsOf(offered: GraphFunction, given: JsonObject): ValueReadings | undefined;
  /** Returns why a write contradicts the caller's values; null if it does not. Pure. */
  contradictionOf(offered: GraphFunction, given: JsonObject, readings?: ValueReadings): string | null;
  /** Returns the result of `record`. Pure. */
  recordOutcome(given: JsonObject): Json;
  /** Runs a call under its key. The intent of a write is committed first. */
  execute(
    key: EffectKey,
    call: ToolPayload,
    cancelled: Cancellable,
    readings?: ValueReadings,
  ): Promise<ExecutionOutcome>;
  /** Stops waiting for a write. It continues, and its outcome is reported when it ends. */
  leave(call: SettledCall, end: Promise<CallOutcome>): void;
  /** All calls have settled. */
  settle(text: string, calls: readonly SettledCall[], superseded: boolean): void;
}

/**
 * One completion of the model. Its calls start as they stream in and run in parallel. When the stream has ended and
 * all calls have settled, the batch is handed on once, as a whole. Reads may be abandoned, writes are awaited.
 */
export interface Completion {
  /** A call appeared in the stream. */
  see(call: ModelCall): void;
  /** The handler of this call may start now. */
  start(callId: string): void;
  /** The stream has ended, complete or cut. */
  end(text: string): void;
  /** Discards a completion that said and called nothing and is no longer awaited. Returns false if it has settled or begun. */
  discard(): boolean;
  /** Settles the calls that have not started as not run. */
  abandon(): void;
  /**
   * The caller has said something else: reads are aborted, and running writes are awaited until
   * the cap has elapsed. A write that still runs is reported as pending, and its end separately.
   */
  supersede(capElapsed: Promise<void>): Promise<void>;
  has(callId: string): boolean;
  /** Returns the calls settled so far, with running calls as done. */
  expected(): readonly SettledCall[];
  /** Resolves when the batch was handed on. */
  readonly settled: Promise<void>;
  readonly isSettled: boolean;
  readonly isSuperseded: boolean;
}

/** The outcome of a call. */
export type CallOutcome = Pick<
  SettledCall,
  'state' | 'result' | 'error' | 'reason' | 'next' | 'cutFrom' | 'set' | 'waitsFor'
>;

interface TrackedCall {
  readonly call: ModelCall;
  readonly key: EffectKey;
  readonly offered: GraphFunction | null;
  arguments: JsonObject;
  readings: ValueReadings | undefined;
  settled: Omit<SettledCall, 'key' | 'callId' | 'name' | 'node' | 'visit' | 'arguments'> | null;
  started: boolean;
  /** The handler's outcome while it runs. A started call may still wait for an equal write. */
  end: Promise<CallOutcome> | null;
  readonly cancellation: Cancellation;
}

export function createCompletion(host: CompletionHost): Completion {
  const calls = new Map<string, TrackedCall>();
  let text = '';
  let ended = false;
  let resolveSettled = (): void => undefined;
  const settled = new Promise<void>((resolve) => (resolveSettled = resolve));

  const trySettle = (): void => {
    if (completion.isSettled || !ended || [...calls.values()].some((one) => one.settled === null)) return;
    completion.isSettled = true;
    host.settle(text, [...calls.values()].map(toSettledCall), completion.isSuperseded);
    resolveSettled();
  };
  const settle = (one: TrackedCall, outcome: NonNullable<TrackedCall['settled']>): void => {
    if (one.settled !== null) return;
    one.settled = outcome;
    trySettle();
  };
  const toSettledCall = (one: TrackedCall): SettledCall => ({
    key: one.key,
    callId: one.call.callId,
    name: one.call.name,
    node: host.node.id,
    visit: host.visit,
    arguments: one.arguments,
    ...(one.readings === undefined ? {} : { readings: one.readings }),
    ...(one.settled ?? { state: 'cancelled' }),
  });

  const run = (one: TrackedCall, offered: GraphFunction): void => {
    const payload: ToolPayload = {
      name: one.call.name,
      node: host.node.id,
      visit: host.visit,
      handler: offered.handler,
      callId: one.call.callId,
      arguments: one.arguments,
      write: offered.write,
      confirmed: false,
    };
    const end = host.execute(one.key, payload, one.cancellation, one.readings).then(outcomeOf);
    one.end = end;
    if (offered.write) host.guard.begin(payload.name, payload.arguments, end);
    void end.then((outcome) => settle(one, outcome));
  };
  /** Waits for an equal running write; if that fails, the call may run. */
  const runUnlessDone = async (one: TrackedCall, offered: GraphFunction): Promise<void> => {
    for (;;) {
      const earlier = offered.write ? host.guard.earlier(one.call.name, one.arguments) : null;
      if (earlier === null) return run(one, offered);
      const outcome = await earlier;
      if (one.settled !== null) return;
      if (outcome.state === 'done') return settle(one, outcome);
    }
  };

  // Mutable members instead of getters, because V8 turns each object literal with a getter into a dictionary.
  const completion: Completion & { isSettled: boolean; isSuperseded: boolean } = {
    see(call) {
      if (calls.has(call.callId) || completion.isSettled) return;
      const offered = host.offered(call.name);
      const one: TrackedCall = {
        call,
        key: host.nextKey(),
        offered,
        arguments: {},
        readings: undefined,
        settled: null,
        started: false,
        end: null,
        cancellation: createCancellation(),
      };
      calls.set(call.callId, one);
      const refusal = host.guard.refusal(calls.size);
      const verdict =
        refusal === null ? decideAtSight(host, one, calls) : ({ state: 'failed', error: refusal } as const);
      if (verdict !== null) settle(one, verdict);
    },
    start(callId) {
      const one = calls.get(callId);
      if (one === undefined || one.started || one.settled !== null || one.offered === null) return;
      one.started = true;
      void runUnlessDone(one, one.offered);
    },
    end(said) {
      if (ended) return;
      ended = true;
      text = said;
      trySettle();
    },
    discard() {
      if (completion.isSettled || calls.size > 0) return false;
      completion.isSettled = true;
      resolveSettled();
      return true;
    },
    abandon() {
      for (const one of calls.values())
        if (!one.started) settle(one, { state: 'cancelled', error: 'It was not started.' });
      if (!ended) {
        ended = true;
        trySettle();
      }
    },
    async supersede(capElapsed) {
      if (completion.isSettled) return;
      completion.isSuperseded = true;
      for (const one of calls.values()) {
        if (one.settled !== null) continue;
        if (one.end !== null && one.offered?.cancelOnInterruption === false) continue;
        one.cancellation.cancel();
        settle(one, { state: 'cancelled', error: 'The caller said something else.' });
      }
      if (!ended) {
        ended = true;
        trySettle();
      }
      await Promise.race([settled, capElapsed]);
      const running = [...calls.values()].filter((one) => one.settled === null);
      for (const one of running)
        if (one.offered?.write === true) settle(one, { state: 'pending', isRunning: true });
        else settle(one, { state: 'cancelled', error: 'It is still running.' });
      for (const one of running)
        if (one.settled?.isRunning === true && one.end !== null) host.leave(toSettledCall(one), one.end);
    },
    has: (callId) => calls.has(callId),
    expected: () =>
      [...calls.values()].map((one) => ({
        ...toSettledCall(one),
        ...(one.settled === null ? { state: 'done', result: null } : {}),
      })),
    settled,
    isSettled: false,
    isSuperseded: false,
  };
  return completion;
}

const stillPending =
  'This very call was made before and is still waiting. Do not make it again: its outcome is told as soon as it is known.';

/** Returns the outcome of a call that needs no handler, known when it is seen; null if a handler must run. */
function decideAtSight(
  host: CompletionHost,
  one: TrackedCall,
  calls: ReadonlyMap<string, TrackedCall>,
): TrackedCall['settled'] {
  const { offered, call } = one;
  if (offered === null) return { state: 'blocked', error: `The function ${call.name} is not available now.` };
  if (host.isOver()) return { state: 'blocked', error: `The step that offered ${call.name} is over.` };
  const unmade = whyUnmade(host, call);
  if (unmade !== null) return { state: 'failed', error: unmade };
  const given = host.argumentsOf(offered, call.rawArguments);
  if (!given.ok) return { state: 'failed', error: given.error };
  one.arguments = given.value;
  one.readings = host.readingsOf(offered, given.value);
  const contradiction = host.contradictionOf(offered, given.value, one.readings);
  if (contradiction !== null) return { state: 'failed', error: contradiction };
  const earlier = offered.write ? host.guard.earlier(call.name, given.value) : null;
  if (earlier !== null && !(earlier instanceof Promise)) return earlier;
  // A running call is not started a second time.
  if (host.isPending(call.name, given.value)) return { state: 'cancelled', error: stillPending };
  // One question is enough for two equal calls.
  const isAskedTwice = [...calls.values()].some(
    (other) =>
      other !== one &&
      other.settled?.state === 'waiting' &&
      other.call.name === call.name &&
      sameValue(other.arguments, given.value),
  );
  if (isAskedTwice) return { state: 'cancelled', error: 'The caller is being asked about this very call already.' };
  // The caller is asked, whatever the author configured, if the model wrote the call as text or invented a value it depends on.
  const isDoubtful =
    call.written !== undefined ||
    Object.values(one.readings ?? {}).some(({ grounded, isUnread }) => grounded === false || isUnread === true);
  if (offered.write && isDoubtful) return { state: 'waiting' };
  return withoutHandler(offered, asSaid(given.value, one.readings), host);
}

/** Replaces arguments with the values that the caller surely said. */
function asSaid(given: JsonObject, readings: ValueReadings = {}): JsonObject {
  const said = Object.entries(readings).flatMap(([name, { value }]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  return said.length === 0 ? given : { ...given, ...Object.fromEntries(said) };
}

/** Returns why a call that the model wrote as text must not run; null if it may. */
function whyUnmade(host: CompletionHost, call: ModelCall): string | null {
  const { name, written } = call;
  if (written === undefined) return null;
  if (!written.isWhole)
    return `The call of ${name} was written among words, so it was not made. If it is needed, call the function itself.`;
  if (host.isQuoted(call, written.source))
    return `This call of ${name} stands in what the caller or a function has said, so it was not made. Answer in words.`;
  return null;
}

/** Returns the outcome of a call whose handler does not run yet or at all; null if it runs. */
export function withoutHandler(
  offered: GraphFunction,
  given: JsonObject,
  { recordOutcome }: Pick<CompletionHost, 'recordOutcome'>,
): TrackedCall['settled'] {
  if (offered.confirm !== null) return { state: 'waiting' };
  if (offered.body === 'answer' || offered.body === 'language') return { state: 'done', result: 'ok' };
  if (offered.body === 'record') return { state: 'done', result: recordOutcome(given) };
  return offered.body === 'edge' && offered.callback === null ? { state: 'done', result: 'ok' } : null;
}

/** Converts an execution's outcome to the form of the kernel. */
export function outcomeOf(outcome: ExecutionOutcome): CallOutcome {
  if (!outcome.ok) {
    const { cancelled, error, reason } = outcome;
    return { state: cancelled ? 'cancelled' : 'failed', error, ...(reason === undefined ? {} : { reason }) };
  }
  if (outcome.isPending === true) {
    const { waitsFor } = outcome;
    return waitsFor === undefined ? { state: 'pending' } : { state: 'pending', waitsFor };
  }
  const { result, next, cutFrom, set } = outcome;
  return {
    state: 'done',
    result,
    ...(next === undefined ? {} : { next }),
    ...(cutFrom === undefined ? {} : { cutFrom }),
    ...(set === undefined ? {} : { set }),
  };
}

import type { ValueReadings } from '../../events/provenance.ts';
import type { EffectKey, ToolPayload } from '../../events/effect.ts';
import type { Json, JsonObject } from '../../events/json.ts';
import type { SettledCall } from '../../events/signal.ts';
import { sameValue } from '../../expression/same-value.ts';
import type { GraphFunction, GraphNode } from '../../graph/graph.ts';
import type { Cancellable } from '../../ports/cancellable.ts';
import type { ExecutionOutcome } from '../../ports/executor.ts';
import type { ModelCall } from '../../ports/model.ts';
import type { Arguments } from '../calls/arguments.ts';
import type { CallGuard } from '../calls/call-guard.ts';
import type { WrittenCall } from './written-calls.ts';
import { type Cancellation, createCancellation } from '../engine/cancellation.ts';

/** The part of the engine that a completion uses. */
export interface CompletionHost {
  readonly node: GraphNode;
  readonly visit: number;
  /** The function that the node offers under a name, looked up where the flow is now. */
  offered(name: string): GraphFunction | null;
  /** Whether the flow has left the node under whose view the completion was asked for. */
  isOver(): boolean;
  nextKey(): EffectKey;
  /** Reads what a model wrote as arguments of a function; pure. */
  argumentsOf(offered: GraphFunction, raw: string): Arguments;
  /** The guard of this turn's calls. */
  readonly guard: Pick<CallGuard, 'refusal' | 'earlier' | 'begin'>;
  /** Whether this call was made before, and its outcome is still to come. */
  isPending(name: string, given: JsonObject): boolean;
  /** Whether the text of a call stands in what the caller, a function or the session's own values say. */
  isQuoted(call: WrittenCall, source: string): boolean;
  /** What is found of the arguments of a call that fill slots; pure. */
  readingsOf(offered: GraphFunction, given: JsonObject): ValueReadings | undefined;
  /** Why a write is not made whose arguments are other values than the caller has given; null if they are not. Pure. */
  contradictionOf(offered: GraphFunction, given: JsonObject, readings?: ValueReadings): string | null;
  /** What `record` answers; pure. */
  recordOutcome(given: JsonObject): Json;
  /** Runs a call under its key; a write's intent is committed first. */
  execute(
    key: EffectKey,
    call: ToolPayload,
    cancelled: Cancellable,
    readings?: ValueReadings,
  ): Promise<ExecutionOutcome>;
  /** A write is waited for no longer; it runs on, and what it comes to is told when it has ended. */
  leave(call: SettledCall, end: Promise<CallOutcome>): void;
  /** All calls have settled. */
  settle(text: string, calls: readonly SettledCall[], superseded: boolean): void;
}

/**
 * One completion of the model: its calls start as they stream in and run in parallel; when the stream has ended and
 * every call has settled, the batch is handed on as a whole, once. Reads may be overtaken, writes are waited for.
 */
export interface Completion {
  /** A call was seen in the stream. */
  see(call: ModelCall): void;
  /** The conversation is allowed to go on with this call: its handler may start now. */
  start(callId: string): void;
  /** The stream has ended, whole or cut. */
  end(text: string): void;
  /** Nothing was said or called, and nobody waits for it: it never was. False where it has settled or begun. */
  discard(): boolean;
  /** Settles the calls that have not started, as not run. */
  abandon(): void;
  /**
   * The caller has said something else: reads are aborted, and writes that run are waited for until the cap has elapsed. One
   * that then still runs is told as pending, and its end by itself.
   */
  supersede(capElapsed: Promise<void>): Promise<void>;
  has(callId: string): boolean;
  /** The calls as they have settled so far, and as done those that run. */
  expected(): readonly SettledCall[];
  /** Resolves when the batch was handed on. */
  readonly settled: Promise<void>;
  readonly isSettled: boolean;
  readonly isSuperseded: boolean;
}

/** What a call comes to. */
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
  /** What its handler comes to, while that runs. One that was started may still wait for an equal write. */
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
  /** A write that is being done already is waited for; one that then fails may be tried. */
  const runUnlessDone = async (one: TrackedCall, offered: GraphFunction): Promise<void> => {
    for (;;) {
      const earlier = offered.write ? host.guard.earlier(one.call.name, one.arguments) : null;
      if (earlier === null) return run(one, offered);
      const outcome = await earlier;
      if (one.settled !== null) return;
      if (outcome.state === 'done') return settle(one, outcome);
    }
  };

  // Members that change, not getters: V8 makes a dictionary of every literal that has one.
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

/** The outcome of a call that needs no handler, known when it is seen; null where a handler has to run. */
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
  // What was begun is not begun again beside itself.
  if (host.isPending(call.name, given.value)) return { state: 'cancelled', error: stillPending };
  // One question is enough for what is asked to be done twice.
  const isAskedTwice = [...calls.values()].some(
    (other) =>
      other !== one &&
      other.settled?.state === 'waiting' &&
      other.call.name === call.name &&
      sameValue(other.arguments, given.value),
  );
  if (isAskedTwice) return { state: 'cancelled', error: 'The caller is being asked about this very call already.' };
  // The caller is asked, whatever the author says, if the model wrote the call in words or invented what it depends on.
  const isDoubtful =
    call.written !== undefined ||
    Object.values(one.readings ?? {}).some(({ grounded, isUnread }) => grounded === false || isUnread === true);
  if (offered.write && isDoubtful) return { state: 'waiting' };
  return withoutHandler(offered, asSaid(given.value, one.readings), host);
}

/** The arguments with what the caller surely said in the place of what the model gave. */
function asSaid(given: JsonObject, readings: ValueReadings = {}): JsonObject {
  const said = Object.entries(readings).flatMap(([name, { value }]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  return said.length === 0 ? given : { ...given, ...Object.fromEntries(said) };
}

/** Why a call that a model wrote into its words is not made; null if it may be. */
function whyUnmade(host: CompletionHost, call: ModelCall): string | null {
  const { name, written } = call;
  if (written === undefined) return null;
  if (!written.isWhole)
    return `The call of ${name} was written among words, so it was not made. If it is needed, call the function itself.`;
  if (host.isQuoted(call, written.source))
    return `This call of ${name} stands in what the caller or a function has said, so it was not made. Answer in words.`;
  return null;
}

/** The outcome of a call whose handler does not run, or not yet; null where it runs. */
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

/** How an execution is told to the kernel. */
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

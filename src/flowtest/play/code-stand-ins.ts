import type { EffectKey } from '../../model/effect.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import type { CallNext, SettledCall, Signal } from '../../model/signals/signal.ts';
import { recordFunctionName } from '../../flow/document/function.ts';
import type { GraphFunction } from '../../flow/graph/graph.ts';
import { functionIn, nodeOf } from '../../kernel/move/offers.ts';
import type { Store } from '../../model/ports/store.ts';
import { foldSession, type ReplayOptions } from '../../runner/replay-session.ts';
import type { ToolOutcome, ToolStandIn } from '../document/document.ts';
import type { Personal } from '../record/personal-stand-ins.ts';

/** Stand-ins for the code that a conversation ran, by the name of the tool or handler. */
export interface CodeStandIns {
  readonly standIns: Readonly<Record<string, ToolStandIn>>;
  readonly notes: readonly string[];
}

/**
 * Returns stand-ins for all tools and handlers that ran in a stored conversation, with their results, set values and next
 * nodes.
 * The test then needs no real code of the project. The stored flow shows which code a call ran.
 */
export async function standInsOf(
  store: Store,
  sessionId: string,
  log: readonly Signal[],
  personal: Personal,
  options: ReplayOptions,
): Promise<CodeStandIns> {
  const functions = new Map<EffectKey, GraphFunction>();
  const actions = new Map<EffectKey, string>();
  const notes: string[] = [];
  await foldSession(store, sessionId, {
    ...options,
    onStep({ graph, before, signal, effects }) {
      for (const effect of effects) if (effect.kind === 'action') actions.set(effect.key, effect.payload.handler);
      if (signal.type !== 'batch:settled') return;
      for (const { key, name, node } of signal.calls) {
        const origin = nodeOf(graph, before, node);
        const found = origin === null ? null : functionIn(graph, origin, name);
        if (found !== null) functions.set(key, found);
      }
    },
  }).catch((error: unknown) => {
    if (!log.some(isOfCode)) return;
    const why = error instanceof Error ? error.message : String(error);
    notes.push(`the results of handlers are not part of the test, because the flow cannot be read: ${why}`);
  });

  const outcomes = new Map<string, ToolOutcome[]>();
  const add = (name: string, outcome: ToolOutcome): void =>
    void outcomes.set(name, [...(outcomes.get(name) ?? []), outcome]);
  const setBy = (set: JsonObject | undefined): Pick<ToolOutcome, 'sets'> =>
    set === undefined
      ? {}
      : { sets: Object.fromEntries(Object.entries(set).map(([name, value]) => [name, personal.slot(name, value)])) };
  const failed = (error: string | undefined): ToolOutcome => ({ throws: personal.words(error ?? 'failed') });
  const addCall = (call: SettledCall): void => {
    const { name, state, result, error, set, next, key } = call;
    if (name === recordFunctionName || (state !== 'done' && state !== 'failed')) return;
    const code = functions.get(key);
    if (code === undefined) {
      // A function that only leads on returns `ok` by default.
      if (state === 'failed') add(name, failed(error));
      else if (result !== 'ok' && result !== undefined) add(name, { returns: personal.value(result) });
      return;
    }
    const did = { ...setBy(set), ...ledTo(next, personal) };
    if (code.body === 'flow') notes.push(`function ${name} ran a task flow, which runs in the test as well`);
    if (code.body === 'tool')
      add(code.handler, state === 'failed' ? failed(error) : { returns: personal.value(result ?? null), ...did });
    if (code.callback === null) return;
    if (code.body === 'tool') add(code.callback, nothing);
    else add(code.callback, state === 'failed' ? failed(error) : { ...nothing, ...did });
  };
  for (const signal of log) {
    if (signal.type === 'batch:settled') for (const call of signal.calls) addCall(call);
    if (signal.type !== 'effect:settled') continue;
    const handler = actions.get(signal.key);
    if (handler !== undefined && signal.state !== 'cancelled')
      add(handler, signal.state === 'failed' ? failed(signal.error) : { ...nothing, ...setBy(signal.set) });
  }
  const standIns = [...outcomes].map(([name, all]): [string, ToolStandIn] => [name, inOrder(all)]);
  return { standIns: Object.fromEntries(standIns), notes: [...new Set(notes)] };
}

/** The outcome of a handler that returns nothing and sets nothing. */
const nothing: ToolOutcome = { sets: {} };

/** Checks whether code has set something, or decided where the flow continues. */
function isOfCode(signal: Signal): boolean {
  if (signal.type === 'effect:settled') return signal.set !== undefined;
  return (
    signal.type === 'batch:settled' && signal.calls.some(({ set, next }) => set !== undefined || next !== undefined)
  );
}

/** One outcome if all are the same. */
function inOrder(all: readonly ToolOutcome[]): ToolStandIn {
  const [first = {}] = all;
  const isAlways = all.every((one) => JSON.stringify(one) === JSON.stringify(first));
  return isAlways ? first : { sequence: [...all] };
}

function ledTo(
  next: CallNext | undefined,
  personal: Personal,
): { readonly next?: Json & (string | JsonObject | null) } {
  if (next === undefined) return {};
  if (next.kind === 'stay') return { next: null };
  if (next.kind === 'dynamic') return { next: personal.value(next.node) };
  return { next: next.to };
}

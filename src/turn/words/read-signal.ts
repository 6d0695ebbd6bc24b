import type { BatchSettled, SettledCall, Signal } from '../../events/signal.ts';
import type { TypedValue, TypedValues } from '../../events/typed-value.ts';
import { answerFunctionName } from '../../flow/function.ts';
import { askedSlot } from '../../graph/generator-graph.ts';
import type { Graph } from '../../graph/graph.ts';
import { civilTime } from '../../kernel/civil-time.ts';
import { questionOf } from '../../kernel/generator-frame.ts';
import { isNothing } from '../../kernel/slots.ts';
import type { SessionState } from '../../kernel/state.ts';
import { typedValue } from './read-slot.ts';

/** Where a session stands when something happens to it. */
export interface Standing {
  readonly graph: Graph;
  readonly state: SessionState;
}

/** A signal with the values that its calls give, read before the step, so that a replay reads nothing. */
export function readSignal(standing: Standing, signal: Signal): Signal {
  return signal.type === 'batch:settled' ? readBatch(standing, signal) : signal;
}

function readBatch(standing: Standing, batch: BatchSettled): BatchSettled {
  if (batch.calls.every((call) => Object.keys(call.arguments).length === 0 || call.typed !== undefined)) return batch;
  return { ...batch, calls: batch.calls.map((call) => readCall(standing, call, batch.at)) };
}

function readCall(standing: Standing, call: SettledCall, at: number): SettledCall {
  const typed = call.typed ?? typedIn(standing, call, at);
  return typed === undefined ? call : { ...call, typed };
}

function typedIn({ graph, state }: Standing, call: SettledCall, at: number): TypedValues | undefined {
  if (call.state !== 'done') return undefined;
  const now = civilTime(at, state.timeZone);
  const question = call.name === answerFunctionName ? questionOf(state) : null;
  const asked = question === null || question.expects?.schema != null ? null : askedSlot(question);
  const typed: [string, TypedValue][] = [];
  for (const [name, given] of Object.entries(call.arguments)) {
    const slot = asked !== null && name === 'value' ? asked : graph.slots.get(name);
    if (slot !== undefined && !isNothing(given)) typed.push([name, typedValue(graph.reader, slot, given, now)]);
  }
  return typed.length === 0 ? undefined : Object.fromEntries(typed);
}

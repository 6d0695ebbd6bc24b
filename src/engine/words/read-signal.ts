import type { BatchSettled, SettledCall, Signal } from '../../model/signals/signal.ts';
import type { TypedValue, TypedValues } from '../../model/typed-value.ts';
import { answerFunctionName } from '../../flow/document/function.ts';
import { askedSlot } from '../../flow/graph/generator-graph.ts';
import type { Graph } from '../../flow/graph/graph.ts';
import { questionOf } from '../../kernel/generator/frame.ts';
import { isNothing } from '../../kernel/state/slots.ts';
import type { SessionState } from '../../kernel/state/state.ts';
import type { Step } from '../../kernel/step.ts';
import type { CivilTime } from '../../model/ports/time.ts';
import { choiceQuestion } from './read-choice.ts';
import { typedValue } from './read-slot.ts';

/** The graph and state of a session when a signal arrives. */
export interface Standing {
  readonly graph: Graph;
  readonly state: SessionState;
}

/** Adds the outside data that the step needs, so that a replay reads nothing: the session's local time and the typed values of its calls. */
export function readSignal(standing: Standing, signal: Signal, civilTime: CivilTime): Signal {
  const { timeZone } = signal.type === 'session:started' ? signal : standing.state;
  const civil = signal.civil ?? civilTime(signal.at, timeZone);
  if (signal.type === 'task:asked') return { ...signal, ...choiceQuestion(standing.graph.reader, signal), civil };
  return signal.type === 'batch:settled' ? { ...readBatch(standing, signal, civil), civil } : { ...signal, civil };
}

/** Returns a signal as the log stores it: with the spoken forms of its step's values. */
export function withSpoken(signal: Signal, { spoken }: Pick<Step, 'spoken'>): Signal {
  return spoken.length === (signal.spoken?.length ?? 0) ? signal : { ...signal, spoken };
}

function readBatch(standing: Standing, batch: BatchSettled, civil: string): BatchSettled {
  if (batch.calls.every((call) => Object.keys(call.arguments).length === 0 || call.typed !== undefined)) return batch;
  return { ...batch, calls: batch.calls.map((call) => readCall(standing, call, civil)) };
}

function readCall(standing: Standing, call: SettledCall, civil: string): SettledCall {
  const typed = call.typed ?? typedIn(standing, call, civil);
  return typed === undefined ? call : { ...call, typed };
}

function typedIn({ graph, state }: Standing, call: SettledCall, civil: string): TypedValues | undefined {
  if (call.state !== 'done' && call.state !== 'waiting') return undefined;
  const question = call.name === answerFunctionName ? questionOf(state) : null;
  const asked = question === null || question.expects?.schema != null ? null : askedSlot(question, graph.speech);
  const typed: [string, TypedValue][] = [];
  for (const [name, given] of Object.entries(call.arguments)) {
    const slot = asked !== null && name === 'value' ? asked : graph.slots.get(name);
    if (slot !== undefined && !isNothing(given)) typed.push([name, typedValue(graph.reader, slot, given, civil)]);
  }
  return typed.length === 0 ? undefined : Object.fromEntries(typed);
}

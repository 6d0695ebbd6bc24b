import type { BatchSettled, SettledCall, Signal, SpeechSettled } from '../../model/signals/signal.ts';
import type { TypedValue, TypedValues } from '../../model/typed-value.ts';
import { answerFunctionName } from '../../flow/document/function.ts';
import { askedSlot } from '../../flow/graph/generator-graph.ts';
import type { Graph } from '../../flow/graph/graph.ts';
import { questionOf } from '../../kernel/generator/frame.ts';
import { isNothing } from '../../kernel/state/slots.ts';
import type { SessionState } from '../../kernel/state/state.ts';
import type { Step } from '../../kernel/step.ts';
import type { EngineOptions } from '../engine-options.ts';
import { choiceQuestion } from './read-choice.ts';
import { typedValue } from './read-slot.ts';

/** The graph and state of a session when a signal arrives. */
export interface Standing {
  readonly graph: Graph;
  readonly state: SessionState;
}

/**
 * Adds the outside data that the step needs, so that a replay reads nothing: the session's local time,
 * the typed values of its calls, and in a text conversation the text to send.
 */
export function readSignal(graph: Graph, state: SessionState, signal: Signal, options: ReadOptions): Signal {
  const { timeZone } = signal.type === 'session:started' ? signal : state.knowledge;
  const civil = signal.civil ?? options.civilTime(signal.at, timeZone);
  switch (signal.type) {
    case 'task:asked':
      return { ...signal, ...choiceQuestion(graph.reader, signal), civil };
    case 'batch:settled':
      return { ...readBatch({ graph, state }, signal, civil), civil };
    case 'speech:settled':
      return { ...withTextToSend(signal, options), civil };
    default:
      return { ...signal, civil };
  }
}

type ReadOptions = Pick<EngineOptions, 'civilTime' | 'writesTo'>;

function withTextToSend(signal: SpeechSettled, { writesTo }: ReadOptions): SpeechSettled {
  if (writesTo === undefined) return signal;
  const text = [signal.heard, signal.aside ?? ''].filter((part) => part !== '').join(' ');
  return text === '' ? signal : { ...signal, written: { ...writesTo, text } };
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

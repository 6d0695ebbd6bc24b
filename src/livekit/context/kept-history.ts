import { llm } from '@livekit/agents';
import type { Effect } from '../../events/effect.ts';
import type { BatchSettled, ToolCalled } from '../../events/signal.ts';
import { hiddenBy, strategyOf } from '../../flow/context/context-strategies.ts';
import type { LoggedSignal } from '../../ports/store.ts';
import { callOutput } from '../../turn/calls/call-output.ts';
import { withoutOpenWords } from './context-budget.ts';

/**
 * Rebuilds the chat history of a session from its log: the caller's turns, the heard text of the agent, and the calls with
 * their outputs. A call that a crash has cut off has no output. Items that a context strategy has hidden are left out, or
 * replaced by their summary.
 */
export function keptHistory(log: readonly LoggedSignal[], effects: readonly Effect[]): readonly llm.ChatItem[] {
  const cuts = new Map(effects.flatMap((one) => (one.kind === 'context' ? [[one.key, strategyOf(one.payload)]] : [])));
  const calls = new Set<string>();
  const outputs = new Map<string, llm.FunctionCallOutput>();
  let items: llm.ChatItem[] = [];
  for (const { seq, signal } of log) {
    const createdAt = signal.at;
    switch (signal.type) {
      case 'user:turn':
        items.push(message(signal.eventId, 'user', signal.text, createdAt));
        break;
      // A person has said it in the agent's place.
      case 'takeover:heard':
        items.push(message(`flow.kept.${seq}`, 'assistant', signal.text, createdAt));
        break;
      case 'speech:settled':
        if (signal.heard !== '') items.push(message(`flow.kept.${seq}`, 'assistant', signal.heard, createdAt));
        break;
      case 'tool:called':
        // A write that a crash has cut off: its outcome is known once it has been run again.
        if (!calls.has(signal.callId)) items.push(called(signal, calls));
        break;
      case 'batch:settled':
        items.push(...callsOf(signal, calls, outputs));
        break;
      case 'effect:settled': {
        const strategy = cuts.get(signal.key);
        if (strategy === undefined || signal.state !== 'done') break;
        items = items.slice(hiddenBy(strategy, withoutOpenWords(items).length));
        if (typeof signal.result === 'string') {
          const summary = `Summary of the conversation so far: ${signal.result}`;
          items.unshift(message(`flow.kept.${seq}`, 'system', summary, createdAt));
        }
        break;
      }
      default:
    }
  }
  return items;
}

function message(id: string, role: llm.ChatRole, content: string, createdAt: number): llm.ChatMessage {
  return llm.ChatMessage.create({ id, role, content, createdAt });
}

/** The items of a batch. A call that waited for a yes is in two batches: the second one changes its output. */
function callsOf(
  batch: BatchSettled,
  known: Set<string>,
  outputs: Map<string, llm.FunctionCallOutput>,
): llm.ChatItem[] {
  const { at } = batch;
  const made: llm.ChatItem[] = [];
  const answers: llm.ChatItem[] = [];
  for (const call of batch.calls) {
    const { callId, name } = call;
    const { output, isError } = callOutput(call);
    const before = outputs.get(callId);
    if (before !== undefined) {
      before.output = output;
      before.isError = isError;
      continue;
    }
    const answer = llm.FunctionCallOutput.create({ callId, name, output, isError, createdAt: at });
    outputs.set(callId, answer);
    if (!known.has(callId)) made.push(called({ ...call, at }, known));
    answers.push(answer);
  }
  return [...made, ...answers];
}

function called(
  { callId, name, arguments: args, at }: Pick<ToolCalled, 'callId' | 'name' | 'arguments' | 'at'>,
  known: Set<string>,
): llm.FunctionCall {
  known.add(callId);
  return llm.FunctionCall.create({ callId, name, args: JSON.stringify(args), createdAt: at });
}

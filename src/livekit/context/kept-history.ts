import { llm } from '@livekit/agents';
import type { Effect, EffectKey } from '../../model/effect.ts';
import type { BatchSettled, ToolCalled } from '../../model/signals/signal.ts';
import { hiddenBy, strategyOf } from '../../flow/document/context/context-strategies.ts';
import type { LoggedSignal } from '../../model/ports/store.ts';
import { callOutput } from '../../engine/calls/call-output.ts';
import { withoutOpenWords } from './context-budget.ts';

/**
 * Rebuilds the chat history of a session from its log: the caller's turns, the heard text of the agent, and calls with their
 * outputs. A call that a crash cut off has no output. Items hidden by a context strategy are omitted or replaced by their summary.
 */
export function keptHistory(log: readonly LoggedSignal[], effects: readonly Effect[]): readonly llm.ChatItem[] {
  const cuts = new Map(effects.flatMap((one) => (one.kind === 'context' ? [[one.key, strategyOf(one.payload)]] : [])));
  const calls: ListedCalls = new Map();
  let items: llm.ChatItem[] = [];
  for (const { seq, signal } of log) {
    const createdAt = signal.at;
    switch (signal.type) {
      case 'user:turn':
        items.push(message(signal.eventId, 'user', signal.text, createdAt));
        break;
      // Said by a person instead of the agent.
      case 'takeover:heard':
        items.push(message(`flow.kept.${seq}`, 'assistant', signal.text, createdAt));
        break;
      case 'speech:settled':
        if (signal.heard !== '') items.push(message(`flow.kept.${seq}`, 'assistant', signal.heard, createdAt));
        break;
      case 'tool:called':
        // A write that a crash cut off; its outcome is known after it has run again.
        items.push(...called(signal, calls));
        break;
      case 'batch:settled':
        items.push(...callsOf(signal, calls));
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

/** Calls of the history by their ids in the log. */
type ListedCalls = Map<string, ListedCall>;

interface ListedCall {
  readonly key: EffectKey;
  readonly item: llm.FunctionCall;
  output: llm.FunctionCallOutput | null;
  /** Whether its outcome is still open. */
  isOpen: boolean;
}

/** Returns the items of a batch. A call that waited for a yes is in two batches; the second one changes its output. */
function callsOf(batch: BatchSettled, listed: ListedCalls): llm.ChatItem[] {
  const { at } = batch;
  const made: llm.ChatItem[] = [];
  const answers: llm.ChatItem[] = [];
  for (const call of batch.calls) {
    const { output, isError } = callOutput(call);
    made.push(...called({ ...call, at }, listed));
    const known = listed.get(call.callId);
    if (known === undefined) continue;
    known.isOpen = call.state === 'waiting' || call.state === 'pending';
    if (known.output !== null) {
      known.output.output = output;
      known.output.isError = isError;
      continue;
    }
    const { callId, name } = known.item;
    known.output = llm.FunctionCallOutput.create({ callId, name, output, isError, createdAt: at });
    answers.push(known.output);
  }
  return [...made, ...answers];
}

/**
 * Returns the item of a call, unless the history has it. Older logs contain ids of providers,
 * which may repeat: the same id after another call has settled is a different call.
 */
function called(
  { key, callId, name, arguments: args, at }: Pick<ToolCalled, 'key' | 'callId' | 'name' | 'arguments' | 'at'>,
  listed: ListedCalls,
): llm.FunctionCall[] {
  const known = listed.get(callId);
  if (known !== undefined && (known.key === key || (known.isOpen && known.item.name === name))) return [];
  const id = known === undefined ? callId : key;
  const item = llm.FunctionCall.create({ callId: id, name, args: JSON.stringify(args), createdAt: at });
  listed.set(callId, { key, item, output: null, isOpen: true });
  return [item];
}

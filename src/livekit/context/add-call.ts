import { llm } from '@livekit/agents';
import type { SettledCall } from '../../model/signals/signal.ts';
import { callOutput } from '../../engine/calls/call-output.ts';

/**
 * Adds a call and its output to the history: a node's call, or one left unsettled by a crash. A call that the history already has is unchanged.
 */
export function addCall(history: llm.ChatContext, call: SettledCall): void {
  const { callId, name } = call;
  if (history.items.some((item) => item.type === 'function_call' && item.callId === callId)) return;
  // LiveKit orders by time. The last item must not precede words dated by another process's clock.
  const createdAt = Math.max(Date.now(), history.items.at(-1)?.createdAt ?? 0);
  const { output, isError } = callOutput(call);
  history.insert([
    llm.FunctionCall.create({ callId, name, args: JSON.stringify(call.arguments), createdAt }),
    llm.FunctionCallOutput.create({ callId, name, output, isError, createdAt }),
  ]);
}

import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ChildProcess } from 'node:child_process';
import { isTurnTrace } from '../../model/events/turn-trace.ts';
import type { MeasuredCall } from '../../livekit/traces/call-metrics.ts';
import type { MeasuredTurn } from '../../livekit/traces/turn-metrics.ts';

/** Name of our messages among those between LiveKit's processes, which ignore them. */
const ours = 'roomflow:turn';

const ourCalls = 'roomflow:call';

/** Node's diagnostics channel for new child processes. */
const channel = 'child_process';

/** Sends a turn of this job's call to the worker, if this process is a job. */
export function sendTurn({ flow, trace }: MeasuredTurn): void {
  if (!process.connected) return;
  // A worker that is ending does not need it.
  process.send?.({ case: ours, flow, trace }, undefined, undefined, () => undefined);
}

/** Sends a change of this job's call to the worker, if this process is a job. */
export function sendCall(call: MeasuredCall): void {
  if (!process.connected) return;
  process.send?.({ case: ourCalls, call }, undefined, undefined, () => undefined);
}

/** Receives turns and changes of calls from job processes that start after this. Returns a function that stops it. */
export function hearTurns(
  onTurn: (turn: MeasuredTurn) => void,
  onCall: (call: MeasuredCall) => void = () => undefined,
): () => void {
  const onProcess = (message: unknown): void => {
    const { process: child } = message as { readonly process: ChildProcess }; // By Node's documentation.
    child.on('message', (sent) => {
      const turn = turnIn(sent);
      if (turn !== null) onTurn(turn);
      const call = callIn(sent);
      if (call !== null) onCall(call);
    });
  };
  subscribe(channel, onProcess);
  return () => void unsubscribe(channel, onProcess);
}

function turnIn(sent: unknown): MeasuredTurn | null {
  if (typeof sent !== 'object' || sent === null || !('case' in sent) || sent.case !== ours) return null;
  const { flow, trace } = sent as Partial<MeasuredTurn>;
  return typeof flow === 'string' && typeof trace === 'object' && isTurnTrace(trace) ? { flow, trace } : null;
}

function callIn(sent: unknown): MeasuredCall | null {
  if (typeof sent !== 'object' || sent === null || !('case' in sent) || sent.case !== ourCalls) return null;
  return 'call' in sent ? (sent.call as MeasuredCall) : null; // Only `sendCall` sends it.
}

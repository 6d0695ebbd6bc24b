import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ChildProcess } from 'node:child_process';
import { isTurnTrace } from '../events/turn-trace.ts';
import type { MeasuredTurn } from '../livekit/traces/turn-metrics.ts';

/** The name of our messages among those that LiveKit's processes send each other; theirs pass over it. */
const ours = 'roomflow:turn';

/** Node tells of each process that is begun here. */
const channel = 'child_process';

/** Tells the worker of a turn of this job's call, where this process is a job's. */
export function sendTurn({ flow, trace }: MeasuredTurn): void {
  if (!process.connected) return;
  // A worker that ends at this moment needs it no more.
  process.send?.({ case: ours, flow, trace }, undefined, undefined, () => undefined);
}

/** Hears of the turns of calls, which run in processes of their own that are begun after this. Returns what ends it. */
export function hearTurns(onTurn: (turn: MeasuredTurn) => void): () => void {
  const onProcess = (message: unknown): void => {
    const { process: child } = message as { readonly process: ChildProcess }; // As Node documents it.
    child.on('message', (sent) => {
      const turn = turnIn(sent);
      if (turn !== null) onTurn(turn);
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

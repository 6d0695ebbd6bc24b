import type { JsonObject } from '../../model/json.ts';
import type { RunContext } from '../../flow/graph/nodes/node-type.ts';
import { unlessAborted } from '../../flow/nodes/unless-aborted.ts';

const defaultTurns = 16;
const defaultSilenceMs = 30_000;

/**
 * Subscribes to the messages of an agent run, from now on. Returns `nextMessage` of its context, which counts the turns
 * of `maxTurns` and waits `turnTimeoutMs` of its config.
 */
export function createRunMessages(
  context: Pick<RunContext, 'hub' | 'clock' | 'runId' | 'signal' | 'config'>,
): RunContext['nextMessage'] {
  const { hub, clock, runId, signal } = context;
  const { most, silenceMs } = turnsOf(context.config);
  const waiting: string[] = [];
  let turn = 1;
  let isClosed = false;
  let wake = (): void => undefined;
  hub.subscribe('session:message', ({ type, data }) => {
    if (type !== 'session:message' || data.runId !== runId) return;
    waiting.push(data.content);
    wake();
  });
  hub.subscribe('session:close', ({ type, data }) => {
    if (type !== 'session:close' || data.runId !== runId) return;
    isClosed = true;
    wake();
  });
  return async () => {
    if (turn >= most) return null;
    turn += 1;
    if (waiting.length === 0 && !isClosed && silenceMs > 0) {
      let cancel = (): void => undefined;
      const somethingCame = new Promise<void>((resolve) => {
        wake = resolve;
        cancel = clock.schedule(silenceMs, resolve);
      });
      await unlessAborted(somethingCame, signal).finally(() => cancel());
    }
    return isClosed ? null : (waiting.shift() ?? null);
  };
}

/** Returns the maximum number of turns, and how long to wait for each turn after the first. The run checks its config. */
function turnsOf({ maxTurns, turnTimeoutMs }: JsonObject): { most: number; silenceMs: number } {
  const most = typeof maxTurns === 'number' ? maxTurns : defaultTurns;
  const hasOne = maxTurns === undefined || maxTurns === 1;
  return { most, silenceMs: typeof turnTimeoutMs === 'number' ? turnTimeoutMs : hasOne ? 0 : defaultSilenceMs };
}

import type { JsonObject } from '../../model/json.ts';
import type { SettledCall } from '../../model/signals/signal.ts';
import { hashOf } from '../../flow/graph/hash.ts';
import { tooManyAtOnce } from '../../model/ports/model.ts';
import type { LoggedSignal } from '../../model/ports/store.ts';
import type { Session } from '../session.ts';

/** The outcome of a call that a later equal call may reuse. */
export type CallEnd = Pick<SettledCall, 'state' | 'result' | 'error'>;

/** Limits the calls of one turn and prevents equal writes from running twice. */
export interface CallGuard {
  /** Counts the nth call of a completion. Returns why it may not run, or null. */
  refusal(nth: number): string | null;
  /** Returns the outcome, possibly still pending, of an equal write for the same words of the caller; null if the write may run. */
  earlier(name: string, given: JsonObject): CallEnd | Promise<CallEnd> | null;
  /** Records that a write begins. */
  begin(name: string, given: JsonObject, end: Promise<CallEnd>): void;
  /** Restores the writes that an earlier process made for the caller's last words. */
  recall(log: readonly LoggedSignal[]): void;
}

export function createCallGuard(session: Session): CallGuard {
  const { limits } = session;
  let turn = -1;
  let calls = 0;
  /** The event that these writes belong to. A new process or an outside move is not a new turn of the caller. */
  let words: string | null = null;
  let writes = new Map<string, (CallEnd | Promise<CallEnd>)[]>();

  const ofTheseWords = (): typeof writes => {
    const { lastFlowEventId } = session.state.turn;
    if (lastFlowEventId !== words) writes = new Map();
    words = lastFlowEventId;
    return writes;
  };
  const nameOf = (name: string, given: JsonObject): string => `${name} ${hashOf(given)}`;
  const keep = (key: string, end: CallEnd | Promise<CallEnd>): void => {
    const known = ofTheseWords();
    known.set(key, [...(known.get(key) ?? []), end]);
  };
  const forget = (key: string, end: CallEnd | Promise<CallEnd>): void => {
    const left = (writes.get(key) ?? []).filter((one) => one !== end);
    if (left.length > 0) writes.set(key, left);
    else writes.delete(key);
  };

  return {
    refusal(nth) {
      if (session.state.turn.number !== turn) calls = 0;
      turn = session.state.turn.number;
      calls += 1;
      if (nth > limits.callsPerReply) return tooManyAtOnce(limits.callsPerReply);
      if (calls > limits.callsPerTurn)
        return `At most ${limits.callsPerTurn} functions may be called before the caller speaks again, and this call was not made. Answer the caller.`;
      return null;
    },
    earlier(name, given) {
      const made = ofTheseWords().get(nameOf(name, given)) ?? [];
      return made.length < limits.equalWritesPerTurn ? null : (made[0] ?? null);
    },
    begin(name, given, end) {
      const key = nameOf(name, given);
      keep(key, end);
      // A failed write may be tried again.
      void end.then((outcome) => {
        forget(key, end);
        if (outcome.state === 'done') keep(key, outcome);
      });
    },
    recall(log) {
      const last = log.findLastIndex(({ signal }) => signal.type === 'user:turn');
      for (const { signal } of log.slice(last + 1))
        if (signal.type === 'batch:settled')
          for (const { name, arguments: given, state, result } of signal.calls)
            if (state === 'done') keep(nameOf(name, given), { state, ...(result === undefined ? {} : { result }) });
    },
  };
}

import type { Signal, UserTurn } from '../events/signal.ts';
import { plainAnswer } from '../reading/english/yes-no.ts';
import { systemCivilTime } from '../system.ts';
import { readSignal, type Standing } from '../turn/words/read-signal.ts';

/** A signal of a log that an older release wrote, with what that release read while it folded. */
export function readOldSignal(standing: Standing, signal: Signal): Signal {
  return readSignal(standing, signal.type === 'user:turn' ? readOldTurn(signal) : signal, systemCivilTime);
}

function readOldTurn(turn: UserTurn): UserTurn {
  if (turn.reading !== undefined) return turn;
  const answer = plainAnswer(turn.text);
  return { ...turn, reading: { isPlain: true, ...(answer === undefined ? {} : { answer }) } };
}

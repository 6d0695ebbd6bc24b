import type { Signal, UserTurn } from '../model/signals/signal.ts';
import { actsOfOldReading, type OldReading } from '../kernel/dialogue/old-reading.ts';
import { questionOf } from '../kernel/generator/frame.ts';
import { plainAnswer } from '../language/english/answers/yes-no.ts';
import { systemCivilTime } from '../system.ts';
import { readSignal, type Standing } from '../engine/words/read-signal.ts';

/** Upgrades a signal of an older release's log, adding what that release read while folding. */
export function readOldSignal(standing: Standing, signal: Signal): Signal {
  const read = signal.type === 'user:turn' ? readOldTurn(standing, signal) : signal;
  return readSignal(standing.graph, standing.state, read, { civilTime: systemCivilTime });
}

function readOldTurn(standing: Standing, turn: UserTurn): UserTurn {
  if (turn.utterance !== undefined) return turn;
  const { reading, ...rest } = turn as UserTurn & { readonly reading?: OldReading }; // Written by an older release.
  const answer = reading === undefined ? plainAnswer(turn.text) : undefined;
  const old = reading ?? { isPlain: true, ...(answer === undefined ? {} : { answer }) };
  return { ...rest, utterance: actsOfOldReading(old, questionOf(standing.state)?.key ?? null) };
}

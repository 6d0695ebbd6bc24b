import type { Effect, EffectKey } from '../../model/effect.ts';
import { type SessionDialogue, noDialogue } from './dialogue.ts';
import { type SessionKnowledge, noKnowledge } from './knowledge.ts';
import { noPeople, type SessionPeople } from './people.ts';
import { noPosition, type SessionPosition } from './position.ts';
import { noTurn, type SessionTurn } from './turn.ts';

/** Version of the state's shape. Older states are upgraded by named functions (see upgrade.ts). */
export const stateVersion = 3;

/** The complete state of a session: plain JSON, the fold of its signals. */
export interface SessionState {
  readonly stateVersion: typeof stateVersion;
  readonly sessionId: string;
  /** `parked`: nothing is said or done until a person intervenes. */
  readonly status: 'new' | 'active' | 'parked' | 'ending' | 'ended';
  /** The place of the conversation in its flow, and the way back. */
  readonly position: SessionPosition;
  /** The turn in progress: its number, its limits, the caller's words. */
  readonly turn: SessionTurn;
  /** Slots, variables, outputs and input. */
  readonly knowledge: SessionKnowledge;
  /** The open question, its misses, the consents that are due, and what was said. */
  readonly dialogue: SessionDialogue;
  /** People and plans outside the call. */
  readonly people: SessionPeople;
  /** Unsettled effects. */
  readonly effects: Readonly<Record<EffectKey, Effect>>;
}

/**
 * Returns a session before its first signal. Throws nothing.
 *
 * @example
 * const { status } = newSession('call-17');
 */
export function newSession(sessionId: string): SessionState {
  return {
    stateVersion,
    sessionId,
    status: 'new',
    position: noPosition,
    turn: noTurn,
    knowledge: noKnowledge,
    dialogue: noDialogue,
    people: noPeople,
    effects: {},
  };
}

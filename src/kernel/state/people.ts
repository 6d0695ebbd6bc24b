import type { OutsideWait } from '../../model/outside-wait.ts';
import type { Answerer } from '../../model/callee.ts';
import type { ActorRef, EntryCorrelation } from '../../model/inbox.ts';

/** People and plans outside the call, and news that the caller has not heard. */
export interface SessionPeople {
  /** The schedule or campaign that began the session; null if a caller did. */
  readonly origin: Origin | null;
  /** The person who talks to the caller instead of the agent; null without a takeover. */
  readonly takeover: Takeover | null;
  /** The outcome of the last outside wait, until the caller speaks again or another wait opens. */
  readonly lastWait: EndedWait | null;
  /** The note for the model that the last takeover left. */
  readonly note: string | null;
  /** The first turn with speech that the caller has not heard; null if there is none. */
  readonly unattended: number | null;
  /** The reply that conveys such speech, from generation until it is heard. */
  readonly speaking: string | null;
  /** The person or machine that answered a call of the agent's side; null in any other conversation. */
  readonly callee: Callee | null;
}

/** The answered telephone of a call that the agent's side placed. The flow begins when a person is on the line. */
export interface Callee {
  /** Null while it is not known. */
  readonly who: Answerer | null;
  /** Turns of words since `who` was taken for a person; before that, since the call was answered. */
  readonly turns: number;
  /** How often the agent has said "Hello?" since the last words. */
  readonly greetings: number;
  /** How often the agent has answered a screener or pressed the keys of the flow. */
  readonly replies: number;
  /** Begin of the wait for a person, after a screener or in a queue, in epoch milliseconds; null without one. */
  readonly waitsSince: number | null;
  /** The message for a machine is being said, or was said. */
  readonly isLeaving: boolean;
  /** Name of the flow by which a later attempt begins. */
  readonly flow: string;
  /** Number of this attempt, from 1, and whether an earlier one has left a message. */
  readonly attempt: number;
  readonly hasMessage: boolean;
}

/** The origin that a session keeps from its first turn to its last. */
export type Origin = Pick<EntryCorrelation, 'scheduleId' | 'campaignId' | 'segmentId' | 'recipientUserExternalId'>;

/** A person who talks to the caller instead of the agent. */
export interface Takeover {
  readonly actor: ActorRef | null;
  /** The id of the wait that was open at the start, otherwise the takeover's. Absent in older states. */
  readonly escalationId?: string;
  /** Identity of the participant whose departure ends the takeover; absent if a command or HTTP ends it. */
  readonly participant?: string;
  /** The node that code has requested meanwhile, at which the conversation continues. */
  readonly to?: string;
}

/** The outcome of a wait. */
export interface EndedWait {
  readonly outcome: 'resolved' | 'timed_out';
  readonly wait: OutsideWait['wait'];
  readonly escalationId: string;
  readonly proxyId?: string;
  readonly scheduleId?: string;
}

/** No person and no plan besides the caller. */
export const noPeople: SessionPeople = {
  origin: null,
  takeover: null,
  lastWait: null,
  note: null,
  unattended: null,
  speaking: null,
  callee: null,
};

import type { EffectKey, OutsideWait } from './effect.ts';
import type { ActorRef, EntryCorrelation } from './inbox.ts';
import type { JsonObject } from './json.ts';
import type { PlanChanged } from './plan-signal.ts';
import type { SignalOf } from './signal-of.ts';

/** Somebody has answered a wait; `resolution` meets the wait's schema. */
export interface WaitResolved extends SignalOf<'wait:resolved'> {
  readonly key: EffectKey;
  readonly resolution: JsonObject;
  /** Null for an event or a default. */
  readonly actor: ActorRef | null;
}

/** The deadline of a wait has come. */
export interface WaitExpired extends SignalOf<'wait:expired'> {
  readonly key: EffectKey;
}

/** A host waits for something that the flow knows nothing of. */
export interface WaitRegistered extends SignalOf<'wait:registered'> {
  readonly key: EffectKey;
  readonly wait: OutsideWait['wait'];
  /** The ids of the wait; absent in logs of older releases. */
  readonly about?: Pick<EntryCorrelation, 'escalationId' | 'proxyId' | 'scheduleId'>;
}

/** The run that a pending call has begun has ended: the call can be answered. */
export interface RunEnded extends SignalOf<'run:ended'> {
  /** Of the call. */
  readonly key: EffectKey;
}

/** A person takes the conversation over; the agent is silent until it ends. */
export interface TakeoverStarted extends SignalOf<'takeover:started'> {
  readonly actor: ActorRef | null;
  /** The identity of a participant of the room whose leaving ends it; absent where a command or HTTP does. */
  readonly participant?: string;
}

/** Words that the agent's voice says for the person who has taken over. */
export interface TakeoverSaid extends SignalOf<'takeover:said'> {
  readonly text: string;
  readonly actor: ActorRef | null;
}

/** Words that this person said to the caller, as a recogniser heard them. */
export interface TakeoverHeard extends SignalOf<'takeover:heard'> {
  readonly text: string;
  readonly actor: ActorRef | null;
}

/** The agent goes on, at a node where one is named; `note` is shown to the model. */
export interface TakeoverEnded extends SignalOf<'takeover:ended'> {
  readonly node?: string;
  readonly note?: string;
  readonly actor: ActorRef | null;
}

/** Acts of people, and of runs that wait for people, on a conversation from outside of its call; and changes of a schedule or a campaign. */
export type PeopleSignal =
  | WaitResolved
  | WaitExpired
  | WaitRegistered
  | RunEnded
  | TakeoverStarted
  | TakeoverSaid
  | TakeoverHeard
  | TakeoverEnded
  | PlanChanged;

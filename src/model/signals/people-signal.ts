import type { EffectKey } from '../effect.ts';
import type { OutsideWait } from '../outside-wait.ts';
import type { ActorRef, EntryCorrelation } from '../inbox.ts';
import type { JsonObject } from '../json.ts';
import type { PlanChanged } from './plan-signal.ts';
import type { SignalOf } from './signal-of.ts';

/** A wait was answered; `resolution` meets the wait's schema. */
export interface WaitResolved extends SignalOf<'wait:resolved'> {
  readonly key: EffectKey;
  readonly resolution: JsonObject;
  /** Null for an event or a default. */
  readonly actor: ActorRef | null;
}

/** The deadline of a wait has passed. */
export interface WaitExpired extends SignalOf<'wait:expired'> {
  readonly key: EffectKey;
}

/** A host registered a wait that the flow does not know. */
export interface WaitRegistered extends SignalOf<'wait:registered'> {
  readonly key: EffectKey;
  readonly wait: OutsideWait['wait'];
  /** The ids of the wait; absent in logs of older releases. */
  readonly about?: Pick<EntryCorrelation, 'escalationId' | 'proxyId' | 'scheduleId'>;
}

/** A run that a pending call started has ended: the call can be answered. */
export interface RunEnded extends SignalOf<'run:ended'> {
  /** Key of the call. */
  readonly key: EffectKey;
}

/** A person takes the conversation over; the agent is silent until the takeover ends. */
export interface TakeoverStarted extends SignalOf<'takeover:started'> {
  readonly actor: ActorRef | null;
  /** Identity of the room participant whose departure ends the takeover; absent if a command or HTTP ends it. */
  readonly participant?: string;
}

/** Words that the agent's voice speaks for the person. */
export interface TakeoverSaid extends SignalOf<'takeover:said'> {
  readonly text: string;
  readonly actor: ActorRef | null;
}

/** Words that the person said to the caller, as recognized. */
export interface TakeoverHeard extends SignalOf<'takeover:heard'> {
  readonly text: string;
  readonly actor: ActorRef | null;
}

/** The agent continues, at `node` if given; `note` is shown to the model. */
export interface TakeoverEnded extends SignalOf<'takeover:ended'> {
  readonly node?: string;
  readonly note?: string;
  readonly actor: ActorRef | null;
}

/**
 * Acts on a conversation from outside its call, by people and by runs that wait for people; and changes of schedules
 * and campaigns.
 */
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

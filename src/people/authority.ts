import type { ActorRef } from '../model/inbox.ts';
import type { EffectKey } from '../model/effect.ts';
import type { Clock } from '../model/ports/time.ts';
import { timeLimit } from '../engine/time-limit.ts';

/**
 * A user, as returned by `resolveActor`. `id` and `name` are stored with their actions; other members are for `can`.
 */
export interface Actor extends ActorRef {
  readonly [more: string]: unknown;
}

/** A request whose sender must be identified. */
export interface ActorRequest {
  readonly method: string;
  readonly path: string;
  /** Header values by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** The token of `Authorization: Bearer …`; null if absent. */
  readonly bearer: string | null;
  /** The queue or person of the signed link in the request; null if it has no link. */
  readonly link: { readonly to: string } | null;
}

/** An action that `can` decides on. */
export type Action =
  | 'session:list'
  | 'session:read'
  | 'session:reveal'
  | 'session:forget'
  | 'wait:read'
  | 'wait:resolve'
  | 'wait:link'
  | 'inbox:list'
  | 'inbox:repost'
  | 'audit:read'
  | 'message:post'
  | 'proxy:say'
  | 'takeover:start'
  | 'takeover:say'
  | 'takeover:end'
  | 'metrics:read'
  | 'schedule:list'
  | 'schedule:change'
  | 'campaign:list'
  | 'campaign:change';

/** The object of an action, as far as it is known. */
export interface Resource {
  /** Absent for actions on all sessions. */
  readonly sessionId?: string;
  /** The key of a wait. */
  readonly key?: EffectKey;
  /** The queue or person that a wait asks; for `wait:link` the recipient of the link. */
  readonly to?: string;
  /** The decision on a wait, if it is a choice. */
  readonly decision?: string;
  /** The id of a schedule or campaign. */
  readonly name?: string;
}

/** Identifies the sender of a request; returns null for an unknown one. */
export type ResolveActor = (request: ActorRequest) => Actor | null | Promise<Actor | null>;

/** Checks whether an actor may perform an action. Only `true` allows it. */
export type Can = (actor: Actor, action: Action, resource: Resource) => boolean | Promise<boolean>;

/**
 * Identifies users and checks their rights by the configuration. Never throws: an error, a timeout or an invalid answer
 * denies.
 */
export interface Authority {
  actorOf(request: ActorRequest): Promise<Actor | null>;
  may(actor: Actor, action: Action, resource: Resource): Promise<boolean>;
}

/** Time limit of `resolveActor` and `can`, in milliseconds. */
const patienceMs = 2_000;
const longestName = 200;

/** Without `resolveActor` all senders are unknown. Without `can` every action is denied. */
export function createAuthority(options: {
  readonly resolveActor?: ResolveActor | undefined;
  readonly can?: Can | undefined;
  readonly clock: Clock;
}): Authority {
  const { resolveActor, can, clock } = options;
  const answerOf = async <Answer>(ask: () => Answer | Promise<Answer>): Promise<Answer | null> => {
    try {
      const answer = await timeLimit(Promise.resolve().then(ask), clock, patienceMs);
      return answer === 'late' ? null : answer;
    } catch {
      return null;
    }
  };
  return {
    async actorOf(request) {
      if (resolveActor === undefined) return null;
      const actor = await answerOf(() => resolveActor(request));
      return isActor(actor) ? actor : null;
    },
    async may(actor, action, resource) {
      if (can === undefined) return false;
      return (await answerOf<unknown>(() => can(actor, action, resource))) === true;
    },
  };
}

/** Returns the stored part of an actor. */
export function refOf({ id, name }: Actor): ActorRef {
  return { id, ...(name === undefined ? {} : { name }) };
}

function isActor(value: unknown): value is Actor {
  if (typeof value !== 'object' || value === null) return false;
  const { id, name } = value as Readonly<Record<string, unknown>>;
  return isName(id) && (name === undefined || isName(name));
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= longestName;
}

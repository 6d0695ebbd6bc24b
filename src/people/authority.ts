import type { ActorRef } from '../events/inbox.ts';
import type { EffectKey } from '../events/effect.ts';
import type { Clock } from '../ports/time.ts';
import { timeLimit } from '../turn/engine/time-limit.ts';

/** Somebody who acts, as `resolveActor` tells it. `id` and `name` are kept with what they do; the rest is for `can`. */
export interface Actor extends ActorRef {
  readonly [more: string]: unknown;
}

/** A request whose sender is to be told. */
export interface ActorRequest {
  readonly method: string;
  readonly path: string;
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The token of `Authorization: Bearer …`; null where there is none. */
  readonly bearer: string | null;
  /** The queue or person whom the signed link was made for that the request came by; null where it came by none. */
  readonly link: { readonly to: string } | null;
}

/** What an actor may be let do. */
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

/** What an action is done to, as far as it is known. */
export interface Resource {
  /** Absent for actions on all sessions. */
  readonly sessionId?: string;
  /** Of a wait. */
  readonly key?: EffectKey;
  /** The queue or person whom a wait asks; for `wait:link` the one whom the link is for. */
  readonly to?: string;
  /** What a wait is to be resolved with, where that is a choice. */
  readonly decision?: string;
  /** Of a schedule or campaign. */
  readonly name?: string;
}

/** Tells who has sent a request; null for nobody who is known. */
export type ResolveActor = (request: ActorRequest) => Actor | null | Promise<Actor | null>;

/** Whether an actor may do something. Anything but `true` is a no. */
export type Can = (actor: Actor, action: Action, resource: Resource) => boolean | Promise<boolean>;

/** Who acts and what they may do, as a configuration says it. Total: what throws, hangs or answers amiss is a no. */
export interface Authority {
  actorOf(request: ActorRequest): Promise<Actor | null>;
  may(actor: Actor, action: Action, resource: Resource): Promise<boolean>;
}

/** How long `resolveActor` and `can` may take, in milliseconds. */
const patienceMs = 2_000;
const longestName = 200;

/** Without `resolveActor` nobody is known, and without `can` nobody may do anything. */
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

/** What is kept of an actor. */
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

import type { Effect, EffectKey, Waiting } from '../events/effect.ts';
import { isJsonObject } from '../events/json.ts';
import { isWaiting } from '../kernel/draft.ts';
import type { EffectAddress, OpenEffect, Store } from '../ports/store.ts';
import type { Resource } from './authority.ts';

/** A wait that somebody outside of the call may end, or has ended, and the session that waits. */
export interface PostedWait {
  readonly sessionId: string;
  readonly effect: Waiting;
}

/** More open waits than one look is told of. */
const mostOpen = 1_000;

/** The waits of a store that are open for people and events, the first 1,000; of one session where it is named. */
export async function openWaits(store: Store, sessionId?: string): Promise<readonly PostedWait[]> {
  if (sessionId !== undefined) {
    const effects = await store.loadEffects(sessionId);
    return effects.filter(isWaiting).flatMap((effect) => (isOpen(effect) ? [{ sessionId, effect }] : []));
  }
  return waitsAmong(await store.openEffects({ kind: 'wait', limit: mostOpen }));
}

/** Which waits of a page are asked for. */
export interface WaitsQuery {
  readonly sessionId?: string | undefined;
  /** Those for the event of this name. */
  readonly event?: string | undefined;
  /** The `next` of the page before. */
  readonly after?: EffectAddress | null | undefined;
  readonly limit: number;
}

export interface WaitsPage {
  readonly waits: readonly PostedWait[];
  /** What the next page comes after; null where there is none. */
  readonly next: EffectAddress | null;
}

/** The waits of a store that are open for people and events, page by page; all of a session at once. */
export async function pageOfWaits(
  store: Store,
  { sessionId, event, after = null, limit }: WaitsQuery,
): Promise<WaitsPage> {
  if (sessionId !== undefined) {
    const open = await openWaits(store, sessionId);
    return {
      waits: event === undefined ? open : open.filter((wait) => wait.effect.payload.event === event),
      next: null,
    };
  }
  const found = await store.openEffects({ kind: 'wait', after, limit, ...(event === undefined ? {} : { event }) });
  const last = found.length < limit ? undefined : found.at(-1);
  return {
    waits: waitsAmong(found),
    next: last === undefined ? null : { sessionId: last.sessionId, key: last.effect.key },
  };
}

const pageSize = 500;

/** The same for an actor who may see some of the waits: `next` names only a wait that the page shows. */
export async function pageFor(
  store: Store,
  query: WaitsQuery,
  may: (wait: PostedWait) => Promise<boolean>,
): Promise<WaitsPage> {
  const shown: PostedWait[] = [];
  for (let after = query.after ?? null; ;) {
    const { waits, next } = await pageOfWaits(store, { ...query, limit: pageSize, after });
    const allowed = await Promise.all(waits.map(may));
    shown.push(...waits.filter((_wait, index) => allowed[index]));
    // One more than fits shows that there is a next page.
    if (shown.length > query.limit && query.sessionId === undefined) break;
    if (next === null) return { waits: shown, next: null };
    after = next;
  }
  const waits = shown.slice(0, query.limit);
  const last = waits.at(-1);
  return { waits, next: last === undefined ? null : { sessionId: last.sessionId, key: last.effect.key } };
}

function waitsAmong(open: readonly OpenEffect[]): readonly PostedWait[] {
  return open.flatMap(({ sessionId, effect }) => (isWaiting(effect) ? [{ sessionId, effect }] : []));
}

/** A wait by its key, open or over; null where the store keeps none of it. */
export async function findWait(store: Store, key: EffectKey): Promise<PostedWait | null> {
  for (const sessionId of sessionsOf(key)) {
    const effects = await store.loadEffects(sessionId);
    const effect = effects.filter(isWaiting).find((one) => one.key === key);
    if (effect !== undefined) return { sessionId, effect };
  }
  return null;
}

/**
 * The sessions that a key may be of: that of a conversation ends in turn and place, that of a run in the task's way through
 * bodies and called flows.
 */
function sessionsOf(key: EffectKey): readonly string[] {
  const [, conversation] = /^(.+?)(?:\/~\d+)?\/\d+\/\d+$/s.exec(key) ?? [];
  const parts = key.split('/').slice(0, mostParts);
  const runs = parts.slice(1).map((_part, index) => parts.slice(0, index + 1).join('/'));
  const named = [...(conversation === undefined ? [] : [conversation]), ...runs, idOf(parts[0] ?? '')];
  return [...new Set(named)].filter((id) => id !== '');
}

/** The id of the run whose key is this part; the part where it is none. */
function idOf(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** In more parts no key is looked for: anybody may write one. */
const mostParts = 40;

/** Whether a wait of this key may be stored later: its session is there, and has not come as far as its turn. */
export async function mayStillCome(store: Store, key: EffectKey): Promise<boolean> {
  for (const sessionId of sessionsOf(key)) {
    const kept = await store.loadSnapshot(sessionId);
    if (kept === null) continue;
    // A run that has ended opens nothing any more.
    if (isJsonObject(kept.state) && kept.state['end'] !== undefined) return false;
    const effects = await store.loadEffects(sessionId);
    return effects.every((effect) => turnOf(effect.key) <= turnOf(key) && effect.key !== key);
  }
  return false;
}

function turnOf(key: EffectKey): number {
  return Number(/\/(\d+)\/[\d.]+$/.exec(key)?.[1] ?? 0);
}

export function isOpen({ state }: Pick<Effect, 'state'>): boolean {
  return state === 'intended' || state === 'started';
}

/**
 * When a wait is over by itself, in epoch milliseconds: from then on its deadline is taken before whatever is posted. One
 * that only reminds leaves it open, and one by the wall clock may be looked at early.
 */
export function endOf({ effect: { deadline, payload } }: PostedWait): number {
  const endsIt = payload.policy?.act !== 'remind' && payload.until === undefined;
  return endsIt ? (deadline ?? Infinity) : Infinity;
}

/** Whether a wait may be resolved by words. */
export function takesWords({ effect: { payload } }: PostedWait): boolean {
  const { properties } = payload.schema;
  return isJsonObject(properties ?? null) && Object.hasOwn(properties as object, 'text');
}

/** What `can` is told of a wait. */
export function resourceOf({ sessionId, effect: { key, payload } }: PostedWait): Resource {
  return { sessionId, key, ...(payload.to === null ? {} : { to: payload.to }) };
}

/** The wait that has taken the place of another one: a corrected fact cancels a wait and opens it anew in the same node. */
export async function successorOf(store: Store, { sessionId, effect }: PostedWait): Promise<PostedWait | null> {
  if (effect.state !== 'cancelled') return null;
  const open = await openWaits(store, sessionId);
  return open.find((wait) => wait.effect.node === effect.node && wait.effect.payload.to === effect.payload.to) ?? null;
}

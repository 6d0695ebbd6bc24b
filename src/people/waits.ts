import type { Effect, EffectKey, Waiting } from '../model/effect.ts';
import { isJsonObject } from '../model/json.ts';
import { isWaiting } from '../kernel/state/draft.ts';
import type { EffectOf, OpenEffect, Store } from '../model/ports/store.ts';
import type { Resource } from './authority.ts';

/** A wait for a person or an event outside the call, with its session. */
export interface PostedWait {
  readonly sessionId: string;
  readonly effect: Waiting;
}

/** Maximum number of open waits that are read. */
const mostOpen = 1_000;

/** Returns the open waits for people and events: all of one session, or the first 1,000 of the store. */
export async function openWaits(store: Store, sessionId?: string): Promise<readonly PostedWait[]> {
  if (sessionId !== undefined) {
    const effects = await store.effects.list(sessionId);
    return effects.filter(isWaiting).flatMap((effect) => (isOpen(effect) ? [{ sessionId, effect }] : []));
  }
  return waitsAmong(await store.effects.listOpen({ kind: 'wait', limit: mostOpen }));
}

/** A query for a page of waits. */
export interface WaitsQuery {
  readonly sessionId?: string | undefined;
  /** Only waits for the event of this name. */
  readonly event?: string | undefined;
  /** The `next` of the page before. */
  readonly after?: EffectOf | null | undefined;
  readonly limit: number;
}

export interface WaitsPage {
  readonly waits: readonly PostedWait[];
  /** The position of the next page; null if there is none. */
  readonly next: EffectOf | null;
}

/** Returns a page of open waits for people and events. With a session, returns all of its waits. */
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
  const found = await store.effects.listOpen({ kind: 'wait', after, limit, ...(event === undefined ? {} : { event }) });
  const last = found.length < limit ? undefined : found.at(-1);
  return {
    waits: waitsAmong(found),
    next: last === undefined ? null : { sessionId: last.sessionId, key: last.effect.key },
  };
}

const pageSize = 500;

/** Returns a page of the waits that an actor may see. `next` refers only to a wait on the page. */
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
    // One more than the limit shows that there is a next page.
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

/** Finds a wait by its key, open or over; null if the store does not have it. */
export async function findWait(store: Store, key: EffectKey): Promise<PostedWait | null> {
  for (const sessionId of sessionsOf(key)) {
    const effects = await store.effects.list(sessionId);
    const effect = effects.filter(isWaiting).find((one) => one.key === key);
    if (effect !== undefined) return { sessionId, effect };
  }
  return null;
}

/**
 * Returns the sessions to which a key may belong. The key of a conversation ends with turn and position, the key of a
 * run with the path of the task through bodies and called flows.
 */
function sessionsOf(key: EffectKey): readonly string[] {
  const [, conversation] = /^(.+?)(?:\/~\d+)?\/\d+\/\d+$/s.exec(key) ?? [];
  const parts = key.split('/').slice(0, mostParts);
  const runs = parts.slice(1).map((_part, index) => parts.slice(0, index + 1).join('/'));
  const named = [...(conversation === undefined ? [] : [conversation]), ...runs, idOf(parts[0] ?? '')];
  return [...new Set(named)].filter((id) => id !== '');
}

/** Decodes a run id from a key; returns the part itself if it is not encoded. */
function idOf(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Limit of parts in a key, because keys come from outside. */
const mostParts = 40;

/**
 * Checks whether a wait with this key may be stored later: its session exists and has not reached the turn of the key.
 */
export async function mayStillCome(store: Store, key: EffectKey): Promise<boolean> {
  for (const sessionId of sessionsOf(key)) {
    const kept = await store.sessions.get(sessionId);
    if (kept === null) continue;
    // A run that has ended opens no more waits.
    if (isJsonObject(kept.state) && kept.state['end'] !== undefined) return false;
    const effects = await store.effects.list(sessionId);
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
 * Returns when a wait ends by itself, in epoch milliseconds. From then on its deadline takes precedence over posted
 * decisions. A deadline that only reminds does not end the wait, and a wall clock deadline may be checked early.
 */
export function endOf({ effect: { deadline, payload } }: PostedWait): number {
  const endsIt = payload.policy?.act !== 'remind' && payload.until === undefined;
  return endsIt ? (deadline ?? Infinity) : Infinity;
}

/** Checks whether a wait accepts words. */
export function takesWords({ effect: { payload } }: PostedWait): boolean {
  const { properties } = payload.schema;
  return isJsonObject(properties ?? null) && Object.hasOwn(properties as object, 'text');
}

/** Returns the resource of a wait for `can`. */
export function resourceOf({ sessionId, effect: { key, payload } }: PostedWait): Resource {
  return { sessionId, key, ...(payload.to === null ? {} : { to: payload.to }) };
}

/**
 * Returns the wait that replaced a cancelled one: a corrected fact cancels a wait and opens a new one in the same node.
 */
export async function successorOf(store: Store, { sessionId, effect }: PostedWait): Promise<PostedWait | null> {
  if (effect.state !== 'cancelled') return null;
  const open = await openWaits(store, sessionId);
  return open.find((wait) => wait.effect.node === effect.node && wait.effect.payload.to === effect.payload.to) ?? null;
}

import { batch, computed, signal } from '@preact/signals';
import type { About, StudioEvent, Trouble } from '../../protocol.ts';
import type { FlowNews } from '../../protocol/flow-news.ts';
import type { SessionShown } from '../../protocol/session-shown.ts';
import { api, ApiError } from '../client/api.ts';
import { type Connection, followEvents } from '../client/stream.ts';
import { openedSession, revealKey, takeSessionEvent } from './session.ts';

/** The description of this studio; null until the server has answered. */
export const about = signal<About | null>(null);

/** The flow on disk. */
export const flowNews = signal<FlowNews | null>(null);

/** All known sessions by id. */
export const sessions = signal<ReadonlyMap<string, SessionShown>>(new Map());

/** The state of the connection. */
export const connection = signal<Connection>('connecting');

/** Problems other than those of the flow, the latest last, until dismissed. */
export const troubles = signal<readonly Trouble[]>([]);

/** The error of the last action, for the user; null if it succeeded. */
export const failure = signal<string | null>(null);

/** Why the page cannot show anything. */
export const fatal = signal<string | null>(null);

/** Sessions, the latest first. */
export const sessionList = computed(() => [...sessions.value.values()].toSorted((a, b) => b.updatedAt - a.updatedAt));

/** Difference between the clocks of server and page, in milliseconds. */
let clockAhead = 0;

/** Returns the time of the server's clock in epoch milliseconds. */
export function serverNow(): number {
  return Date.now() + clockAhead;
}

let stopFollowing: (() => void) | null = null;

/** Loads the state of the studio and follows its events. */
export async function startStudio(): Promise<void> {
  try {
    const asked = Date.now();
    const told = await api.about();
    clockAhead = told.now - (asked + Date.now()) / 2;
    batch(() => {
      about.value = told;
      flowNews.value = told.flow;
      fatal.value = null;
    });
    follow(told.at, null);
    const known = await api.sessions();
    sessions.value = new Map([...known.map((one) => [one.sessionId, one] as const), ...sessions.value]);
    const wanted = new URLSearchParams(location.hash.slice(1)).get('session');
    const first = wanted ?? sessionList.value.find(({ live }) => live !== 'over')?.sessionId;
    // The user has selected a session in the meantime.
    if (choices > 0 || first === undefined) return;
    if (wanted === null || sessions.value.has(wanted)) await openSession(first);
  } catch (error) {
    fatal.value = error instanceof ApiError ? error.message : String(error);
  }
}

/** Counts selections; the answer of an older selection is ignored. */
let choices = 0;

/** Announces that another session will be shown. */
export function chooseAnew(): void {
  choices += 1;
}

/** Shows a session and follows it. */
export async function openSession(sessionId: string): Promise<void> {
  chooseAnew();
  const choice = choices;
  await attempt(async () => {
    const detail = await api.session(sessionId, revealKey.value);
    if (choice !== choices) return;
    openedSession.value = detail;
    sessions.value = new Map(sessions.value).set(sessionId, detail.session);
    history.replaceState(null, '', `#session=${encodeURIComponent(sessionId)}`);
    follow(detail.at, sessionId);
  });
}

/** Runs an action and shows its error if it fails. */
export async function attempt<Result>(work: () => Promise<Result>): Promise<Result | null> {
  try {
    failure.value = null;
    return await work();
  } catch (error) {
    failure.value = error instanceof ApiError ? error.message : `The action failed: ${String(error)}`;
    return null;
  }
}

/** Dismisses the shown errors. */
export function dismissTroubles(): void {
  batch(() => {
    troubles.value = [];
    failure.value = null;
  });
}

function follow(after: number, sessionId: string | null): void {
  stopFollowing?.();
  stopFollowing = followEvents({
    ...{ after, sessionId, reveal: revealKey.value, onEvent: take },
    onConnection: (now) => {
      connection.value = now;
    },
  });
}

function take(event: StudioEvent): void {
  switch (event.type) {
    case 'reset':
      void reload();
      return;
    case 'flow':
      flowNews.value = event.data;
      return;
    case 'session':
      sessions.value = new Map(sessions.value).set(event.data.sessionId, event.data);
      takeSessionEvent(event);
      return;
    case 'trouble':
      troubles.value = [...troubles.value.slice(-4), event.data];
      return;
    case 'step':
    case 'told':
    case 'line':
    case 'turn':
    case 'swap':
      takeSessionEvent(event);
  }
}

/** Missed events are no longer on the server, so everything is loaded again. */
async function reload(): Promise<void> {
  const shown = openedSession.value?.session.sessionId;
  await attempt(async () => {
    const told = await api.about();
    const known = await api.sessions();
    batch(() => {
      about.value = told;
      flowNews.value = told.flow;
      sessions.value = new Map(known.map((one) => [one.sessionId, one]));
    });
    if (shown !== undefined && sessions.value.has(shown)) await openSession(shown);
    else {
      openedSession.value = null;
      follow(told.at, null);
    }
  });
}

import { computed, signal } from '@preact/signals';
import type { SessionDoor } from '../../protocol/acts.ts';
import { api, ApiError } from '../client/api.ts';
import { openedSession, shownSeq } from '../model/session.ts';
import { about, attempt, chooseAnew, failure, openSession } from '../model/studio.ts';
import { chosenFlow } from '../model/view.ts';
import { enterCall, isInRooms, leaveCall, openEars, voice } from './voice-call.ts';

/** The running action, for the user; null if there is none. */
export const busy = signal<string | null>(null);

/** Number of typed inputs that are being answered; a caller may speak over an answer. */
export const answering = signal(0);

/** The actions that are possible for the shown session. */
export const standing = computed<'none' | 'talking' | 'away' | 'elsewhere' | 'over' | 'watching'>(() => {
  const session = openedSession.value?.session;
  if (about.value?.may.talk !== true) return 'watching';
  if (session === undefined) return 'none';
  if (session.live === 'typed' || session.live === 'voice') return 'talking';
  return session.live;
});

/** Starts a conversation, typed or by voice. Without voice it shows why and starts a typed one. */
export async function begin(by: 'typed' | 'voice'): Promise<string | null> {
  return await during(by === 'voice' ? 'Calling…' : 'Starting…', async () => {
    chooseAnew();
    await leaveCall();
    shownSeq.value = null;
    const flow = chosenFlow.value;
    const place = flow !== null && about.value?.flows.includes(flow) === true ? { flow } : {};
    const door = await through(by, (way) => api.begin({ by: way, ...place }));
    return door.sessionId;
  });
}

/** Sends typed words; starts a conversation if there is none. */
export async function sendWords(text: string): Promise<boolean> {
  const id = standing.value === 'none' ? await begin('typed') : openedSession.value?.session.sessionId;
  if (id == null) return false;
  shownSeq.value = null;
  answering.value += 1;
  const taken = await attempt(() => api.words(id, { text, eventId: crypto.randomUUID() }));
  answering.value -= 1;
  if (taken?.outcome === 'over')
    failure.value = 'The conversation is over. Start a new one, or continue from a step of this one.';
  return taken?.outcome === 'taken';
}

/** Sends telephone keys. */
export async function sendKeys(digits: string): Promise<void> {
  const id = openedSession.value?.session.sessionId;
  if (id === undefined) return;
  if ((await voice.value?.pressKeys?.(digits)) === true) return;
  await attempt(() => api.keys(id, { digits, eventId: crypto.randomUUID() }));
}

/** Ends the call. The session is stored and can be called back. */
export async function hangUp(): Promise<void> {
  const id = openedSession.value?.session.sessionId;
  if (id === undefined) return;
  await during('Hanging up…', async () => {
    await leaveCall();
    await api.hangUp(id);
  });
}

/** Continues a session after a hang-up. */
export async function callBack(by: 'typed' | 'voice'): Promise<void> {
  const id = openedSession.value?.session.sessionId;
  if (id === undefined) return;
  await during('Calling back…', () => through(by, (way) => api.callBack(id, { by: way })));
}

/** Continues the conversation by voice. */
export async function speak(): Promise<void> {
  const session = openedSession.value?.session;
  if (session === undefined) return void (await begin('voice'));
  const here = { sessionId: session.sessionId, voice: null };
  await during('Opening the microphone…', () =>
    through('voice', (way) => (way === 'voice' ? api.voice(session.sessionId) : Promise.resolve(here))),
  );
}

/** Stops the agent's speech, as if the caller had spoken over it. */
export async function interrupt(): Promise<void> {
  const id = openedSession.value?.session.sessionId;
  if (id !== undefined) await attempt(() => api.interrupt(id));
}

/**
 * Opens a session and connects the microphone if it is by voice. Without rooms the session is typed and the browser
 * recognizes speech.
 */
async function through(
  by: 'typed' | 'voice',
  open: (way: 'typed' | 'voice') => Promise<SessionDoor>,
): Promise<SessionDoor> {
  const ears = by === 'voice' ? await openEars((text) => void sendWords(text)) : null;
  // Opening the session clears earlier errors.
  const deaf = by === 'voice' && ears === null ? failure.value : null;
  try {
    const { door, why } = await opened(ears !== null && isInRooms() ? 'voice' : 'typed', open);
    await openSession(door.sessionId);
    failure.value = deaf ?? why;
    if (ears === null || why !== null) await leaveCall();
    else await enterCall(door, ears);
    if (why !== null) ears?.close();
    return door;
  } catch (error) {
    ears?.close();
    throw error;
  }
}

/** Opens a session; falls back to typing with a reason if a voice call is not possible. */
async function opened(
  way: 'typed' | 'voice',
  open: (way: 'typed' | 'voice') => Promise<SessionDoor>,
): Promise<{ readonly door: SessionDoor; readonly why: string | null }> {
  try {
    return { door: await open(way), why: null };
  } catch (error) {
    const isDeaf = error instanceof ApiError && roomFaults.has(error.code);
    if (way === 'typed' || !isDeaf) throw error;
    return { door: await open('typed'), why: `${error.message} You can continue by typing.` };
  }
}

/** Error codes that prevent a voice call but not a typed one. */
const roomFaults: ReadonlySet<string> = new Set([
  'server-missing',
  'room-unreachable',
  'key-missing',
  'plugin-missing',
]);

async function during<Result>(what: string, work: () => Promise<Result>): Promise<Result | null> {
  if (busy.value !== null) return null;
  busy.value = what;
  try {
    return await attempt(work);
  } finally {
    busy.value = null;
  }
}

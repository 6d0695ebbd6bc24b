import { computed, signal } from '@preact/signals';
import type { SessionDoor } from '../../protocol.ts';
import { api } from '../client/api.ts';
import { openedSession, shownSeq } from '../model/session.ts';
import { about, attempt, chooseAnew, failure, openSession, serverNow } from '../model/studio.ts';
import type { Voice } from '../voice/voice.ts';

/** The call of this page by voice; null while it types. */
export const voice = signal<Voice | null>(null);

/** What is under way, for people; null where nothing is. */
export const busy = signal<string | null>(null);

/** The words that are being heard, before they are a turn. */
export const hearing = signal('');

/** How many of the words that were typed are being answered: a caller may speak over an answer. */
export const answering = signal(0);

/** What this page can do with the shown session. */
export const standing = computed<'none' | 'talking' | 'away' | 'elsewhere' | 'over' | 'watching'>(() => {
  const session = openedSession.value?.session;
  if (about.value?.may.talk !== true) return 'watching';
  if (session === undefined) return 'none';
  if (session.live === 'typed' || session.live === 'voice') return 'talking';
  return session.live;
});

/** Begins a conversation, typed or by voice. */
export async function begin(by: 'typed' | 'voice', flow?: string): Promise<string | null> {
  return await during(by === 'voice' ? 'Calling…' : 'Beginning…', async () => {
    chooseAnew();
    await leave();
    const door = await api.begin({ by: roomOr(by), ...(flow === undefined ? {} : { flow }) });
    shownSeq.value = null;
    await openSession(door.sessionId);
    await enterDoor(door, by);
    return door.sessionId;
  });
}

/** Sends typed words; begins a conversation with them where there is none. */
export async function sendWords(text: string): Promise<boolean> {
  const id = standing.value === 'none' ? await begin('typed') : openedSession.value?.session.sessionId;
  if (id == null) return false;
  shownSeq.value = null;
  answering.value += 1;
  const taken = await attempt(() => api.words(id, { text, eventId: crypto.randomUUID() }));
  answering.value -= 1;
  if (taken?.outcome === 'over')
    failure.value = 'The conversation is over. Begin a new one, or go on from a step of this.';
  return taken?.outcome === 'taken';
}

/** Presses keys of the telephone. */
export async function sendKeys(digits: string): Promise<void> {
  const id = openedSession.value?.session.sessionId;
  if (id === undefined) return;
  if ((await voice.value?.pressKeys?.(digits)) === true) return;
  await attempt(() => api.keys(id, { digits, eventId: crypto.randomUUID() }));
}

/** Ends the call. The session stays, and can be called back. */
export async function hangUp(): Promise<void> {
  const id = openedSession.value?.session.sessionId;
  if (id === undefined) return;
  await during('Hanging up…', async () => {
    await leave();
    await api.hangUp(id);
  });
}

/** Takes the session up again. */
export async function callBack(by: 'typed' | 'voice'): Promise<void> {
  const id = openedSession.value?.session.sessionId;
  if (id === undefined) return;
  await during('Calling back…', async () => {
    const door = await api.callBack(id, { by: roomOr(by) });
    await openSession(door.sessionId);
    await enterDoor(door, by);
  });
}

/** Goes on by voice where the conversation stands. */
export async function speak(): Promise<void> {
  const session = openedSession.value?.session;
  if (session === undefined) return void (await begin('voice'));
  await during('Opening the microphone…', async () => {
    const isRoom = about.value?.voice.by === 'livekit';
    const door = isRoom ? await api.voice(session.sessionId) : { sessionId: session.sessionId, voice: null };
    if (door.sessionId !== session.sessionId) await openSession(door.sessionId);
    await enterDoor(door, 'voice');
  });
}

/** The agent stops speaking, as if the caller had spoken over it. */
export async function interrupt(): Promise<void> {
  const id = openedSession.value?.session.sessionId;
  if (id !== undefined) await attempt(() => api.interrupt(id));
}

/** Goes through the door of a session: into its room, or to the microphone of the browser. */
export async function enterDoor(door: SessionDoor, by: 'typed' | 'voice' = 'typed'): Promise<void> {
  const options = {
    onHearing: (text: string) => {
      hearing.value = text;
    },
    onEnd: () => {
      voice.value = null;
      hearing.value = '';
    },
    onFault: (fault: string) => {
      failure.value = fault;
    },
    onTiming: (name: 'speech.end' | 'speech.first_audio', agoMs: number) => {
      void api.timing(door.sessionId, { name, at: serverNow() - agoMs }).catch(() => undefined);
    },
  };
  await leave();
  if (door.voice !== null) {
    const { joinRoom } = await import('../voice/room-voice.ts');
    voice.value = await joinRoom(door.voice, options);
  } else if (by === 'voice') {
    const { useBrowserVoice } = await import('../voice/browser-voice.ts');
    voice.value = useBrowserVoice(options, (text) => void sendWords(text));
  }
}

async function leave(): Promise<void> {
  const left = voice.value;
  voice.value = null;
  hearing.value = '';
  await left?.leave();
}

/** Where there are no rooms, the session is typed, and the browser does the hearing. */
function roomOr(by: 'typed' | 'voice'): 'typed' | 'voice' {
  return about.value?.voice.by === 'livekit' ? by : 'typed';
}

async function during<Result>(what: string, work: () => Promise<Result>): Promise<Result | null> {
  if (busy.value !== null) return null;
  busy.value = what;
  try {
    return await attempt(work);
  } finally {
    busy.value = null;
  }
}

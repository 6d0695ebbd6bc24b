import { effect, signal } from '@preact/signals';
import type { SessionDoor } from '../../protocol/acts.ts';
import { api } from '../client/api.ts';
import { openedSession } from '../model/session.ts';
import { about, failure, openSession, serverNow } from '../model/studio.ts';
import { type Ears, type Voice, VoiceFault, type VoiceOptions } from '../voice/voice.ts';

/** The call of this page by voice; null while it types. */
export const voice = signal<Voice | null>(null);

/** The words that are being heard, before they are a turn. */
export const hearing = signal('');

/** What the agent is saying, as far as it is heard. */
export const saying = signal('');

/** What keeps the call from being heard right now, for people; null where nothing does. */
export const voiceTrouble = signal<string | null>(null);

/** The session that the call belongs to. */
let spokenId: string | null = null;

/** Takes the microphone before anybody is called; where it cannot be had tells why, and gives null. */
export async function openEars(say: (text: string) => void): Promise<Ears | null> {
  try {
    if (isInRooms()) return await (await import('../voice/room-voice.ts')).openRoomEars();
    return await (await import('../voice/browser-voice.ts')).openBrowserEars(say);
  } catch (error) {
    failure.value = `${textOf(error)} ${typeOn()}`;
    return null;
  }
}

/** Speaks in a session from now on. Where its room cannot be entered tells why, and the session is typed. */
export async function enterCall(door: SessionDoor, ears: Ears): Promise<void> {
  await leaveCall();
  try {
    const begun = await ears.enter(door.voice, optionsOf(door.sessionId));
    spokenId = door.sessionId;
    voice.value = begun;
  } catch (error) {
    ears.close();
    await typeInstead(door.sessionId);
    failure.value = `${textOf(error)} ${typeOn()}`;
  }
}

/** Ends the call by voice, where there is one. */
export async function leaveCall(): Promise<void> {
  const left = forget();
  await left?.leave();
}

/** Whether calls by voice are in rooms of a server; else they are by the browser's own speech. */
export function isInRooms(): boolean {
  return about.value?.voice.by === 'livekit';
}

function forget(): Voice | null {
  const left = voice.value;
  spokenId = null;
  voice.value = null;
  hearing.value = '';
  saying.value = '';
  voiceTrouble.value = null;
  return left;
}

function optionsOf(sessionId: string): VoiceOptions {
  return {
    onHearing: (text) => {
      hearing.value = text;
    },
    onSaying: (text) => {
      saying.value = text;
    },
    onTrouble: (what) => {
      voiceTrouble.value = what;
    },
    onLost: (why) => {
      forget();
      void typeInstead(sessionId).then(() => {
        failure.value = `The call by voice has broken off: ${why} ${typeOn()}`;
      });
    },
    onTiming: (name, agoMs) => {
      void api.timing(sessionId, { name, at: serverNow() - agoMs }).catch(() => undefined);
    },
  };
}

/** A session that was spoken goes on typed, where it stands. */
async function typeInstead(sessionId: string): Promise<void> {
  if (!isInRooms()) return;
  try {
    await api.callBack(sessionId, { by: 'typed' });
    if (openedSession.value?.session.sessionId === sessionId) await openSession(sessionId);
  } catch {
    // It is over, or the studio itself is gone: the page shows that.
  }
}

function typeOn(): string {
  return 'You can go on by typing.';
}

function textOf(error: unknown): string {
  return error instanceof VoiceFault ? error.message : `Voice does not work here: ${String(error)}.`;
}

// Whoever is heard is in the conversation that the page shows, and in no other, and only while it goes on.
effect(() => {
  const session = openedSession.value?.session;
  const call = voice.value;
  if (call === null || spokenId === null) return;
  const isShown = session?.sessionId === spokenId;
  if (isShown && (session.live === 'voice' || (session.live === 'typed' && call.by === 'browser'))) return;
  const isHeardOut = isShown && session.live === 'over';
  forget();
  void (isHeardOut ? call.hearOut() : call.leave());
});

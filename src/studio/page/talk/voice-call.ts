import { effect, signal } from '@preact/signals';
import type { SessionDoor } from '../../protocol/acts.ts';
import { api } from '../client/api.ts';
import { openedSession } from '../model/session.ts';
import { about, failure, openSession, serverNow } from '../model/studio.ts';
import { type Ears, type Voice, VoiceFault, type VoiceOptions } from '../voice/voice.ts';

/** The voice call of this page; null while typing. */
export const voice = signal<Voice | null>(null);

/** Recognized words that are not a turn yet. */
export const hearing = signal('');

/** The heard part of the agent's current speech. */
export const saying = signal('');

/** Why the call is currently not heard, for the user; null if it is. */
export const voiceTrouble = signal<string | null>(null);

/** The session of the call. */
let spokenId: string | null = null;

/** Opens the microphone before the call. Shows the error and returns null if that fails. */
export async function openEars(say: (text: string) => void): Promise<Ears | null> {
  try {
    if (isInRooms()) return await (await import('../voice/room-voice.ts')).openRoomEars();
    return await (await import('../voice/browser-voice.ts')).openBrowserEars(say);
  } catch (error) {
    failure.value = `${textOf(error)} ${typeOn()}`;
    return null;
  }
}

/** Continues a session by voice. If its room cannot be joined, shows why and continues by typing. */
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

/** Ends the voice call, if there is one. */
export async function leaveCall(): Promise<void> {
  const left = forget();
  await left?.leave();
}

/** Whether voice calls use rooms of a server; otherwise they use the speech of the browser. */
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
        failure.value = `The voice call was interrupted: ${why} ${typeOn()}`;
      });
    },
    onTiming: (name, agoMs) => {
      void api.timing(sessionId, { name, at: serverNow() - agoMs }).catch(() => undefined);
    },
  };
}

/** Continues a voice session by typing. */
async function typeInstead(sessionId: string): Promise<void> {
  if (!isInRooms()) return;
  try {
    await api.callBack(sessionId, { by: 'typed' });
    if (openedSession.value?.session.sessionId === sessionId) await openSession(sessionId);
  } catch {
    // The session or the studio has ended; the page shows that.
  }
}

function typeOn(): string {
  return 'You can continue by typing.';
}

function textOf(error: unknown): string {
  return error instanceof VoiceFault ? error.message : `Voice does not work here: ${String(error)}.`;
}

// A voice call belongs to the shown conversation and ends with it.
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

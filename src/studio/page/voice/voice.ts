import type { ReadonlySignal, Signal } from '@preact/signals';

/** A voice call of the page. */
export interface Voice {
  /** The transport: a LiveKit room, or the speech of the browser. */
  readonly by: 'room' | 'browser';
  readonly isMuted: Signal<boolean>;
  /** The volume of the caller from 0 to 1, for display. */
  readonly level: ReadonlySignal<number>;
  /** The state of the agent: `listening`, `thinking`, `speaking`. */
  readonly agentState: ReadonlySignal<string>;
  mute(isMuted: boolean): Promise<void>;
  /** Sends telephone keys; returns false if the call has none. */
  pressKeys?(digits: string): Promise<boolean>;
  /** Ends the call at once. */
  leave(): Promise<void>;
  /** Releases the microphone at once and ends the call after the agent's last words. */
  hearOut(): Promise<void>;
}

/** Callbacks of a call. */
export interface VoiceOptions {
  /** Recognized words that are not final. */
  readonly onHearing: (text: string) => void;
  /** The heard part of the agent's speech; empty at its end. */
  readonly onSaying: (text: string) => void;
  /** The call ended, other than by `leave` or `hearOut`; the reason for the user. */
  readonly onLost: (why: string) => void;
  /** Why the call is currently not heard, for the user; null if it is. */
  readonly onTrouble: (what: string | null) => void;
  /** A moment that only the page can measure, in milliseconds before now. */
  readonly onTiming: (name: 'speech.end' | 'speech.first_audio', agoMs: number) => void;
}

/** An open microphone before the call. */
export interface Ears {
  /** Starts the call, in a room if there is one. Throws a `VoiceFault`. */
  enter(door: { readonly url: string; readonly token: string } | null, options: VoiceOptions): Promise<Voice>;
  /** Releases the microphone without a call. */
  close(): void;
}

/** Why there is no voice, for the user. */
export class VoiceFault extends Error {}

/** Why a page of another machine without https has no microphone. */
export const insecure = 'Browsers allow the microphone only over https or for 127.0.0.1. Open the page as 127.0.0.1.';

/** Why a call has no audio on a machine without an output. */
export const noSound = 'The browser cannot play sound: this machine has no audio output.';

/** Describes why there is no microphone, by the name of the browser's error. */
export function whyNoMicrophone(name: string): string {
  return name === 'NotAllowedError'
    ? 'The browser does not let this page use the microphone.'
    : 'No microphone was found.';
}

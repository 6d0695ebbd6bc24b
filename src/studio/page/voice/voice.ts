import type { ReadonlySignal, Signal } from '@preact/signals';

/** A call by voice, as the page holds it. */
export interface Voice {
  /** Where it is heard: in a room of LiveKit, or by the browser's own speech. */
  readonly by: 'room' | 'browser';
  readonly isMuted: Signal<boolean>;
  /** How loud the caller is, from 0 to 1; for the eye. */
  readonly level: ReadonlySignal<number>;
  /** What the agent does, as it tells: `listening`, `thinking`, `speaking`. */
  readonly agentState: ReadonlySignal<string>;
  mute(isMuted: boolean): Promise<void>;
  /** Presses keys in the call; false where it has none. */
  pressKeys?(digits: string): Promise<boolean>;
  /** Ends it at once. */
  leave(): Promise<void>;
  /** Gives the microphone back at once, and ends the call when the agent has said its last words and left. */
  hearOut(): Promise<void>;
}

/** What a call tells the page. */
export interface VoiceOptions {
  /** Words that are not final yet. */
  readonly onHearing: (text: string) => void;
  /** What the agent is saying, as far as it is heard; empty once it is over. */
  readonly onSaying: (text: string) => void;
  /** The call has ended, and not by `leave` or `hearOut`: why, for people. */
  readonly onLost: (why: string) => void;
  /** What keeps the call from being heard right now, for people; null once that is over. */
  readonly onTrouble: (what: string | null) => void;
  /** A moment that only the page can know, so many milliseconds ago. */
  readonly onTiming: (name: 'speech.end' | 'speech.first_audio', agoMs: number) => void;
}

/** The page has what it takes to hear its caller; nobody is called yet. */
export interface Ears {
  /** Begins to hear, in the room of a door where there is one. Throws a `VoiceFault`. */
  enter(door: { readonly url: string; readonly token: string } | null, options: VoiceOptions): Promise<Voice>;
  /** Gives the microphone back without a call. */
  close(): void;
}

/** Why there is no voice, in words for people. */
export class VoiceFault extends Error {}

/** Why a page of another machine without https hears nobody. */
export const insecure =
  'A browser gives a page the microphone only over https or from this machine: open it as 127.0.0.1.';

/** Why a call cannot be heard where the machine has nothing that plays sound. */
export const noSound = 'The browser starts no sound: this machine has no sound output that it could use.';

/** Why the microphone cannot be had, by the name of the browser's error. */
export function whyNoMicrophone(name: string): string {
  return name === 'NotAllowedError'
    ? 'The browser does not let this page use the microphone.'
    : 'There is no microphone that this page could use.';
}

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
  leave(): Promise<void>;
}

/** What a call tells the page. */
export interface VoiceOptions {
  /** Words that are not final yet. */
  readonly onHearing: (text: string) => void;
  readonly onEnd: () => void;
  readonly onFault: (fault: string) => void;
  /** A moment that only the page can know, so many milliseconds ago. */
  readonly onTiming: (name: 'speech.end' | 'speech.first_audio', agoMs: number) => void;
}

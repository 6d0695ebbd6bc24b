import type { EffectKey } from '../events/effect.ts';
import type { Event } from '../events/event.ts';

/** What was really heard of a line. */
export interface Playout {
  readonly heard: string;
  readonly interrupted: boolean;
}

/** What a session speaks through: a voice room, a terminal, a socket, a test. */
export interface Channel {
  readonly name: string;
  onStart?(): Promise<void>;
  onComplete?(): Promise<void>;
  /** Says one line; resolves when it was heard or cut off. */
  say(key: EffectKey, text: string): Promise<Playout>;
  onEvent?(event: Event): void;
}

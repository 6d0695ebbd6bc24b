import { voice } from '@livekit/agents';
import type { Channel } from '../../ports/channel.ts';
import type { LiveSession, StartOptions } from './live-session.ts';

/** A channel that brings a session of its own, on which a conversation runs. */
export interface SpokenChannel extends Channel {
  readonly session: LiveSession;
  /** What the session is started with, such as its room; of no use where it runs already. */
  readonly startOptions: StartOptions;
}

export function isSpoken(channel: Channel): channel is SpokenChannel {
  return 'session' in channel && channel.session instanceof voice.AgentSession;
}

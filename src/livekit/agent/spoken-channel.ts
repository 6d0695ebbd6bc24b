import { voice } from '@livekit/agents';
import type { Channel } from '../../model/ports/channel.ts';
import type { LiveSession, StartOptions } from './live-session.ts';

/** A channel with its own session, on which a conversation runs. */
export interface SpokenChannel extends Channel {
  readonly session: LiveSession;
  /** Options that the session is started with, such as its room; unused if it runs already. */
  readonly startOptions: StartOptions;
}

export function isSpoken(channel: Channel): channel is SpokenChannel {
  return 'session' in channel && channel.session instanceof voice.AgentSession;
}

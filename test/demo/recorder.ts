import { AudioStream, Room, RoomEvent, TrackKind } from '@livekit/rtc-node';
import { AccessToken } from 'livekit-server-sdk';
import type { LivekitServer } from '../rooms/livekit-server.ts';

/** A recording of two sides, in step with each other and with the clock. */
export interface Recording {
  readonly sampleRate: number;
  /** The caller's side. */
  readonly left: Int16Array;
  /** The agent's side. */
  readonly right: Int16Array;
}

/** A hidden participant that records the room. */
export interface Recorder {
  stop(): Promise<Recording>;
}

const sampleRate = 16_000;

/** Longest delay of held-up frames, in milliseconds. A longer delay is treated as a loss. */
const heldUpMs = 10_000;

/** Received frames of one track. */
interface Piece {
  readonly side: 'left' | 'right';
  readonly frames: Frame[];
  length: number;
}

interface Frame {
  readonly samples: Int16Array;
  /** Start of the track in milliseconds, computed as if no frame before this one had been lost or delayed. */
  readonly impliedStart: number;
}

/** Joins a room unseen and records all participants. Agents are on the right channel. */
export async function startRecorder(server: LivekitServer, roomName: string): Promise<Recorder> {
  const token = new AccessToken(server.apiKey, server.apiSecret, { identity: 'recorder' });
  token.addGrant({ room: roomName, roomJoin: true, canPublish: false, canSubscribe: true, hidden: true });
  const room = new Room();
  const pieces: Piece[] = [];
  room.on(RoomEvent.TrackSubscribed, (track, _publication, { identity }) => {
    if (track.kind !== TrackKind.KIND_AUDIO) return;
    const piece: Piece = {
      side: identity.startsWith('agent-') ? 'right' : 'left',
      frames: [],
      length: 0,
    };
    pieces.push(piece);
    // The track of a participant who has left just ends.
    listen(new AudioStream(track, sampleRate, 1), piece).catch(() => undefined);
  });
  const begunAt = performance.now();
  await room.connect(server.url, await token.toJwt(), { autoSubscribe: true, dynacast: false });
  return {
    async stop() {
      await room.disconnect();
      return { sampleRate, left: mix(pieces, 'left', begunAt), right: mix(pieces, 'right', begunAt) };
    },
  };
}

async function listen(stream: AudioStream, piece: Piece): Promise<void> {
  for await (const { data } of stream) {
    piece.length += data.length;
    piece.frames.push({ samples: data.slice(), impliedStart: performance.now() - (piece.length / sampleRate) * 1_000 });
  }
}

function mix(pieces: readonly Piece[], side: Piece['side'], begunAt: number): Int16Array {
  const placed = pieces.filter((piece) => piece.side === side).flatMap((piece) => placedFrames(piece, begunAt));
  const samples = new Int16Array(Math.max(0, ...placed.map(({ at, samples: own }) => at + own.length)));
  for (const { at, samples: own } of placed) samples.set(own, at);
  return samples;
}

/** Returns frames with the positions of their first samples. A frame may come late, never early, so the earliest one sets the time. */
function placedFrames({ frames }: Piece, begunAt: number): { readonly at: number; readonly samples: Int16Array }[] {
  const frameMs = 10; // Frame length of LiveKit.
  const ahead = heldUpMs / frameMs;
  let offset = 0;
  return frames.map(({ samples }, index) => {
    const soonest = Math.min(...frames.slice(index, index + ahead).map(({ impliedStart }) => impliedStart));
    const at = Math.max(0, offset + Math.round(((soonest - begunAt) / 1_000) * sampleRate));
    offset += samples.length;
    return { at, samples };
  });
}

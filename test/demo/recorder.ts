import { AudioStream, Room, RoomEvent, TrackKind } from '@livekit/rtc-node';
import { AccessToken } from 'livekit-server-sdk';
import type { LivekitServer } from '../rooms/livekit-server.ts';

/** A recording of two sides, in step with each other and with the clock. */
export interface Recording {
  readonly sampleRate: number;
  /** What the caller said. */
  readonly left: Int16Array;
  /** What the agent said. */
  readonly right: Int16Array;
}

/** Somebody in a room whom nobody sees, and who records. */
export interface Recorder {
  /** Ends the recording and leaves. */
  stop(): Promise<Recording>;
}

const sampleRate = 16_000;

/** How long frames that were held up may take to come, in milliseconds; what is later than that was preceded by a loss. */
const heldUpMs = 10_000;

/** What came of one track. */
interface Piece {
  readonly side: 'left' | 'right';
  readonly frames: Frame[];
  length: number;
}

interface Frame {
  readonly samples: Int16Array;
  /** When the track would have begun, had nothing been lost before this frame and had it come at once; in milliseconds. */
  readonly impliedStart: number;
}

/** Joins a room unseen and records everybody; agents are on the right. */
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
    // The track of someone who has gone just ends.
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

/** Frames with the places of their first samples. A frame may come late, never early: whichever comes soonest tells the time. */
function placedFrames({ frames }: Piece, begunAt: number): { readonly at: number; readonly samples: Int16Array }[] {
  const frameMs = 10; // LiveKit's own.
  const ahead = heldUpMs / frameMs;
  let offset = 0;
  return frames.map(({ samples }, index) => {
    const soonest = Math.min(...frames.slice(index, index + ahead).map(({ impliedStart }) => impliedStart));
    const at = Math.max(0, offset + Math.round(((soonest - begunAt) / 1_000) * sampleRate));
    offset += samples.length;
    return { at, samples };
  });
}

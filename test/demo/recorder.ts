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

/** One piece of a track that came without a break. */
interface Piece {
  readonly side: 'left' | 'right';
  readonly frames: Int16Array[];
  length: number;
  /** When its first sample was due, in milliseconds: a frame may come late, never early. */
  beginsAt: number;
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
      beginsAt: Infinity,
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
    piece.frames.push(data.slice());
    piece.length += data.length;
    piece.beginsAt = Math.min(piece.beginsAt, performance.now() - (piece.length / sampleRate) * 1_000);
  }
}

function mix(pieces: readonly Piece[], side: Piece['side'], begunAt: number): Int16Array {
  const own = pieces.filter((piece) => piece.side === side && piece.length > 0);
  const startOf = ({ beginsAt }: Piece): number => Math.max(0, Math.round(((beginsAt - begunAt) / 1_000) * sampleRate));
  const samples = new Int16Array(Math.max(0, ...own.map((piece) => startOf(piece) + piece.length)));
  for (const piece of own) {
    let at = startOf(piece);
    for (const frame of piece.frames) {
      samples.set(frame, at);
      at += frame.length;
    }
  }
  return samples;
}

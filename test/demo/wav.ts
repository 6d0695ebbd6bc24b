import type { Recording } from './recorder.ts';

const headerBytes = 44;
const frameBytes = 4;

/** Writes a recording as a WAV file with two channels of 16 bits. */
export function toWav({ sampleRate, left, right }: Recording): Buffer {
  const length = Math.max(left.length, right.length);
  const wav = Buffer.alloc(headerBytes + length * frameBytes);
  wav.write('RIFF', 0);
  wav.writeUInt32LE(wav.length - 8, 4);
  wav.write('WAVEfmt ', 8);
  wav.writeUInt32LE(16, 16); // Size of the format chunk in bytes.
  wav.writeUInt16LE(1, 20); // PCM samples.
  wav.writeUInt16LE(2, 22);
  wav.writeUInt32LE(sampleRate, 24);
  wav.writeUInt32LE(sampleRate * frameBytes, 28);
  wav.writeUInt16LE(frameBytes, 32);
  wav.writeUInt16LE(16, 34);
  wav.write('data', 36);
  wav.writeUInt32LE(length * frameBytes, 40);
  for (let at = 0; at < length; at += 1) {
    wav.writeInt16LE(left[at] ?? 0, headerBytes + at * frameBytes);
    wav.writeInt16LE(right[at] ?? 0, headerBytes + at * frameBytes + 2);
  }
  return wav;
}

/** Reads a file of `toWav`. Throws on any other file. */
export function fromWav(wav: Buffer): Recording {
  const isOurs =
    wav.toString('latin1', 0, 4) === 'RIFF' && wav.toString('latin1', 36, 40) === 'data' && wav.readUInt16LE(22) === 2;
  if (!isOurs) throw new Error('This is not a WAV file of two channels as the demo writes it.');
  const length = wav.readUInt32LE(40) / frameBytes;
  const side = (offset: number): Int16Array =>
    Int16Array.from({ length }, (_, at) => wav.readInt16LE(headerBytes + at * frameBytes + offset));
  return { sampleRate: wav.readUInt32LE(24), left: side(0), right: side(2) };
}

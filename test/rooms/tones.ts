import { roomSampleRate } from '../../src/testing/caller-audio.ts';
import type { Caller } from '../../src/testing/caller.ts';

/** A tone that each participant of the room would hear. `hz` is a multiple of 50. */
export function toneOf(hz: number, seconds: number): Int16Array {
  const angle = (2 * Math.PI * hz) / roomSampleRate;
  return Int16Array.from({ length: seconds * roomSampleRate }, (_, at) => Math.round(8_000 * Math.sin(at * angle)));
}

/**
 * The seconds of a tone that a participant has received, on any track: WebRTC leads a new track through the receiver of
 * one that the server took away, so the name of a track does not show whose sound it carries.
 */
export function secondsHeard(one: Caller, hz: number): number {
  return secondsOf(one.sound().samples, hz) + secondsOf(one.others().samples, hz);
}

/** Samples of a fiftieth of a second, in which every multiple of 50 Hz has whole waves. */
const frameLength = roomSampleRate / 50;
/** The least mean square of a sound that people hear. */
const audible = 200 ** 2;

function secondsOf(samples: Int16Array, hz: number): number {
  let frames = 0;
  for (let start = 0; start + frameLength <= samples.length; start += frameLength)
    if (isTone(samples.subarray(start, start + frameLength), hz)) frames += 1;
  return frames / 50;
}

/** Checks whether most of the energy of a sound has one frequency. */
function isTone(frame: Int16Array, hz: number): boolean {
  const angle = (2 * Math.PI * hz) / roomSampleRate;
  let [real, imaginary, energy] = [0, 0, 0];
  for (const [at, sample] of frame.entries()) {
    real += sample * Math.cos(at * angle);
    imaginary += sample * Math.sin(at * angle);
    energy += sample ** 2;
  }
  if (energy / frame.length < audible) return false;
  return (2 * (real ** 2 + imaginary ** 2)) / frame.length > energy / 2;
}

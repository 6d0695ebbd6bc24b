/** The longest piece Moonshine is given, and the earliest place for a cut, in seconds. It loses words beyond 15. */
const [longest, earliest] = [14, 8];

/** Long audio in pieces of less than 15 seconds, each cut where it is quietest. */
export function piecesOf(samples: Float32Array, sampleRate: number): Float32Array[] {
  const pieces: Float32Array[] = [];
  let rest = samples;
  while (rest.length > longest * sampleRate) {
    const cut = quietestPlace(
      rest,
      earliest * sampleRate,
      Math.min(longest * sampleRate, rest.length - sampleRate),
      sampleRate / 20,
    );
    pieces.push(rest.slice(0, cut));
    rest = rest.subarray(cut);
  }
  // A copy: what is sent to another thread is not the caller's memory.
  pieces.push(rest.slice());
  return pieces;
}

/** The middle of the quietest window. */
function quietestPlace(samples: Float32Array, from: number, to: number, window: number): number {
  let [place, least] = [from, Infinity];
  for (let at = from; at + window <= to; at += window) {
    const energy = samples.subarray(at, at + window).reduce((sum, sample) => sum + sample * sample, 0);
    if (energy < least) [place, least] = [at + Math.floor(window / 2), energy];
  }
  return place;
}

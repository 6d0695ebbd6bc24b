/** Maximum length of a piece and earliest position of a cut, in seconds. Moonshine loses words beyond 15 seconds. */
const [longest, earliest] = [14, 8];

/** Splits long audio into pieces of less than 15 seconds, at the quietest position. */
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
  // A copy, because the memory of the caller must not be transferred.
  pieces.push(rest.slice());
  return pieces;
}

/** Returns the middle of the quietest window. */
function quietestPlace(samples: Float32Array, from: number, to: number, window: number): number {
  let [place, least] = [from, Infinity];
  for (let at = from; at + window <= to; at += window) {
    const energy = samples.subarray(at, at + window).reduce((sum, sample) => sum + sample * sample, 0);
    if (energy < least) [place, least] = [at + Math.floor(window / 2), energy];
  }
  return place;
}

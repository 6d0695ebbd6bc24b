/** Sampling interval in milliseconds. */
const everyMs = 20;

/** Measures the volume of a track (root mean square, 0 to 1) until stopped; `now` is the time of `performance`. */
export function meterOf(
  context: AudioContext,
  track: MediaStreamTrack,
  onVolume: (volume: number, now: number) => void,
): () => void {
  const source = context.createMediaStreamSource(new MediaStream([track]));
  const analyser = context.createAnalyser();
  analyser.fftSize = 512;
  source.connect(analyser);
  const samples = new Float32Array(analyser.fftSize);
  const timer = setInterval(() => {
    analyser.getFloatTimeDomainData(samples);
    let sum = 0;
    for (const value of samples) sum += value * value;
    onVolume(Math.sqrt(sum / samples.length), performance.now());
  }, everyMs);
  return () => {
    clearInterval(timer);
    source.disconnect();
  };
}

// Where LiveKit keeps its logger, for all copies of it in a process; read here, so that a file needs no LiveKit to look.
const places = ['@livekit/agents:logger', '@livekit/agents:loggerOptions'].map((name) => Symbol.for(name));

/** The level of LiveKit's log in this process. Silent where none was started yet: most who start one let it tell nothing. */
export function levelOfLog(): string {
  const options: unknown = Reflect.get(globalThis, places[1] ?? '');
  return typeof options === 'object' && options !== null && 'level' in options ? String(options.level) : 'silent';
}

/** Keeps LiveKit's log as it is; the answer puts it back. */
export function keepLog(): () => void {
  const kept = places.map((place): [symbol, unknown] => [place, Reflect.get(globalThis, place)]);
  return () => {
    for (const [place, value] of kept) Reflect.set(globalThis, place, value);
  };
}

// The places of LiveKit's logger, shared by all copies in a process. Read directly, so that a test need not import LiveKit.
const places = ['@livekit/agents:logger', '@livekit/agents:loggerOptions'].map((name) => Symbol.for(name));

/** Returns the level of LiveKit's log in this process. Silent if none was started: most tests start a silent one. */
export function levelOfLog(): string {
  const options: unknown = Reflect.get(globalThis, places[1] ?? '');
  return typeof options === 'object' && options !== null && 'level' in options ? String(options.level) : 'silent';
}

/** Saves LiveKit's log. The returned function restores it. */
export function keepLog(): () => void {
  const kept = places.map((place): [symbol, unknown] => [place, Reflect.get(globalThis, place)]);
  return () => {
    for (const [place, value] of kept) Reflect.set(globalThis, place, value);
  };
}

/** Maximum number of waiting writes before they run at once, to release what they retain. */
const most = 256;

let waiting: (() => void)[] = [];

/**
 * Runs deferred work when the event loop is free. All waiting work runs together: a turn is published at the beginning of the next
 * one, whose caller is waiting, and an SDK's code runs twice as fast for the second turn as for the first. `work` must not throw.
 */
export function writeLater(work: () => void): void {
  waiting.push(work);
  if (waiting.length === 1) setImmediate(writeNow);
  else if (waiting.length === most) writeNow();
}

/** Runs the waiting work now. */
export function writeNow(): void {
  const all = waiting;
  waiting = [];
  for (const work of all) work();
}

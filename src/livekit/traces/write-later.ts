/** So many are written at once where the event loop does not come round to it: what they hold is to be let go of. */
const most = 256;

let waiting: (() => void)[] = [];

/**
 * Does work that nobody waits for once the event loop is free, and before the process waits for anything. What has come by
 * then is done in one go: a turn is told at the beginning of the next one, whose caller is waiting, and the code of an SDK runs
 * twice as fast for the second turn as for the first. It must not throw.
 */
export function writeLater(work: () => void): void {
  waiting.push(work);
  if (waiting.length === 1) setImmediate(writeNow);
  else if (waiting.length === most) writeNow();
}

/** Does what is to be done later. */
export function writeNow(): void {
  const all = waiting;
  waiting = [];
  for (const work of all) work();
}

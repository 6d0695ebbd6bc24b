/** Counts the turns of the event loop, at most one a millisecond. The returned function returns the count, which is low if work blocks the loop. */
export function ticks(): () => number {
  let count = 0;
  const timer = setInterval(() => (count += 1), 1);
  return () => {
    clearInterval(timer);
    return count;
  };
}

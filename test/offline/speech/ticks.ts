/** Counts how often the event loop comes by from now on, once a millisecond at most, and tells it at the end: hardly ever, where something holds it. */
export function ticks(): () => number {
  let count = 0;
  const timer = setInterval(() => (count += 1), 1);
  return () => {
    clearInterval(timer);
    return count;
  };
}

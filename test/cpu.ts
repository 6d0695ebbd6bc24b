/**
 * How many seconds of CPU the work takes. A limit on it is an absolute one with room for any machine: at least fifty
 * times what the work takes, where work that grows with the square takes thousands.
 */
export function cpuSecondsOf(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000_000;
}

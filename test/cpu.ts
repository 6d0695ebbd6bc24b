/**
 * How many times as much CPU the work takes as a fixed sum, which takes about 5 ms. Whatever makes a machine slow makes both
 * slow, so a limit on it, ten times what the work takes, holds anywhere; work that grows with the square is far over it.
 */
export function sumsOf(work: () => unknown): number {
  sumUp();
  const before = cpuOf(sumUp);
  const cpu = cpuOf(work);
  return cpu / Math.max(before, cpuOf(sumUp));
}

function sumUp(): number {
  let sum = 0;
  for (let number = 0; number < 2_500_000; number += 1) sum += Math.sqrt(number);
  return sum;
}

function cpuOf(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

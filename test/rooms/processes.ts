import { spawnSync } from 'node:child_process';

/** The processes that one has started, and those that they have started, by their ids. */
export function descendantsOf(pid: number): number[] {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' });
  const parents = stdout
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number));
  const found = new Set([pid]);
  // A child may stand before its parent.
  for (let before = 0; before < found.size;) {
    before = found.size;
    for (const [child = 0, parent = 0] of parents) if (found.has(parent)) found.add(child);
  }
  found.delete(pid);
  return [...found];
}

/** Of the processes that one has started, by what they run: what the parent of each runs. */
export function parentsOf(pid: number, program: string): string[] {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' });
  const all = stdout.split('\n').flatMap((line) => {
    const [, id, parent, args = ''] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    return id === undefined ? [] : [{ id: Number(id), parent: Number(parent), args }];
  });
  const own = new Set(descendantsOf(pid));
  const found = all.filter(({ id, args }) => own.has(id) && args.includes(program));
  return found.map(({ parent }) => all.find(({ id }) => id === parent)?.args ?? '');
}

/** Whether a process runs; one that has ended and was not yet collected by its parent does not. */
export function isAlive(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' });
  return stdout.trim() !== '' && !stdout.trim().startsWith('Z');
}

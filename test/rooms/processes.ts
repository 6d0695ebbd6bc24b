import { spawnSync } from 'node:child_process';

interface Process {
  readonly id: number;
  readonly parent: number;
  /** Its command line. */
  readonly args: string;
}

/** Returns the ids of a process's descendants. */
export function descendantsOf(pid: number): number[] {
  return descendantsAmong(processes(), pid).map(({ id }) => id);
}

/** Returns the command lines of the parents of a process's descendants that run `program`. */
export function parentsOf(pid: number, program: string): string[] {
  const all = processes();
  const found = descendantsAmong(all, pid).filter(({ args }) => args.includes(program));
  return found.map(({ parent }) => all.find(({ id }) => id === parent)?.args ?? '');
}

function processes(): readonly Process[] {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' });
  return stdout.split('\n').flatMap((line) => {
    const [, id, parent, args = ''] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    return id === undefined ? [] : [{ id: Number(id), parent: Number(parent), args }];
  });
}

function descendantsAmong(all: readonly Process[], pid: number): readonly Process[] {
  const found = new Set([pid]);
  // A child may be listed before its parent.
  for (let before = 0; before < found.size;) {
    before = found.size;
    for (const { id, parent } of all) if (found.has(parent)) found.add(id);
  }
  return all.filter(({ id }) => id !== pid && found.has(id));
}

/** Whether a process runs. A zombie does not. */
export function isAlive(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' });
  return stdout.trim() !== '' && !stdout.trim().startsWith('Z');
}

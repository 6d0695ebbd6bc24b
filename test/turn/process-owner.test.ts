import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { execPath } from 'node:process';
import { describe, expect, it } from 'vitest';
import { isGone, ownerName } from '../../src/engine/session/process-owner.ts';

/** Starts a separate process and returns its owner name while it lives. */
async function livingProcess() {
  const child = spawn(execPath, ['-e', 'process.stdin.resume()'], { stdio: ['pipe', 'ignore', 'ignore'] });
  await once(child, 'spawn');
  const stat = await import('node:fs').then(({ readFileSync }) => readFileSync(`/proc/${child.pid}/stat`, 'utf8'));
  const startedAt = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  const [prefix, boot, space] = ownerName('one').split(':');
  return { child, name: [prefix, boot, space, child.pid, startedAt, 'one'].join(':') };
}

describe.skipIf(process.platform !== 'linux')('an owner by its process', () => {
  it('is gone once its process is, and not before', async () => {
    const { child, name } = await livingProcess();
    expect(isGone(name)).toBe(false);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(isGone(name)).toBe(true);
  });

  it('is gone where its process id belongs to a later process', async () => {
    const { child, name } = await livingProcess();
    expect(isGone(name.replace(/:\d+:one$/, ':1:one'))).toBe(true);
    child.kill();
  });

  it('is this process, which lives', () => {
    expect(isGone(ownerName('one'))).toBe(false);
    expect(ownerName('one')).not.toBe(ownerName('two'));
  });

  it.each(['owner_17', '', 'process:other-boot:1:999999:1:one', 'process:a:b'])(
    'is not known to be gone elsewhere: %s',
    (name) => {
      expect(isGone(name)).toBe(false);
    },
  );
});

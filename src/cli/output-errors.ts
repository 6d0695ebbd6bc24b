import type { Writable } from 'node:stream';

/** The output streams of a process, and how it exits. */
export interface ProcessOutput {
  readonly stdout: Pick<Writable, 'on'>;
  readonly stderr: Pick<Writable, 'on' | 'write'>;
  readonly exit: (code: number) => void;
}

/**
 * Handles errors of the output streams. A closed pipe (`| head`) ends the process with code 0, other errors with code
 * 1. Errors on standard error are ignored: a run must not stop because its progress is not read.
 */
export function handleOutputErrors({ stdout, stderr, exit }: ProcessOutput): void {
  stdout.on('error', ({ code = 'unknown' }: NodeJS.ErrnoException) => {
    if (code !== 'EPIPE')
      stderr.write(`Standard output cannot be written (${code}). Write it to a disk with free space.\n`);
    exit(code === 'EPIPE' ? 0 : 1);
  });
  stderr.on('error', () => undefined);
}

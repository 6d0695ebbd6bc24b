import type { Writable } from 'node:stream';

/** What a process writes to, and how it ends. */
export interface ProcessOutput {
  readonly stdout: Pick<Writable, 'on'>;
  readonly stderr: Pick<Writable, 'on' | 'write'>;
  readonly exit: (code: number) => void;
}

/**
 * Whoever reads only the first lines (`| head`) has what they wanted, and output that cannot be written is a failure. What is told
 * beside it is done without: no run ends in the middle because nobody reads how it goes.
 */
export function heedLostOutput({ stdout, stderr, exit }: ProcessOutput): void {
  stdout.on('error', ({ code = 'unknown' }: NodeJS.ErrnoException) => {
    if (code !== 'EPIPE') stderr.write(`The output cannot be written (${code}). Give it a place with room.\n`);
    exit(code === 'EPIPE' ? 0 : 1);
  });
  stderr.on('error', () => undefined);
}

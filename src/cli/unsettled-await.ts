/** Node's exit code if a top-level await never settles. */
const unsettled = 13;

/** Reports a top-level await that never settles, which Node ends silently, and sets the exit code of wrong input. */
export function reportUnsettledAwait(process: Pick<NodeJS.Process, 'on' | 'exitCode' | 'stderr'>): void {
  process.on('exit', () => {
    if (process.exitCode !== unsettled) return;
    process.stderr.write(
      'A top-level await of the project never settles. Look for it in its files, such as agent.config.ts.\n',
    );
    process.exitCode = 2;
  });
}

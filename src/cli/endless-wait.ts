/** Node's exit code where a module is still waited for and nothing is left that could end that. */
const unsettled = 13;

/** Tells of a command that waits for what never comes, which Node ends without a word, and ends it as for other wrong input. */
export function heedEndlessWait(process: Pick<NodeJS.Process, 'on' | 'exitCode' | 'stderr'>): void {
  process.on('exit', () => {
    if (process.exitCode !== unsettled) return;
    process.stderr.write(
      'Code of the project is waited for and never ends. Look for an await at the top of its files, such as agent.config.ts.\n',
    );
    process.exitCode = 2;
  });
}

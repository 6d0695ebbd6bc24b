import { spawn } from 'node:child_process';

/** Opens what the desktop opens addresses with; where there is none the address stands on the terminal. */
export function openBrowser(address: string): void {
  if (!process.stdout.isTTY || process.env['CI'] !== undefined) return;
  const [program, ...args] =
    process.platform === 'darwin'
      ? ['open', address]
      : process.platform === 'win32'
        ? ['explorer', address]
        : ['xdg-open', address];
  const child = spawn(program ?? '', args, { stdio: 'ignore', detached: true });
  child.once('error', () => undefined);
  child.unref();
}

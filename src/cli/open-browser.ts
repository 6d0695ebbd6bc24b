import { spawn } from 'node:child_process';

/** Opens an address in the browser of the desktop. Does nothing if the output is not a terminal or if CI is set. */
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

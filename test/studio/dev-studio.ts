import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { type Leashed, startLeashed } from '../rooms/leashed.ts';

const root = join(import.meta.dirname, '../..');

/** `roomflow dev` on a copy of the shipped flows, which a test may change. */
export interface DevStudio {
  /** The printed address with the token. */
  readonly url: string;
  /** The same address without the token. */
  readonly origin: string;
  /** The folder of the copy. */
  readonly folder: string;
  readonly program: Leashed;
  /** Changes a file of the copy, like an editor. */
  edit(file: string, change: (text: string) => string): void;
  stop(): Promise<void>;
}

/**
 * Starts the studio on `agent.config.ts` of a copy of this checkout's flows, or on another `config`. `variables` go to
 * its environment.
 */
export async function startDevStudio(
  args: readonly string[] = [],
  variables: NodeJS.ProcessEnv = {},
  config = 'agent.config.ts',
): Promise<DevStudio> {
  const folder = mkdtempSync(join(tmpdir(), 'roomflow-studio-'));
  for (const name of ['flows', 'agent.config.ts']) cpSync(join(root, name), join(folder, name), { recursive: true });
  // Imports of the configuration are resolved as from this checkout.
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  const cli = join(root, 'dist/cli/main.js');
  const options = ['dev', '--config', config, '--port', '0', '--no-open', ...args];
  const program = startLeashed('sh', ['-c', 'cd "$0" && exec "$@"', folder, execPath, cli, ...options], {
    ...{ ROOMFLOW_CACHE: join(root, '.cache'), XDG_STATE_HOME: join(folder, '.state'), ...variables },
  });
  await program.hasSaid(address);
  const url = address.exec(program.output())?.[0] ?? '';
  return {
    ...{ url, folder, program, origin: new URL(url).origin },
    edit(file, change) {
      const path = join(folder, file);
      writeFileSync(path, change(readFileSync(path, 'utf8')));
    },
    async stop() {
      await program.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const address = /http:\/\/127\.0\.0\.1:\d+\/\?token=[\w-]+/;

import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { defineCommand } from 'citty';
import { FlowError } from '../../model/errors.ts';

export const mcpCommand = defineCommand({
  args: {
    root: { type: 'string', description: 'The folder of the project. No other files are read. Default: this folder.' },
    store: { type: 'string', description: 'The store of the sessions. Default: the store of the configuration.' },
  },
  async run({ args }) {
    const root = resolve(args.root ?? '.');
    if (!existsSync(root) || !statSync(root).isDirectory())
      throw new FlowError('option-invalid', `--root ${root} is not a folder. Name the folder of the project.`);
    // Loaded here, because no other command needs the protocol.
    const { serveMcp } = await import('./serve-mcp.ts');
    await serveMcp({ root, store: args.store });
  },
});

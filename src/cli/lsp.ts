import { defineCommand } from 'citty';
import { resolve } from 'node:path';
import { StreamMessageReader, StreamMessageWriter } from 'vscode-languageserver/node';
import { serveLanguage } from '../lsp/serve-language.ts';
import { runningStudio } from './running-studio.ts';

export const lspCommand = defineCommand({
  args: {
    config: {
      type: 'string',
      description: 'The configuration to check all flows with; the nearest agent.config.ts above each where absent.',
    },
    stdio: {
      type: 'boolean',
      description: 'Speak over standard input and output, as it does anyway: for editors that ask so.',
    },
  },
  async run({ args }) {
    const serving = serveLanguage({
      reader: new StreamMessageReader(process.stdin),
      writer: new StreamMessageWriter(process.stdout),
      studio: () => runningStudio(process.env),
      ...(args.config === undefined ? {} : { config: resolve(args.config) }),
    });
    // A file, unlike a pipe, ends without being closed.
    process.stdin.once('end', () => serving.stop());
    await serving.closed;
    process.exit(0);
  },
});

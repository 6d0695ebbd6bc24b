import { defineCommand } from 'citty';
import { resolve } from 'node:path';
import { StreamMessageReader, StreamMessageWriter } from 'vscode-languageserver/node';
import { serveLanguage } from '../../lsp/serve-language.ts';
import { runningStudio } from './running-studio.ts';

export const lspCommand = defineCommand({
  args: {
    config: {
      type: 'string',
      description: 'The configuration for all flows. Default: the nearest agent.config.ts above each flow.',
    },
    stdio: {
      type: 'boolean',
      description: 'Use standard input and output. This is the default; some editors pass the option.',
    },
  },
  async run({ args }) {
    const serving = serveLanguage({
      reader: new StreamMessageReader(process.stdin),
      writer: new StreamMessageWriter(process.stdout),
      studio: () => runningStudio(process.env),
      ...(args.config === undefined ? {} : { config: resolve(args.config) }),
    });
    // A file, unlike a pipe, ends without a close event.
    process.stdin.once('end', () => serving.stop());
    await serving.closed;
    process.exit(0);
  },
});

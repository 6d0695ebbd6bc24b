import { stripVTControlCharacters } from 'node:util';
import { roomflowHere } from '../cli/run-cli.ts';

/** Renders the page of the command line from the `--help` of each command. */
export async function commandsPage(): Promise<string> {
  const usage = await helpOf([]);
  const commands = usage.slice(usage.indexOf('COMMANDS'), usage.indexOf('EXIT CODES'));
  const names = [...commands.matchAll(/^ {2}([a-z-]+) {2}/gm)].map(([, name = '']) => name);
  const sections: string[] = [];
  for (const name of names) sections.push(`## ${name}\n\n\`\`\`text\n${await helpOf([name])}\n\`\`\``);
  return [head, `\`\`\`text\n${usage}\n\`\`\``, ...sections].join('\n\n').concat('\n');
}

const head = `# Commands

<!-- Written by \`npm run docs\` from the help of the commands. -->

The command line, from \`npx roomflow --help\`.`;

async function helpOf(command: readonly string[]): Promise<string> {
  const { out } = await roomflowHere([...command, '--help']);
  return stripVTControlCharacters(out).trim();
}

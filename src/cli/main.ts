#!/usr/bin/env node
import { stripVTControlCharacters } from 'node:util';
import { defineCommand, renderUsage, runCommand } from 'citty';
import { FlowError } from '../errors.ts';
import { complain } from './output.ts';

const roomflow = defineCommand({
  meta: { name: 'roomflow', description: 'Declarative, durable conversation flows on LiveKit Agents.' },
  subCommands: {
    start: () => import('./chat.ts').then((module) => module.startCommand),
    worker: () => import('./worker.ts').then((module) => module.workerCommand),
    doctor: () => import('./doctor.ts').then((module) => module.doctorCommand),
    chat: () => import('./chat.ts').then((module) => module.chatCommand),
    check: () => import('./check.ts').then((module) => module.checkCommand),
    graph: () => import('./graph.ts').then((module) => module.graphCommand),
    schema: () => import('./schema.ts').then((module) => module.schemaCommand),
    'setup-speech': () => import('./setup-speech.ts').then((module) => module.setupSpeechCommand),
  },
});

/** Exit codes: 0 as asked, 1 what was run failed, 2 the input is wrong. */
async function main(args: readonly string[]): Promise<void> {
  if (args.length === 0 || args.includes('--help') || args.includes('-h')) {
    process.stdout.write(`${await usageOf(args)}\n`);
    return;
  }
  try {
    await runCommand(roomflow, { rawArgs: [...args] });
  } catch (error) {
    if (error instanceof FlowError) complain(error.message);
    else if (isUsageError(error)) complain(`${error.message}\n\n${await usageOf(args)}`);
    else throw error;
    process.exitCode = 2;
  }
}

async function usageOf(args: readonly string[]): Promise<string> {
  const usage = await coloured(args);
  return process.stdout.isTTY ? usage : stripVTControlCharacters(usage);
}

async function coloured(args: readonly string[]): Promise<string> {
  const commands = roomflow.subCommands;
  const name = args.find((word) => !word.startsWith('-'));
  if (name !== undefined && typeof commands === 'object' && Object.hasOwn(commands, name)) {
    const entry = (commands as Record<string, unknown>)[name]; // Looked up by an own key.
    if (typeof entry === 'function')
      return await renderUsage(await (entry as () => Promise<typeof roomflow>)(), roomflow);
  }
  return await renderUsage(roomflow);
}

/** citty tells wrong arguments by an error with a code of its own. */
function isUsageError(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('E');
}

await main(process.argv.slice(2));

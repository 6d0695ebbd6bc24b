import { spawn } from 'node:child_process';
import { execPath } from 'node:process';
import type { CommandRun } from './mcp-tools.ts';

/** The outcome of a command. */
export interface CommandOutcome {
  /** Null if it was stopped. */
  readonly code: number | null;
  readonly out: string;
  readonly errors: string;
}

/** A hanging function of the project must not hold the server. */
const mostMs = 300_000;
const mostCharacters = 100_000;

/**
 * Runs a command of this program in a separate process, so that changed code is read and its output stays apart from
 * the protocol. An abort of `signal` stops it.
 */
export function runCommand({ args, input }: CommandRun, folder: string, signal: AbortSignal): Promise<CommandOutcome> {
  const main = process.argv[1];
  if (main === undefined) throw new Error('the program has no file.');
  const env = { ...process.env, NO_COLOR: '1' };
  const child = spawn(execPath, [...process.execArgv, main, ...args], {
    ...{ cwd: folder, env, signal, windowsHide: true, timeout: mostMs, killSignal: 'SIGKILL' },
  });
  const out = collected(child.stdout);
  const errors = collected(child.stderr);
  // A command that refuses its arguments ends without reading.
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  return new Promise((resolve) => {
    child.once('error', () => resolve({ code: null, out: out(), errors: errors() }));
    child.once('close', (code) => resolve({ code, out: out(), errors: errors() }));
  });
}

/** Collects the text of a stream up to a limit. */
function collected(stream: NodeJS.ReadableStream): () => string {
  let text = '';
  let isCut = false;
  stream.setEncoding('utf8');
  stream.on('data', (part: string) => {
    isCut ||= text.length + part.length > mostCharacters;
    text = (text + part).slice(0, mostCharacters);
  });
  return () => (isCut ? `${text}\n(The rest was left out.)` : text);
}

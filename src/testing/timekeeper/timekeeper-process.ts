import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { execPath } from 'node:process';
import { createInterface } from 'node:readline';

/** A separate process in which a timekeeper delivers. */
export interface TimekeeperProcess {
  /** Resolves once its timekeeper has started. Rejects if it ended before that. */
  readonly started: Promise<void>;
  /** Ends it as a crash would. */
  kill(): Promise<void>;
}

export interface TimekeeperProcessOptions {
  readonly module: string;
  readonly place: string;
  /** How far its clock is ahead, in milliseconds. */
  readonly aheadMs?: number;
  /** None of its deliveries ever ends. */
  readonly hangs?: boolean;
  readonly onDelivery: (key: string) => void;
}

/** Starts a Node process that opens a timekeeper, starts it, and reports each delivery that begins. */
export function startProcess({ module, place, aheadMs = 0, hangs = false, onDelivery }: TimekeeperProcessOptions) {
  const given = JSON.stringify({ module, place, aheadMs, hangs });
  const child = spawn(execPath, ['--input-type=module', '-e', program, given], { stdio: ['pipe', 'pipe', 'pipe'] });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  const ended = once(child, 'exit');
  const started = new Promise<void>((resolve, reject) => {
    createInterface(child.stdout).on('line', (line) => {
      if (line === 'started') resolve();
      else if (line.startsWith('"')) onDelivery(JSON.parse(line) as string); // Only the program below writes there.
    });
    void ended.then(() => reject(new Error(`the process of a timekeeper has ended: ${said}`)));
  });
  // Waiting callers receive the error. A process that was killed on purpose is not a failure.
  started.catch(() => undefined);
  const process: TimekeeperProcess = {
    started,
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
  return process;
}

/** Ends with the process that started it, whose end closes its standard input. */
const program = `
import { writeSync } from 'node:fs';
const { module, place, aheadMs, hangs } = JSON.parse(process.argv[1]);
process.stdin.on('end', () => process.exit()).resume();
const Real = Date;
globalThis.Date = class extends Real {
  constructor(...given) {
    super(...(given.length === 0 ? [Real.now() + aheadMs] : given));
  }
  static now() {
    return Real.now() + aheadMs;
  }
};
const { default: open } = await import(module);
const timekeeper = await open(place);
await timekeeper.start(async (key) => {
  writeSync(1, JSON.stringify(key) + '\\n');
  if (hangs) await new Promise(() => {});
});
writeSync(1, 'started\\n');
`;

import { type ChildProcess, fork } from 'node:child_process';
import type { Clock } from '../../ports/time.ts';
import { type Calls, createCalls, type Handlers } from './calls.ts';
import type { StageHandlers, StudioHandlers } from './stage-calls.ts';

/** The process of the sessions, as the studio holds it. */
export interface StageProcess {
  call<Name extends keyof StageHandlers>(
    name: Name,
    ...args: Parameters<StageHandlers[Name]>
  ): Promise<Awaited<ReturnType<StageHandlers[Name]>>>;
  /** What was committed or posted in the store, for whoever waits for it there. */
  tell(name: 'changed' | 'posted', ...args: readonly unknown[]): void;
  /** Why it has ended, in words; resolves once it is gone, also by `stop`. */
  readonly gone: Promise<string>;
  /** Ends it: at once, or once its sessions have let go of what they do. */
  stop(): Promise<void>;
}

/** How often the process is asked whether it still answers, in milliseconds. */
const pingEveryMs = 5_000;
/**
 * How many questions in a row may stay without an answer: first it loads what the project imports, which a busy machine does
 * slowly. They are counted and not the time, which also passes while the machine sleeps.
 */
const mostUnansweredAtFirst = 24;
const mostUnanswered = 4;
/** How long it may take to end by itself, with a studio or without, in milliseconds. */
export const endWithinMs = 3_000;

/** Starts the process; `program` is the file that it runs. One that hangs, as by an endless loop, is ended. */
export function startStage(program: string, handlers: StudioHandlers, clock: Clock): StageProcess {
  const child: ChildProcess = fork(program, [], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const calls: Calls = createCalls(
    {
      // What a dead process does not take is told by its end.
      send: (message) => void (child.connected && child.send(message as object, () => undefined)),
      listen: (listener) => void child.on('message', listener),
    },
    handlers as unknown as Handlers, // The names and arguments are those of the interface.
  );
  let isHung = false;
  let most = mostUnansweredAtFirst;
  let unanswered = 0;
  let cancelPing = (): void => undefined;
  const ping = (): void => {
    cancelPing = clock.schedule(pingEveryMs, () => {
      if (unanswered >= most) {
        isHung = true;
        child.kill('SIGKILL');
        return;
      }
      unanswered += 1;
      void calls.call('ping').then(
        () => (unanswered = 0),
        () => undefined,
      );
      ping();
    });
  };
  ping();
  const gone = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => {
      cancelPing();
      const why = isHung
        ? `it did not answer for ${(most * pingEveryMs) / 1_000} seconds`
        : signal === null
          ? `it ended with exit code ${code ?? 0}`
          : `it was ended by ${signal}`;
      calls.end('worker-gone', `the process of the sessions is gone: ${why}. It is started again.`);
      resolve(why);
    });
  });
  return {
    call: (name, ...args) => {
      const answer = calls.call(name, ...args);
      if (name === 'begin')
        void answer.then(
          () => ([most, unanswered] = [mostUnanswered, 0]),
          () => undefined,
        );
      return answer as ReturnType<StageProcess['call']> as never; // By the interface.
    },
    tell: (name, ...args) => calls.tell(name, ...args),
    gone,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.disconnect();
      const cancel = clock.schedule(endWithinMs, () => void child.kill('SIGKILL'));
      await gone;
      cancel();
    },
  };
}

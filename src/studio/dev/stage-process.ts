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
/** How long it may take to answer, in milliseconds: first it loads what the project imports, which a busy machine does slowly. */
const beginsWithinMs = 120_000;
const hangsAfterMs = 20_000;
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
  let mayTakeMs = beginsWithinMs;
  let answeredAt = clock.now();
  let cancelPing = (): void => undefined;
  const ping = (): void => {
    cancelPing = clock.schedule(pingEveryMs, () => {
      void calls.call('ping').then(
        () => (answeredAt = clock.now()),
        () => undefined,
      );
      if (clock.now() - answeredAt > mayTakeMs) {
        isHung = true;
        child.kill('SIGKILL');
      } else ping();
    });
  };
  ping();
  const gone = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => {
      cancelPing();
      const why = isHung
        ? `it did not answer for ${mayTakeMs / 1_000} seconds`
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
          () => ([mayTakeMs, answeredAt] = [hangsAfterMs, clock.now()]),
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

import { type ChildProcess, fork } from 'node:child_process';
import type { Clock } from '../../model/ports/time.ts';
import { type Calls, createCalls, type Handlers } from './calls.ts';
import type { StageHandlers, StudioHandlers } from './stage-calls.ts';

/** The session process, as seen by the studio. */
export interface StageProcess {
  call<Name extends keyof StageHandlers>(
    name: Name,
    ...args: Parameters<StageHandlers[Name]>
  ): Promise<Awaited<ReturnType<StageHandlers[Name]>>>;
  /** Forwards store notifications to the process. */
  tell(name: 'changed' | 'posted', ...args: readonly unknown[]): void;
  /** Resolves to the reason when the process has ended, also after `stop`. */
  readonly gone: Promise<string>;
  /** Stops the process after its sessions are released. */
  stop(): Promise<void>;
}

/** Interval of pings in milliseconds. */
const pingEveryMs = 5_000;
/**
 * Maximum number of unanswered pings; more at first, because the process loads the project. Pings are counted instead
 * of time, which also passes while the machine sleeps.
 */
const mostUnansweredAtFirst = 24;
const mostUnanswered = 4;
/** Milliseconds that the process may take to exit by itself. */
export const endWithinMs = 3_000;

/** Starts the process from the file `program`. A process that hangs, such as in an endless loop, is killed. */
export function startStage(program: string, handlers: StudioHandlers, clock: Clock): StageProcess {
  const child: ChildProcess = fork(program, [], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const calls: Calls = createCalls(
    {
      // A failed send is reported by the exit of the process.
      send: (message) => void (child.connected && child.send(message as object, () => undefined)),
      listen: (listener) => void child.on('message', listener),
    },
    handlers as unknown as Handlers, // The interface defines the names and arguments.
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
      calls.end('worker-gone', `the session process ended: ${why}. It is restarted.`);
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
      return answer as ReturnType<StageProcess['call']> as never; // The interface defines the type.
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

import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { FlowError } from '../../model/errors.ts';
import type { Diagnostic } from '../../flow/document/problems/diagnostic.ts';
import type { CheckerAnswer, CheckerOrder } from './checker-messages.ts';
import type { Checker, CheckRequest, CodeNames } from './checker.ts';

/**
 * The time limit for loading a configuration and for a check, in milliseconds. Only code that hangs takes that long,
 * even on a busy machine: without custom code, either needs half a second of CPU.
 */
const longestMs = 30_000;

/**
 * Checks flows with a configuration, which is loaded by a separate process: its code runs as in `roomflow check`, and
 * cannot harm this process. Its output goes to standard error. `name` is the configuration's name in faults. Without a
 * configuration, the code that tests name is loaded when they are checked. `folder` is its working directory.
 */
export function createChildChecker(config: string | null, name: string, folder: string): Checker {
  const script = fileURLToPath(new URL('checker-process.js', import.meta.url));
  const child: ChildProcess = fork(script, [], {
    cwd: folder,
    execArgv: [],
    serialization: 'advanced',
    stdio: ['ignore', 2, 2, 'ipc'],
  });
  const waiting = new Map<number, Deferred<readonly Diagnostic[]>>();
  const opened = deferred<CodeNames>();
  let nextId = 0;
  let gone: FlowError | undefined;

  const fail = (fault: string): void => {
    gone ??= new FlowError('config-invalid', fault);
    opened.reject(gone);
    for (const { reject } of waiting.values()) reject(gone);
    waiting.clear();
  };
  const send = (order: CheckerOrder): void => void child.send(order, () => undefined); // If the process has ended, `exit` reports it.
  const late = (ms: number, fault: string): NodeJS.Timeout =>
    setTimeout(() => {
      fail(fault);
      child.kill('SIGKILL');
    }, ms).unref();
  const loading = late(
    longestMs,
    `${name} has not loaded within ${longestMs / 1000} seconds. Does it wait for something?`,
  );

  // It may break when there is no caller waiting.
  opened.promise.catch(() => undefined);
  child.on('message', (answer: CheckerAnswer) => {
    switch (answer.kind) {
      case 'opened':
        clearTimeout(loading);
        return opened.resolve(answer.names);
      case 'broken':
        clearTimeout(loading);
        fail(answer.fault);
        return void child.kill();
      case 'failed':
        waiting.get(answer.id)?.reject(new FlowError('config-invalid', answer.fault));
        return void waiting.delete(answer.id);
      case 'checked':
        waiting.get(answer.id)?.resolve(answer.diagnostics);
        waiting.delete(answer.id);
    }
  });
  child.on('error', () => fail(`${name} cannot be loaded: its process does not start.`));
  child.on('exit', () => fail(`${name} ended its own process. Does it call process.exit?`));
  child.unref();
  child.channel?.unref();
  send({ kind: 'open', config });

  const ask = async (kind: 'check' | 'test', request: CheckRequest): Promise<readonly Diagnostic[]> => {
    await opened.promise;
    if (gone !== undefined) throw gone;
    const id = nextId++;
    const answer = deferred<readonly Diagnostic[]>();
    waiting.set(id, answer);
    const timer = late(longestMs, `the code of ${name} has not answered within ${longestMs / 1000} seconds.`);
    send({ kind, id, request });
    try {
      return await answer.promise;
    } finally {
      clearTimeout(timer);
    }
  };
  return {
    names: () => opened.promise,
    check: (request) => ask('check', request),
    checkTest: (request) => ask('test', request),
    close() {
      fail(`${name} is loaded anew.`);
      child.kill('SIGKILL');
    },
  };
}

/** A promise and the functions that settle it. */
interface Deferred<Value> {
  readonly promise: Promise<Value>;
  readonly resolve: (value: Value) => void;
  readonly reject: (error: Error) => void;
}

function deferred<Value>(): Deferred<Value> {
  let settle: Pick<Deferred<Value>, 'resolve' | 'reject'> | undefined;
  const promise = new Promise<Value>((resolve, reject) => {
    settle = { resolve, reject };
  });
  return { promise, resolve: (value) => settle?.resolve(value), reject: (error) => settle?.reject(error) };
}

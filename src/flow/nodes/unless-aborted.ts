import { FlowError } from '../../model/errors.ts';

/** Awaits a promise. Throws `aborted` as soon as the signal is aborted. */
export async function unlessAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  let abort = (): void => undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    abort = () => reject(abortedRun());
    signal.addEventListener('abort', abort);
  });
  try {
    if (signal.aborted) throw abortedRun();
    const value = await Promise.race([promise, aborted]);
    // A value at the moment of the abort is too late.
    if (signal.aborted) throw abortedRun();
    return value;
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

function abortedRun(): FlowError {
  return new FlowError('aborted', 'the run that waited for the agent was aborted.');
}

/**
 * Calls the listener in the process of a job when its worker stops or has died, before LiveKit closes the session for
 * that. What is stopped by the server comes the same way.
 */
export function onWorkerGone(listener: () => void): void {
  process.once('disconnect', listener);
  process.on('message', (message) => {
    if (isShutdown(message)) listener();
  });
}

/** Whether LiveKit's worker tells the process of a job to end. */
function isShutdown(message: unknown): boolean {
  return typeof message === 'object' && message !== null && 'case' in message && message.case === 'shutdownRequest';
}

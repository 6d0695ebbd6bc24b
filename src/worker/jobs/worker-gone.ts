/**
 * Calls the listener in a job's process when its worker stops or has died, before
 * LiveKit closes the session. A stop by the server is reported the same way.
 */
export function onWorkerGone(listener: () => void): void {
  process.once('disconnect', listener);
  process.on('message', (message) => {
    if (isShutdown(message)) listener();
  });
}

/** Checks for the message by which LiveKit's worker ends a job's process. */
function isShutdown(message: unknown): boolean {
  return typeof message === 'object' && message !== null && 'case' in message && message.case === 'shutdownRequest';
}

/** Resolves when the process receives SIGTERM or SIGINT. A second signal exits at once. */
export function signalled(): Promise<void> {
  return new Promise((resolve) => {
    let wasAsked = false;
    const onSignal = (): void => {
      if (wasAsked) process.exit(1);
      wasAsked = true;
      resolve();
    };
    process.on('SIGTERM', onSignal);
    process.on('SIGINT', onSignal);
  });
}

/** Resolves when the condition holds. Rejects after two minutes, because a provider may be slow and the machine busy. */
export async function until(holds: () => boolean, what: string | (() => string)): Promise<void> {
  const before = Date.now();
  while (!holds()) {
    if (Date.now() - before > 120_000)
      throw new Error(`Waited in vain for ${typeof what === 'string' ? what : what()}.`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

/** Starts reading a source at once and returns its items to a later reader. `return` stops the source. */
export function readAhead<Item>(source: AsyncIterableIterator<Item>): AsyncIterableIterator<Item> {
  const items: Item[] = [];
  let end: { readonly error?: unknown } | undefined;
  let wake = (): void => undefined;
  const read = async (): Promise<void> => {
    try {
      for await (const item of source) {
        items.push(item);
        wake();
      }
      end = {};
    } catch (error) {
      end = { error };
    }
    wake();
  };
  void read();
  return {
    async next() {
      for (;;) {
        const item = items.shift();
        if (item !== undefined) return { done: false, value: item };
        if (end !== undefined && 'error' in end) throw end.error;
        if (end !== undefined) return { done: true, value: undefined };
        await new Promise<void>((resolve) => (wake = resolve));
      }
    },
    async return() {
      await source.return?.();
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

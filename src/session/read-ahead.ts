/** Begins to read a source at once, and gives what was read to whoever asks later. */
export function readAhead<Item>(source: AsyncGenerator<Item>): AsyncIterable<Item> {
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
  return drain(
    items,
    () => end,
    (resolve) => (wake = resolve),
  );
}

async function* drain<Item>(
  items: Item[],
  end: () => { readonly error?: unknown } | undefined,
  onMore: (resolve: () => void) => void,
): AsyncGenerator<Item> {
  for (;;) {
    const item = items.shift();
    const ended = end();
    if (item !== undefined) yield item;
    else if (ended === undefined) await new Promise<void>(onMore);
    else if ('error' in ended) throw ended.error;
    else return;
  }
}

import type { Store } from '../../src/model/ports/store.ts';

type Work = (...given: never[]) => unknown;

/** Returns a store whose functions are wrapped. `name` is noun and verb, as `steps.create`; watching and closing have one word. */
export function wrappedStore(store: Store, wrap: (name: string, work: Work) => Work): Store {
  const wrapped = (part: object, path: string): object =>
    Object.fromEntries(
      Object.entries(part).map(([name, member]: [string, unknown]) => {
        if (typeof member === 'function') return [name, wrap(`${path}${name}`, member as Work)];
        return [name, typeof member === 'object' && member !== null ? wrapped(member, `${name}.`) : member];
      }),
    );
  return wrapped(store, '') as Store; // Each function keeps its name.
}

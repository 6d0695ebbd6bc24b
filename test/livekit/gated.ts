import { z } from 'zod';
import { createMemoryStore } from '../../src/store/memory/store.ts';
import type { Store } from '../../src/model/ports/store.ts';
import { flowTool } from '../../src/livekit/tools/flow-tool.ts';
import type { FunctionTool } from '../../src/livekit/tools/function-tool.ts';
import { systemClock } from '../../src/system.ts';
import { createGate } from './gate.ts';

/** A function that starts when called, ends when the test opens it, and returns `worked`. */
export function gatedTool(name = 'work'): {
  tool: FunctionTool;
  begun: Promise<void>;
  readonly open: () => void;
  runs: number;
  aborted: boolean;
} {
  let open = (): void => undefined;
  let begin = (): void => undefined;
  const wait = new Promise<void>((resolve) => (open = resolve));
  const gated = {
    open: () => open(),
    begun: new Promise<void>((resolve) => (begin = resolve)),
    runs: 0,
    aborted: false,
    tool: flowTool({
      name,
      description: 'Work.',
      parameters: z.object({}),
      execute: async (_input, { signal }) => {
        gated.runs += 1;
        signal.addEventListener('abort', () => (gated.aborted = !isDone));
        let isDone = false;
        begin();
        await wait;
        isDone = true;
        return 'worked';
      },
    }),
  };
  return gated;
}

/** A store that commits one step per `openOne`, and logs the last signal of each. */
export function gatedStore(log: string[]): { store: Store; openOne: () => void } {
  const memory = createMemoryStore({ clock: systemClock });
  const waiting: (() => void)[] = [];
  let opened = 0;
  const store: Store = {
    ...memory,
    steps: {
      ...memory.steps,
      create: async (commit) => {
        if (opened > 0) opened -= 1;
        else await new Promise<void>((resolve) => waiting.push(resolve));
        await memory.steps.create(commit);
        log.push(commit.signals.at(-1)?.signal.type ?? '');
      },
    },
  };
  const openOne = (): void => {
    const next = waiting.shift();
    if (next === undefined) opened += 1;
    else next();
  };
  return { store, openOne };
}

/** A store whose commits wait between `hold` and `release`. */
export function heldStore(): { store: Store; hold: () => void; release: () => void } {
  const memory = createMemoryStore({ clock: systemClock });
  let gate = createGate();
  gate.open();
  const store: Store = {
    ...memory,
    steps: {
      ...memory.steps,
      create: async (commit) => {
        await gate.opened;
        await memory.steps.create(commit);
      },
    },
  };
  return { store, hold: () => void (gate = createGate()), release: () => gate.open() };
}

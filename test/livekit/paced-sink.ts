import type { TextSink } from '../../src/livekit/agent/text-session.ts';

/** Speech that is played word by word at the test's pace. */
export interface PacedSink extends TextSink {
  readonly words: readonly string[];
  /** Plays this many further words, and resolves when they were heard. */
  hear(count: number): Promise<void>;
  /** Plays everything from now on. */
  run(): void;
}

export function pacedSink(): PacedSink {
  const words: string[] = [];
  let allowed = 0;
  const pace = { free: false };
  let changed = (): void => undefined;
  let change = new Promise<void>((resolve) => (changed = resolve));
  const tell = (): void => {
    changed();
    change = new Promise<void>((resolve) => (changed = resolve));
  };
  return {
    words,
    async write(text) {
      while (!pace.free && words.length >= allowed) await change;
      words.push(text.trim());
      tell();
    },
    end: () => undefined,
    async hear(count) {
      allowed = words.length + count;
      tell();
      while (words.length < allowed) await change;
    },
    run() {
      pace.free = true;
      tell();
    },
  };
}

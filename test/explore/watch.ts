/** Something that must not be, and how to see it again. */
export interface Finding {
  readonly seed: number;
  readonly flow: string;
  readonly invariant: string;
  readonly detail: string;
  /** The last things that happened. */
  readonly trace: readonly string[];
}

/** Remembers what happened on one walk, and the first thing that must not be. */
export interface Watch {
  note(text: string, at: number): void;
  broken(invariant: string, detail: string): void;
  readonly finding: Finding | null;
}

const traced = 15;

export function createWatch(seed: number, flow: string): Watch {
  const trace: string[] = [];
  let finding: Finding | null = null;
  let began: number | null = null;
  return {
    note(text, at) {
      began ??= at;
      trace.push(`${String(at - began).padStart(7)} ms  ${text}`);
      if (trace.length > traced) trace.shift();
    },
    broken(invariant, detail) {
      finding ??= { seed, flow, invariant, detail, trace: [...trace] };
    },
    get finding() {
      return finding;
    },
  };
}

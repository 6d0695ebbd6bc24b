/** A broken invariant, with what is needed to repeat it. */
export interface Finding {
  readonly seed: number;
  readonly flow: string;
  readonly invariant: string;
  readonly detail: string;
  /** The last events before it. */
  readonly trace: readonly string[];
}

/** Records the events of a walk and the first broken invariant. */
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

import type { Draw, GeneratorYield } from '../../model/signals/generator-yield.ts';
import type { GeneratorYielded } from '../../model/signals/generator-signal.ts';
import type { Signal } from '../../model/signals/signal.ts';
import { hashOf } from '../../flow/graph/hash.ts';

/** Returns the recorded yields of one run, in order. */
export function journalOf(signals: Iterable<Signal>, run: number): readonly GeneratorYielded[] {
  const journal: GeneratorYielded[] = [];
  for (const signal of signals) if (signal.type === 'generator:yielded' && signal.run === run) journal.push(signal);
  return journal;
}

/** Compares a yield to the recorded one by kind, key and canonical arguments. Wording, timeouts and retries may change. */
export function compareYields(expected: GeneratorYield, found: GeneratorYield): 'same' | 'reworded' | 'different' {
  switch (expected.type) {
    case 'end':
      // An older release recorded an end of the session as an end of the flow.
      return found.type === 'end' && found.reason === expected.reason ? 'same' : 'different';
    case 'say':
      return found.type !== 'say' ? 'different' : found.text === expected.text ? 'same' : 'reworded';
    case 'ask': {
      if (found.type !== 'ask' || found.key !== expected.key) return 'different';
      if (!isEqual(expected.expects, found.expects)) return 'different';
      return found.text === expected.text ? 'same' : 'reworded';
    }
    case 'tool': {
      const isSame = found.type === 'tool' && found.name === expected.name && isEqual(expected.args, found.args);
      return isSame ? 'same' : 'different';
    }
    case 'wait': {
      if (found.type !== 'wait') return 'different';
      const { say, company, ...waited } = expected;
      const { say: newSay, company: newCompany, ...now } = found;
      if (!isEqual(waited, now)) return 'different';
      return isEqual([say, company], [newSay, newCompany]) ? 'same' : 'reworded';
    }
    case 'handoff':
      return isEqual(expected, found) ? 'same' : 'different';
  }
}

/** Repeats the time, random and id values that a generator drew before, then draws new ones. */
export interface Draws {
  /** Returns the values drawn since the last yield, once. */
  taken(): readonly Draw[];
  /** Sets the values to repeat from here on. */
  give(recorded: readonly Draw[]): void;
  draw<Kind extends Draw['kind']>(kind: Kind, fresh: () => ValueOf<Kind>): ValueOf<Kind>;
  /** The first draw that differs from the recorded one; null if none does. */
  readonly mismatch: { readonly expected: Draw | null; readonly found: Draw } | null;
}

type ValueOf<Kind extends Draw['kind']> = Extract<Draw, { kind: Kind }>['value'];

export function createDraws(): Draws {
  let recorded: readonly Draw[] | null = null;
  let index = 0;
  let drawn: Draw[] = [];
  let mismatch: Draws['mismatch'] = null;
  return {
    taken() {
      const all = drawn;
      drawn = [];
      recorded = null;
      return all;
    },
    give(draws) {
      recorded = draws;
      index = 0;
    },
    draw(kind, fresh) {
      const expected = recorded === null ? undefined : (recorded[index] ?? null);
      index += 1;
      const isRecorded = expected !== undefined && expected !== null && expected.kind === kind;
      // One kind has one type of value.
      const value = isRecorded ? (expected.value as ValueOf<typeof kind>) : fresh();
      const draw = { kind, value } as Draw;
      if (expected !== undefined && !isRecorded) mismatch ??= { expected, found: draw };
      drawn.push(draw);
      return value;
    },
    get mismatch() {
      return mismatch;
    },
  };
}

function isEqual(one: unknown, other: unknown): boolean {
  return one === other || hashOf(one) === hashOf(other);
}

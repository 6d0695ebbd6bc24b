import { parseArgs } from 'node:util';
import type { Measure, Reading } from './measure.ts';

/** The options of `npm run bench`. */
export interface Choice {
  /** Prints only JSON on stdout, one object per line. */
  readonly json?: boolean;
  /** Selects measures by the prefix of their names. */
  readonly only?: string;
  /** Values beyond their limits fail the run. */
  readonly strict?: boolean;
  /** Plays each scenario once, small, in this process, and prints no values. */
  readonly rehearse?: boolean;
}

/** Parses a command line. Throws for an unknown word. */
export function choiceIn(words: string[]): Choice {
  const boolean = { type: 'boolean' } as const;
  return parseArgs({
    args: words,
    options: { json: boolean, only: { type: 'string' }, strict: boolean, rehearse: boolean },
  }).values;
}

export interface Output {
  readonly line: (text: string) => void;
  readonly error: (text: string) => void;
}

/** Runs the chosen measures in order, reports each when it is done, and returns the exit code. */
export async function bench(measures: readonly Measure[], choice: Choice, output: Output): Promise<number> {
  const chosen = chosenFrom(measures, choice, output);
  if (chosen.length === 0) return 1;
  const table = tableFor(chosen);
  if (choice.json !== true) output.line(table.head);
  let exitCode = 0;
  for (const measure of chosen) {
    let reading: Reading;
    try {
      reading = await measure.run();
    } catch (error) {
      output.error(failureOf(measure, error));
      exitCode = 1;
      continue;
    }
    const broken = isBeyondLimit(measure, reading);
    if (broken && choice.strict === true) exitCode = 1;
    if (choice.json === true) {
      const { name, unit } = measure;
      const { value, baseline, runs } = reading;
      output.line(JSON.stringify({ name, value, unit, baseline, runs }));
      if (broken) output.error(`${name}: ${limitText(measure, reading)}`);
    } else {
      output.line(table.row(measure, reading));
    }
  }
  return exitCode;
}

/** Plays the chosen measures once each, prints the names of those that work, and returns the exit code. */
export async function rehearse(measures: readonly Measure[], choice: Choice, output: Output): Promise<number> {
  const chosen = chosenFrom(measures, choice, output);
  let exitCode = chosen.length === 0 ? 1 : 0;
  for (const measure of chosen) {
    if (measure.rehearsedBy !== undefined) continue;
    try {
      await measure.run();
      output.line(measure.name);
    } catch (error) {
      output.error(failureOf(measure, error));
      exitCode = 1;
    }
  }
  return exitCode;
}

function chosenFrom(measures: readonly Measure[], { only = '' }: Choice, output: Output): readonly Measure[] {
  const chosen = measures.filter(({ name }) => name.startsWith(only));
  const names = measures.map(({ name }) => `\n  ${name}`).join('');
  if (chosen.length === 0) output.error(`No measure begins with "${only}". There are:${names}`);
  return chosen;
}

function failureOf({ name }: Measure, error: unknown): string {
  return `${name} failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
}

function tableFor(measures: readonly Measure[]) {
  const width = (texts: string[]) => Math.max(...texts.map((text) => text.length));
  const name = width(['measure', ...measures.map((measure) => measure.name)]);
  const unit = width(['unit', ...measures.map((measure) => measure.unit)]);
  // Fixed widths, because each row is printed before the next value is known.
  const [value, runs] = [11, 6];
  const limit = width(['limit', ...measures.map((measure) => limitText(measure))]);
  const columns = (cells: {
    name: string;
    value: string;
    unit: string;
    runs: string;
    limit: string;
    baseline: string;
  }) =>
    [
      cells.name.padEnd(name),
      cells.value.padStart(value),
      cells.unit.padEnd(unit),
      cells.runs.padStart(runs),
      cells.limit.padEnd(limit),
      cells.baseline,
    ]
      .join('  ')
      .trimEnd();
  return {
    head: columns({
      name: 'measure',
      value: 'value',
      unit: 'unit',
      runs: 'runs',
      limit: 'limit',
      baseline: 'baseline',
    }),
    row: (measure: Measure, reading: Reading) =>
      columns({
        name: measure.name,
        value: numberText(reading.value),
        unit: measure.unit,
        runs: String(reading.runs),
        limit: limitText(measure, reading),
        baseline: typeof reading.baseline === 'number' ? numberText(reading.baseline) : (reading.baseline ?? ''),
      }),
  };
}

function isBeyondLimit({ better, limit }: Measure, { value }: Reading): boolean {
  if (limit === undefined) return false;
  // Written so that NaN is beyond every limit.
  return !(better === 'lower' ? value <= limit : value >= limit);
}

function limitText(measure: Measure, reading?: Reading): string {
  if (measure.limit === undefined) return '';
  const beyond = measure.better === 'lower' ? 'over' : 'under';
  const isFine = reading !== undefined && !isBeyondLimit(measure, reading);
  return `${isFine ? 'within' : beyond} ${measure.limit}`;
}

function numberText(value: number): string {
  const digits = Math.abs(value) < 1000 ? { maximumSignificantDigits: 4 } : { maximumFractionDigits: 0 };
  return value.toLocaleString('en', digits);
}

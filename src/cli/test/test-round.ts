import { resolve } from 'node:path';
import { FlowError } from '../../model/errors.ts';
import { isError } from '../../flow/load/problems/diagnose.ts';
import type { Diagnostic } from '../../flow/document/problems/diagnostic.ts';
import { loadedModules } from '../../flow/load/files/loaded-modules.ts';
import { type CoverageKind, coverageKinds, coverageOf, type FlowCoverage } from '../../flowtest/coverage.ts';
import type { Engine, Thresholds } from '../../flowtest/document/document.ts';
import { openTest } from '../../flowtest/open-test.ts';
import type { OpenedTest } from '../../flowtest/opened-test.ts';
import { coverageTable, shortfalls } from '../../flowtest/reports/coverage-table.ts';
import { githubOf } from '../../flowtest/reports/github.ts';
import { htmlOf } from '../../flowtest/reports/html.ts';
import { jsonLinesOf } from '../../flowtest/reports/json-lines.ts';
import { junitOf } from '../../flowtest/reports/junit.ts';
import { lcovOf } from '../../flowtest/reports/lcov.ts';
import { type Painter, prettyFile, prettyTotals } from '../../flowtest/reports/pretty.ts';
import { type Totals, totalsOf } from '../../flowtest/reports/totals.ts';
import { type FileResult, runTests } from '../../flowtest/run-tests.ts';
import { writeOut } from '../written-file.ts';

/** Options of one round of tests. Plain data, because it is sent to another process. */
export interface RoundOptions {
  readonly files: readonly string[];
  readonly engine?: Engine | undefined;
  readonly seed?: number | undefined;
  readonly name?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly store?: string | undefined;
  readonly repeat?: number | undefined;
  readonly bail: boolean;
  readonly talk: boolean;
  readonly coverage: boolean;
  readonly minimums: Thresholds;
  readonly junit?: string | undefined;
  readonly html?: string | undefined;
  readonly lcov?: string | undefined;
  readonly json: boolean;
  readonly github: boolean;
  /** Reports files with errors and runs the others; an empty selection is not an error. */
  readonly goesOn?: boolean;
  /** Skips scenarios with a live model. */
  readonly withoutLive?: boolean;
}

/** Receives the progress of a round. */
export interface RoundListener {
  readonly paint: Painter;
  /** The source files of a test file, and its diagnostics. */
  opened(file: string, reads: FilesRead, diagnostics: readonly Diagnostic[]): void;
  /** The result of one test file as text. */
  ran(file: string, text: string, totals: Totals): void;
  /** The last line of the results. */
  totals(text: string): void;
  print(text: string): void;
  /** Output for programs, written unchanged. */
  write(text: string): void;
  complain(text: string): void;
}

/** The files that a test was read from. */
export interface FilesRead {
  readonly paths: readonly string[];
  /** Whether the test runs code, which may read other files. */
  readonly hasCode: boolean;
}

/** Opens test files, runs them and reports. Resolves to the results and the exit code. */
export async function playRound(
  options: RoundOptions,
  listener: RoundListener,
): Promise<{ readonly exitCode: number; readonly results: readonly FileResult[] }> {
  const { paint } = listener;
  const opened: OpenedTest[] = [];
  let isBroken = false;
  for (const file of options.files) {
    const read = new Set([resolve(file)]);
    const noted = (path: string): undefined => void read.add(resolve(path));
    const { test, diagnostics } = await openTest(file, undefined, noted);
    const isCode = /\.[cm]?[jt]s$/;
    const hasCode =
      isCode.test(file) || (test === null ? diagnostics.length > 0 : codeIn(test).some((one) => isCode.test(one)));
    listener.opened(file, { paths: [...read, ...(hasCode ? loadedModules() : [])], hasCode }, diagnostics);
    isBroken ||= diagnostics.some(isError);
    if (test !== null) opened.push(test);
  }
  if (isBroken && options.goesOn !== true) return { exitCode: 2, results: [] };
  const { engine, seed, name, tags, store, repeat, bail } = options;
  const { withoutLive } = options;
  const choices = { engine, seed, name, tags, store, repeat, bail, withoutLive };
  const results = await runTests(opened, choices, (result) =>
    listener.ran(result.test.file, prettyFile(result, paint, { talk: options.talk }), totalsOf([result])),
  );
  const totals = totalsOf(results);
  if (totals.scenarios === 0 && options.goesOn !== true)
    throw new FlowError('option-empty', 'no scenario matches. Check --name and --tag.');
  const coverages = coverageOf(results);
  if (options.json) listener.write(jsonLinesOf(results, coverages));
  else {
    listener.totals(prettyTotals(totals, paint));
    if (options.coverage) listener.print(coverageTable(coverages, paint));
  }
  if (options.github) listener.write(githubOf(results));
  writeReport(options.junit, () => junitOf(results));
  if (options.html !== undefined) {
    const page = await htmlOf(results, coverages);
    writeReport(options.html, () => page);
  }
  writeReport(options.lcov, () => lcovOf(coverages));
  const isShort = tellShortfalls(results, coverages, options.minimums, listener);
  const byTests = totals.failed > 0 ? 1 : totals.broken > 0 ? 3 : isShort ? 4 : 0;
  return { exitCode: isBroken ? 2 : byTests, results };
}

/** The files of a test that may be code: its configuration and its flow. */
function codeIn({ document }: OpenedTest): readonly string[] {
  return [document.flow, ...(document.config === undefined ? [] : [document.config])];
}

/** Reports flows whose coverage is below the minimum of their test files or of the options. */
function tellShortfalls(
  results: readonly FileResult[],
  coverages: readonly FlowCoverage[],
  minimums: Thresholds,
  listener: RoundListener,
): boolean {
  const thresholdsOf = (file: string): Thresholds => {
    const asked = results.flatMap(({ test }) => (test.flow.file === file ? [test.document.coverage ?? {}] : []));
    const most = (kind: CoverageKind): number | undefined => {
      const all = [...asked, minimums].flatMap((one) => one[kind] ?? []);
      return all.length === 0 ? undefined : Math.max(...all);
    };
    return Object.fromEntries(coverageKinds.map((kind) => [kind, most(kind)]));
  };
  const found = shortfalls(coverages, thresholdsOf);
  for (const { file, kind, percent, least } of found)
    listener.complain(`${file}: ${Math.floor(percent)} % of the ${kind} are covered; the minimum is ${least} %.`);
  return found.length > 0;
}

function writeReport(file: string | undefined, textOf: () => string): void {
  if (file !== undefined) writeOut(file, textOf());
}

import { formatPath } from '../../flow/document/problems/diagnostic.ts';
import type { FlowCoverage } from '../coverage.ts';
import { coverageKinds, shareOf } from '../coverage.ts';
import type { FileResult } from '../run-tests.ts';
import type { TestFailure } from '../play/scenario-result.ts';
import { totalsOf } from './totals.ts';

/** The results as JSON, a line each: `scenario`, then `coverage` for each flow, then `totals`. */
export function jsonLinesOf(results: readonly FileResult[], coverages: readonly FlowCoverage[]): string {
  const scenarios = results.flatMap(({ test, scenarios }) =>
    scenarios.map((one) => ({
      type: 'scenario',
      file: test.file,
      line: one.place?.line ?? null,
      flow: test.flow.file,
      flowHash: test.flow.graph.hash,
      name: one.name,
      engine: one.engine,
      status: one.status,
      reason: one.reason,
      durationMs: Math.round(one.durationMs),
      crashes: one.crashes,
      repeats: one.repeats,
      notChecked: one.unchecked,
      outcome: one.ended,
      failures: one.failures.map(failureJson),
      talk: one.lines,
      tools: one.runs,
    })),
  );
  const covered = coverages.map((coverage) => ({
    type: 'coverage',
    flow: coverage.flow.file,
    ...Object.fromEntries(coverageKinds.map((kind) => [kind, shareOf(coverage, kind)])),
    notCovered: coverage.items
      .filter(({ hits }) => hits === 0)
      .map(({ kind, name, place }) => ({ kind, name, file: place?.file ?? null, line: place?.line ?? null })),
  }));
  const all = [...scenarios, ...covered, { type: 'totals', ...totalsOf(results) }];
  return all.map((one) => `${JSON.stringify(one)}\n`).join('');
}

function failureJson({ path, turn, message, expected, found, place, flowPlace }: TestFailure) {
  const at = (one: typeof place) => (one === null ? null : { file: one.file, line: one.line });
  return { path: formatPath(path), turn, message, expected, found, test: at(place), flow: at(flowPlace) };
}

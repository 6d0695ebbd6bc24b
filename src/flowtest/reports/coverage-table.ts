import { type CoverageKind, coverageKinds, type FlowCoverage, shareOf } from '../coverage.ts';
import type { Thresholds } from '../document/document.ts';
import type { Painter } from './pretty.ts';

/** A share below its threshold. */
export interface Shortfall {
  readonly file: string;
  readonly kind: CoverageKind;
  readonly percent: number;
  readonly least: number;
}

/** The coverage of each flow, and the lines without coverage. */
export function coverageTable(coverages: readonly FlowCoverage[], paint: Painter): string {
  const rows = coverages.map((one) => [one.flow.file, ...coverageKinds.map((kind) => shareText(one, kind))]);
  const table = [['coverage', ...coverageKinds], ...rows];
  const widths = table[0]?.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0))) ?? [];
  const lines = table.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  const missing = coverages.flatMap((one) => {
    const open = one.items.filter(({ hits }) => hits === 0);
    return open.map(({ kind, name, place }) => {
      const where = place === null ? one.flow.file : `${place.file}:${place.line}`;
      return paint('quiet', `  ${where}  ${names[kind]} ${name}`);
    });
  });
  return [...lines, ...(missing.length === 0 ? [] : ['not covered:', ...missing])].join('\n');
}

const names: Readonly<Record<CoverageKind, string>> = {
  nodes: 'node',
  edges: 'edge',
  conditions: 'condition',
  functions: 'function',
  waits: 'wait',
};

function shareText(coverage: FlowCoverage, kind: CoverageKind): string {
  const { covered, all, percent } = shareOf(coverage, kind);
  return all === 0 ? '-' : `${covered}/${all} ${Math.floor(percent)} %`;
}

/** The thresholds that are not reached. */
export function shortfalls(
  coverages: readonly FlowCoverage[],
  thresholdsOf: (file: string) => Thresholds,
): readonly Shortfall[] {
  return coverages.flatMap((one) => {
    const thresholds = thresholdsOf(one.flow.file);
    return coverageKinds.flatMap((kind) => {
      const least = thresholds[kind];
      const { percent } = shareOf(one, kind);
      return least === undefined || percent >= least ? [] : [{ file: one.flow.file, kind, percent, least }];
    });
  });
}

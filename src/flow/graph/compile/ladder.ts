import type { DocumentPath } from '../../document/problems/diagnostic.ts';
import type { LadderDocument } from '../../document/ladder.ts';
import type { LadderRule } from '../graph.ts';
import type { Report } from '../report.ts';
import { wordingsAt } from './text-in-language.ts';

/** The ladder of a part without rules for unanswered questions. */
export const noLadder: LadderRule = Object.freeze({
  noInputMs: null,
  attempts: null,
  lines: null,
  onNoInput: null,
  onNoMatch: null,
});

/** Compiles the ladder of a slot, a node or a flow. */
export function ladderOf(report: Report, ladder: LadderDocument | undefined, path: DocumentPath): LadderRule {
  if (ladder === undefined) return noLadder;
  const { noInputMs, attempts, lines, onNoInput, onNoMatch } = ladder;
  return {
    noInputMs: noInputMs ?? null,
    attempts: attempts ?? null,
    lines: lines === undefined ? null : wordingsAt(report, lines, [...path, 'lines'], ['question']),
    onNoInput: onNoInput ?? null,
    onNoMatch: onNoMatch ?? null,
  };
}

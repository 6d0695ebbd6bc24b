import type { DocumentPath } from '../../document/problems/diagnostic.ts';
import type { LadderDocument } from '../../document/ladder.ts';
import type { LadderRule } from '../graph.ts';
import type { Report } from '../report.ts';
import { wordingsAt } from './text-in-language.ts';

/** What a part of a flow says that says nothing about unanswered questions. */
export const noLadder: LadderRule = Object.freeze({
  noInputMs: null,
  attempts: null,
  lines: null,
  onNoInput: null,
  onNoMatch: null,
});

/** Resolves what a slot, a node or a flow says about unanswered questions. */
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

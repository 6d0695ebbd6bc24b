import type { OutcomeDocument } from '../../../document/report/outcome.ts';
import type { GraphOutcome } from '../../graph.ts';
import { bindingAt, type Report } from '../../report.ts';

/** Compiles the report of a flow; null if the flow has none. */
export function compileOutcome(report: Report, outcome: OutcomeDocument | undefined): GraphOutcome | null {
  if (outcome === undefined) return null;
  const { fields = [], summary = null } = outcome;
  const named = Array.isArray(fields)
    ? fields.map((name, index) => ({ name, text: `{{ ${name} }}`, at: index }))
    : Object.entries(fields).map(([name, text]) => ({ name, text, at: name }));
  return {
    fields: named.map(({ name, text, at }) => ({ name, value: bindingAt(report, text, ['outcome', 'fields', at]) })),
    summary,
  };
}

import type { DocumentPath, PathSegment } from '../document/problems/diagnostic.ts';
import type { Graph } from '../graph/graph.ts';
import { type Report, addProblem } from '../graph/report.ts';
import { findSecret } from './secret-forms.ts';

/** Reports texts that seem to contain a secret: documents are sent to models, stored and drawn. */
export function checkSecrets(report: Report, graph: Graph): void {
  const open: Place[] = [{ value: graph.document, above: null, segment: '' }];
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const { value } = place;
    for (const key of Object.keys(value)) {
      const part = value[key];
      if (typeof part !== 'string' && (typeof part !== 'object' || part === null)) continue;
      const segment = Array.isArray(value) ? Number(key) : key;
      // Own values of plain data: the document has passed its schema.
      if (typeof part === 'object')
        open.push({ value: part as Readonly<Record<string, unknown>>, above: place, segment });
      else reportSecret(report, part, place, segment);
    }
  }
}

/** A map or list within the document. */
interface Place {
  readonly value: Readonly<Record<string, unknown>>;
  readonly above: Place | null;
  readonly segment: PathSegment;
}

function reportSecret(report: Report, text: string, place: Place, segment: PathSegment): void {
  const secret = findSecret(text);
  if (secret === undefined) return;
  addProblem(
    report,
    'warning',
    'secret-in-prompt',
    [...pathOf(place), segment],
    `this holds what looks like ${secret.what}.`,
    {
      hint: 'Take it out and make it invalid; code reads secrets from the environment.',
      // Only the harmless prefix, because problems are printed and logged.
      within: { start: secret.start, text: secret.prefix },
    },
  );
}

function pathOf(place: Place): DocumentPath {
  const path: PathSegment[] = [];
  for (let step = place; step.above !== null; step = step.above) path.push(step.segment);
  return path.toReversed();
}

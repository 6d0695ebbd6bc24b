import type { DocumentPath, PathSegment } from '../../flow/diagnostic.ts';
import type { Graph } from '../graph.ts';
import { type Report, tell } from '../report.ts';
import { findSecret } from './secret-forms.ts';

/** Reports texts that look like they hold a secret: what is in a document is sent to models, stored and drawn. */
export function checkSecrets(report: Report, graph: Graph): void {
  for (const { text, place } of textsOf(graph.document)) {
    const secret = findSecret(text);
    if (secret === undefined) continue;
    tell(report, 'warning', 'secret-in-prompt', pathOf(place), `this text holds what looks like ${secret.what}.`, {
      hint: 'Take it out and make it invalid; code reads secrets from the environment.',
      // Only the harmless beginning, since a problem is printed and logged.
      within: { start: secret.start, text: secret.prefix },
    });
  }
}

interface Place {
  readonly above: Place | null;
  readonly segment: PathSegment;
}

/** The texts of a document, in its order and with their places. */
function* textsOf(document: unknown): Generator<{ readonly text: string; readonly place: Place | null }> {
  const open: { readonly value: unknown; readonly place: Place | null }[] = [{ value: document, place: null }];
  for (let item = open.pop(); item !== undefined; item = open.pop()) {
    const { value, place } = item;
    if (typeof value === 'string') yield { text: value, place };
    if (typeof value !== 'object' || value === null) continue;
    const parts = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
    for (const [segment, part] of parts.toReversed()) open.push({ value: part, place: { above: place, segment } });
  }
}

function pathOf(place: Place | null): DocumentPath {
  const path: PathSegment[] = [];
  for (let step = place; step !== null; step = step.above) path.push(step.segment);
  return path.toReversed();
}

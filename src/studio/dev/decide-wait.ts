import { FlowError } from '../../model/errors.ts';
import type { JsonObject } from '../../model/json.ts';
import { resolveWait } from '../../people/resolve-wait.ts';
import type { Store } from '../../model/ports/store.ts';
import type { Clock } from '../../model/ports/time.ts';
import type { Decision } from '../protocol/acts.ts';

/** Decisions on the page are made by the user of this machine. */
const actor = { id: 'studio', name: 'studio' };

/**
 * Resolves a wait by a decision on the page. Throws if the wait is over, its facts have changed or the decision is not
 * valid.
 */
export async function decideWait(
  { store, clock }: { readonly store: Store; readonly clock: Clock },
  given: Decision,
): Promise<void> {
  const { key, factsHash } = given;
  const { outcome } = await resolveWait(
    { store, clock, authority: null },
    { key, factsHash, actor, resolution: resolutionOf(given) },
  );
  if (outcome === 'posted' || outcome === 'same') return;
  throw new FlowError(codes[outcome], texts[outcome]);
}

/** Returns a decision in the form of the wait's schema. */
function resolutionOf({ resolution, decision, text, comment }: Decision): JsonObject {
  if (resolution !== undefined) return resolution;
  return {
    ...(decision === undefined ? {} : { decision }),
    ...(text === undefined ? {} : { text }),
    ...(comment === undefined ? {} : { comment }),
  };
}

const codes = {
  over: 'wait-over',
  changed: 'facts-changed',
  invalid: 'request-invalid',
  denied: 'not-allowed',
  unknown: 'wait-over',
} as const;

const texts = {
  over: 'the wait is over or has another decision.',
  changed: 'the facts have changed since they were shown. Check them again.',
  invalid: 'the decision does not match the schema of the wait.',
  denied: 'you may not decide this.',
  unknown: 'there is no such wait.',
} as const;

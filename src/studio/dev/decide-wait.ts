import { FlowError } from '../../errors.ts';
import type { JsonObject } from '../../events/json.ts';
import { resolveWait } from '../../people/resolve-wait.ts';
import type { Store } from '../../ports/store.ts';
import type { Clock } from '../../ports/time.ts';
import type { Decision } from '../protocol/acts.ts';

/** Whoever sits at this machine decides. */
const actor = { id: 'studio', name: 'studio' };

/** Resolves a wait as somebody in the page has decided. Throws why it cannot be: it is over, its facts have changed, the form is another. */
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

/** A decision as the schema of a wait takes it. */
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
  over: 'the wait is over, or was decided otherwise before.',
  changed: 'the facts have changed since they were shown. Look at them again.',
  invalid: 'the decision is not of the form that the wait takes.',
  denied: 'you may not decide this.',
  unknown: 'there is no such wait.',
} as const;

import type { ResolveOutcome } from '../people/resolve-wait.ts';
import { notAllowed } from './access.ts';
import { HttpProblem } from './problem.ts';

/** Returns the refusal of a decision that had no effect. */
export function refusalOf(outcome: Exclude<ResolveOutcome, { outcome: 'posted' | 'same' }>): HttpProblem {
  switch (outcome.outcome) {
    case 'denied':
      return notAllowed();
    case 'unknown':
      return new HttpProblem(404, 'wait-unknown', 'There is no such wait. GET /waits lists the open ones.');
    case 'over':
      return new HttpProblem(409, 'wait-over', 'The wait is over, or another decision was taken.');
    case 'changed':
      return new HttpProblem(409, 'facts-changed', 'The facts have changed since they were shown. Look at them again.');
    case 'invalid':
      return new HttpProblem(
        400,
        'resolution-invalid',
        `The resolution does not fit the schema of the wait: ${outcome.violations.slice(0, 5).join('; ')}.`,
      );
  }
}

import { z } from 'zod';

/** Why somebody who was called is not on the line, as the telephone network tells it. */
export const missedSchema = z.enum(['busy', 'no-answer', 'rang-out', 'declined', 'unknown-number', 'not-reached']);

/**
 * `busy`: the line is; `no-answer`: the network says that nobody is there; `rang-out`: it rang as long as `ringFor` says;
 * `declined`: the person has refused; `unknown-number`: there is no such number; `not-reached`: the network gives another
 * reason.
 */
export type Missed = z.infer<typeof missedSchema>;

/** What has become of a call. */
export interface CallResult {
  readonly result: 'answered' | Missed;
  /** The status of the telephone network, such as 486; absent where it has told none. */
  readonly sipStatus?: number;
}

/** What of the network's own statuses means what; by RFC 3261 and, for calls that people refuse, RFC 8197 and 8688. */
const missedBy: ReadonlyMap<number, Missed> = new Map([
  [486, 'busy'],
  [600, 'busy'],
  [408, 'no-answer'],
  [480, 'no-answer'],
  [487, 'rang-out'],
  [603, 'declined'],
  [607, 'declined'],
  [608, 'declined'],
  [404, 'unknown-number'],
  [410, 'unknown-number'],
  [484, 'unknown-number'],
  [604, 'unknown-number'],
]);

/** What a status of the telephone network says of the person; null where it is the line that has failed. */
export function missedOf(sipStatus: number): Missed | null {
  const known = missedBy.get(sipStatus);
  if (known !== undefined) return known;
  const isOfLine = sipStatus >= 500 && sipStatus < 600;
  const isOfTrunk = sipStatus === 401 || sipStatus === 407;
  return isOfLine || isOfTrunk ? null : 'not-reached';
}

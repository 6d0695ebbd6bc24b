import { z } from 'zod';

/** Why a called person was not reached, from the status of the telephone network. */
export const missedSchema = z.enum(['busy', 'no-answer', 'rang-out', 'declined', 'unknown-number', 'not-reached']);

/**
 * `busy`: the line is busy. `no-answer`: the network reports no answer. `rang-out`: it rang for `ringFor`. `declined`:
 * the person refused. `unknown-number`: the number does not exist. `not-reached`: any other reason.
 */
export type Missed = z.infer<typeof missedSchema>;

/** The result of a call. */
export interface CallResult {
  readonly result: 'answered' | Missed;
  /** The SIP status, such as 486; absent if the network reported none. */
  readonly sipStatus?: number;
}

/** SIP statuses by RFC 3261 and, for refused calls, RFC 8197 and RFC 8688. */
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

/** Returns what a SIP status says about the person; null if the line itself failed. */
export function missedOf(sipStatus: number): Missed | null {
  const known = missedBy.get(sipStatus);
  if (known !== undefined) return known;
  const isOfLine = sipStatus >= 500 && sipStatus < 600;
  const isOfTrunk = sipStatus === 401 || sipStatus === 407;
  return isOfLine || isOfTrunk ? null : 'not-reached';
}

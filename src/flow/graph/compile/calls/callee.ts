import type { CalleeDocument } from '../../../document/people/callee.ts';
import { durationMs } from '../../../document/times.ts';
import type { GraphCallee } from '../../graph.ts';
import type { Report } from '../../report.ts';
import { wordingsAt } from '../text-in-language.ts';

/** Default time to wait for a person in a queue, or after a screener. */
const defaultHold = '2m';

/** Compiles what the flow does while no person is on the line of its call; null if the flow begins at once. */
export function compileCallee(report: Report, callee: CalleeDocument | undefined): GraphCallee | null {
  if (callee === undefined) return null;
  const { voicemail, screener, keys = null, hold = defaultHold, again } = callee;
  return {
    voicemail: voicemail === undefined ? null : wordingsAt(report, voicemail, ['callee', 'voicemail']),
    screener: screener === undefined ? null : wordingsAt(report, screener, ['callee', 'screener']),
    keys,
    holdMs: durationMs(hold),
    again: again === undefined ? null : { afterMs: durationMs(again.after), times: again.times },
  };
}

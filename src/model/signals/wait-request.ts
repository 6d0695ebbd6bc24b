import type { TransferRequest } from '../transfer.ts';
import type { DueTime, LaterDeadline, OutsideWait } from '../outside-wait.ts';

/** The wait that a catalog node requests in its input. */
export interface WaitRequest extends Pick<
  OutsideWait,
  'wait' | 'to' | 'question' | 'facts' | 'options' | 'schema' | 'reach' | 'proxyId' | 'event'
> {
  /** When the awaited time comes; null if the wait is not for a time. */
  readonly due: DueTime | null;
  /** Actions if the wait is still open at these deadlines, in order. */
  readonly deadlines: readonly LaterDeadline[];
  /** The attempt whose outcome is awaited; absent for other waits. */
  readonly transfer?: TransferRequest;
  /** The flow that takes the conversation over instead of a wait. */
  readonly handsTo?: string;
}

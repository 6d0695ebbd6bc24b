import type { DueTime, LaterDeadline, OutsideWait } from './effect.ts';

/** What a catalog node waits for that does not come through the call, as its input asks for it. */
export interface WaitRequest extends Pick<
  OutsideWait,
  'wait' | 'to' | 'question' | 'facts' | 'options' | 'schema' | 'reach' | 'proxyId' | 'event'
> {
  /** When what is waited for comes by itself; null where it does not. */
  readonly due: DueTime | null;
  /** What happens where it has not come by then, in order. */
  readonly deadlines: readonly LaterDeadline[];
}

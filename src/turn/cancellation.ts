import type { Cancellable } from '../ports/cancellable.ts';

export interface Cancellation extends Cancellable {
  /** Nobody waits any more; a second time changes nothing. */
  cancel(): void;
}

/** Most work is never cancelled, and most handlers never look: a signal for each would cost more than a step. */
export function createCancellation(): Cancellation {
  const listeners = new Set<() => void>();
  let isCancelled = false;
  let controller: AbortController | null = null;
  return {
    get isCancelled() {
      return isCancelled;
    },
    get signal() {
      if (controller === null) {
        controller = new AbortController();
        if (isCancelled) controller.abort(cancelled);
      }
      return controller.signal;
    },
    onCancel(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    cancel() {
      if (isCancelled) return;
      isCancelled = true;
      controller?.abort(cancelled);
      for (const listener of listeners) listener();
      listeners.clear();
    },
  };
}

// Made once: an abort without a reason makes an exception with a stack.
const cancelled = new DOMException('Nobody waits for it any more.', 'AbortError');
